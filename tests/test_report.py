"""The report and the command line: complete, self-contained, and harmless whatever the names are."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression

from interpret_pd import Predictor, load_bike
from interpret_pd.cli import main
from interpret_pd.report import report


class Reader(HTMLParser):
    """The tags, the text and the attributes of a page."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.text, self.attributes = [], "", []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text += data


@pytest.fixture(name="bike")
def some_bike():
    return load_bike()[["temp", "hum", "season"]].iloc[::10]


def test_a_report_has_a_ranking_every_effect_support_and_provenance(bike):
    page = Reader(report(Predictor(lambda Z: Z["temp"] * 2 + Z["hum"], bike), method="pdp+ice", title="Bikes"))
    for heading in ("Bikes", "Ranking", "Effects", "Support", "Provenance"):
        assert heading in page.text
    assert page.tags.count("img") == 2 + 3
    assert page.tags.count("table") == 3
    assert "model_calls" in page.text


def test_a_report_needs_nothing_else(bike):
    page = Reader(report(Predictor(lambda Z: Z["temp"], bike)))
    assert not {"script", "link", "iframe"} & set(page.tags)
    sources = [value for name, value in page.attributes if name in ("src", "href")]
    assert sources
    assert all(source.startswith("data:image/png;base64,") for source in sources)


def test_a_feature_whose_rows_are_invented_gets_a_warning(rng):
    a = rng.normal(size=300)
    X = pd.DataFrame({"a": a, "copy": a + 0.01 * rng.normal(size=300), "free": rng.normal(size=300)})
    page = report(Predictor(lambda Z: Z["a"], X), title="t")
    warned = re.findall(r"class='warning'><strong>(\w+)</strong>", page)
    assert sorted(warned) == ["a", "copy"]


@pytest.mark.parametrize(
    "evil", ["<script>alert(1)</script>", "a\" onerror='x'", "$x$ \\frac{", "two\nlines", "x" * 10_000]
)
def test_untrusted_names_and_levels_are_text(rng, evil):
    X = pd.DataFrame({evil: rng.normal(size=30), "town": np.resize([evil, "oslo"], 30)})
    page = report(Predictor(lambda Z: Z.iloc[:, 0], X), title=evil)
    reader = Reader(page)
    assert "script" not in reader.tags
    assert not [name for name, _ in reader.attributes if name.startswith("on")]
    assert len(page) < 3_000_000


@pytest.fixture(name="files")
def model_and_data(tmp_path, bike):
    X = bike[["temp", "hum"]]
    joblib.dump(LinearRegression().fit(X, X["temp"] * 2), tmp_path / "line.joblib")
    joblib.dump(LogisticRegression().fit(X, np.resize(["no", "yes"], len(X))), tmp_path / "classes.joblib")
    X.assign(cnt=1).to_csv(tmp_path / "bike.csv", index=False)
    return tmp_path


def test_the_command_writes_a_page(files, capsys):
    out = files / "page.html"
    call = [str(files / "line.joblib"), str(files / "bike.csv"), "--drop", "cnt", "--method", "pdp+ice", "-o", str(out)]
    assert main(call) == 0
    assert "LinearRegression" in out.read_text(encoding="utf-8")
    assert capsys.readouterr().out == f"Wrote {out}\n"


def test_the_command_takes_parquet_features_and_a_target(files, bike):
    pytest.importorskip("pyarrow")
    bike[["temp", "hum"]].to_parquet(files / "bike.parquet")
    out = files / "page.html"
    call = [str(files / "classes.joblib"), str(files / "bike.parquet"), "--features", "temp", "--target", "no"]
    assert main([*call, "-o", str(out)]) == 0
    assert "Predicted probability of no" in out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("model", "data", "more", "message"),
    [
        ("line.joblib", "bike.csv", ["--drop", "cnt", "--features", "tmp"], "got 'tmp'. Did you mean 'temp'?"),
        ("line.txt", "bike.csv", [], "MODEL must be a .joblib, .pkl or .skops file; got 'line.txt'."),
        ("line.joblib", "bike.xls", [], "DATA must be a .csv or .parquet file; got 'bike.xls'."),
        ("none.joblib", "bike.csv", [], "No such file"),
        (
            *("classes.joblib", "bike.csv", ["--drop", "cnt", "--target", "maybe"]),
            "target must be among 'no', 'yes'; got 'maybe'.",
        ),
    ],
)
def test_mistakes_end_in_one_line(files, capsys, model, data, more, message):
    assert main([str(files / model), str(files / data), *more, "-o", str(files / "page.html")]) == 2
    told = capsys.readouterr().err
    assert told.startswith("interpret-pd: ")
    assert message in told
    assert told.count("\n") == 1


def test_the_help_says_that_pickles_run_code(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "runs code when it is loaded" in capsys.readouterr().out
