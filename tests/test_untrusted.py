"""Untrusted text: names, levels, labels and titles are shown as they are, run nowhere, and break nothing."""

from __future__ import annotations

import os
import re
import sys
import time

import joblib
import numpy as np
import pandas as pd
import pytest
from hostile import EMOJI, LONG, SEVEN, TEXTS, Page, drawn, on, predictor, table, visible
from numpy.testing import assert_array_equal
from plotnine import ggplot
from sklearn.linear_model import LinearRegression

from interpret_pd import (
    FeatureEffect,
    FeatureEffects,
    Predictor,
    compare,
    h_statistic,
    pd_importance,
    plot_importance,
)
from interpret_pd.cli import main
from interpret_pd.plots import fonts, plot_ale_pd
from interpret_pd.plots.text import distinct, plain, sentence, wrap
from interpret_pd.report import report

NAMES = ("$\\alpha$ <b>&amp;", "{level} %s _^", "z\n\\", "_group")
LABELS = ("$a$ \\b", "<i>b</i>", "_c\td")
NUMBER, LEVEL, OTHER, GROUP = NAMES
ONE, THREE = predictor(NAMES, SEVEN), predictor(NAMES, SEVEN, LABELS)
AGAIN = predictor(NAMES, SEVEN)
BOTH = ("$m$ <u>", "_n\n%s")


def effect(features, method="pdp", of=ONE, **options):
    options = {"grid": 6, **options} if features not in (LEVEL, GROUP) else options
    return FeatureEffect(of, features, method, **options)


def both(features, **options):
    return compare(dict(zip(BOTH, (effect(features, **options), effect(features, of=AGAIN, **options)), strict=True)))


KINDS = {  # the plot, and what has to be read on it
    "pd": (lambda: effect(NUMBER).plot(), [NUMBER]),
    "curves by a number": (lambda: effect(OTHER, "pdp+ice").plot(color=NUMBER), [OTHER, NUMBER]),
    "curves by level": (lambda: effect(NUMBER, "pdp+ice").plot(color=LEVEL), [NUMBER, LEVEL, *SEVEN]),
    "a fan": (lambda: effect(NUMBER, "ice").plot(fan=True), [NUMBER]),
    "centred at a level": (lambda: effect(LEVEL, "pdp+cice", center_at=SEVEN[1]).plot(), [LEVEL, *SEVEN]),
    "levels": (lambda: effect(LEVEL).plot(rug="histogram"), [LEVEL, *SEVEN]),
    "levels, one of them missing": (lambda: effect(LEVEL, missing=True, of=Gap).plot(), [LEVEL, *SEVEN]),
    "boxes by level": (lambda: effect(GROUP, "pdp+ice").plot(color=LEVEL), [GROUP, LEVEL, *SEVEN]),
    "ale": (lambda: effect(LEVEL, "ale").plot(), [LEVEL, *SEVEN]),
    "ale beside pd": (lambda: plot_ale_pd(effect(LEVEL, "ale"), effect(LEVEL)), [LEVEL, *SEVEN]),
    "a map": (lambda: effect((NUMBER, OTHER)).plot(), [NUMBER, OTHER]),
    "a line per level": (lambda: effect((NUMBER, LEVEL)).plot(), [NUMBER, LEVEL, *SEVEN]),
    "tiles": (lambda: effect((LEVEL, GROUP)).plot(), [LEVEL, GROUP, *SEVEN]),
    "second-order ale": (lambda: effect((LEVEL, NUMBER), "ale").plot(), [NUMBER, LEVEL, *SEVEN]),
    "outputs": (lambda: effect(NUMBER, of=THREE).plot(), [NUMBER, *LABELS]),
    "outputs as lines": (lambda: effect(NUMBER, "pdp+ice", of=THREE).plot(outputs="lines"), [NUMBER, *LABELS]),
    "outputs at levels": (lambda: effect(LEVEL, of=THREE).plot(), [LEVEL, *SEVEN, *LABELS]),
    "outputs at levels, as points": (lambda: effect(LEVEL, of=THREE).plot(outputs="lines"), [*SEVEN, *LABELS]),
    "maps": (lambda: effect((NUMBER, OTHER), of=THREE).plot(), [NUMBER, OTHER, *LABELS]),
    "groups": (lambda: effect(NUMBER, by=LEVEL).plot(), [NUMBER, LEVEL, *SEVEN]),
    "groups in panels": (
        lambda: effect(NUMBER, by=LEVEL).plot(outputs="facets"),
        [NUMBER, *(f"{LEVEL}: {level}" for level in SEVEN)],
    ),
    "slopes": (lambda: effect(NUMBER, "pdp+ice", of=THREE).derivative().plot(), [NUMBER, *LABELS]),
    "all features": (lambda: FeatureEffects(ONE, grid=4).plot(), NAMES),
    "all features and outputs": (lambda: FeatureEffects(THREE, method="pdp+ice", grid=4).plot(), [*NAMES, *LABELS]),
    "importance": (lambda: plot_importance(pd_importance(THREE, grid=4)), [*NAMES, *LABELS]),
    "H of pairs": (
        lambda: plot_importance(h_statistic(ONE, [NUMBER, LEVEL], n_max=8, random_state=0, kind="pairwise")),
        [f"{NUMBER} × {LEVEL}"],
    ),
    "models": (lambda: both(NUMBER), [NUMBER, *BOTH]),
    "models at levels": (lambda: both(LEVEL), [LEVEL, *SEVEN, *BOTH]),
    "maps of models": (lambda: both((NUMBER, OTHER)), [NUMBER, OTHER, *BOTH]),
    "read from JSON": (lambda: FeatureEffect.from_json(effect(LEVEL, "pdp+ice").to_json()).plot(), [LEVEL, *SEVEN]),
}


def with_a_gap():
    """The predictor with a level that is missing in some rows."""
    X = table(NAMES, [*SEVEN, None])
    return Predictor(ONE.model, X)


Gap = with_a_gap()


@pytest.mark.parametrize("kind", KINDS)
def test_every_plot_shows_names_levels_and_labels_as_they_are(kind):
    make, wanted = KINDS[kind]
    seen = on(drawn(make()))
    assert not [text for text in wanted if visible(text) not in seen]


@pytest.mark.parametrize("name", TEXTS)
def test_each_text_is_drawn_as_it_is(name):
    text = TEXTS[name]
    own = predictor([text, text + "?", "z", "g"], [text, text + "!", "plain"], [text, "b", text + "c"])
    seen = on(drawn(FeatureEffect(own, text + "?").plot()))
    assert {visible(part) for part in (text + "?", text, text + "!", "plain", "b", text + "c")} <= set(seen)


@pytest.mark.skipif(fonts.LAST_RESORT not in fonts.known_families(), reason="matplotlib has no font of last resort")
def test_an_emoji_is_drawn_without_a_warning_wherever_it_is():
    own = predictor([EMOJI, EMOJI + "?", "z", "g"], [EMOJI, EMOJI + "!", "plain"])
    plots = [
        FeatureEffect(own, EMOJI, by=EMOJI + "?", grid=3).plot(outputs="facets"),
        FeatureEffect(own, "z", "ice", grid=3).plot(color=EMOJI + "?"),
        plot_importance(pd_importance(own, grid=3)),
    ]
    for plot in plots:
        assert any(visible(EMOJI) in text for text in on(drawn(plot)))


ENDLESS = predictor(
    [LONG, LONG + "?", "z", "g"], [LONG, LONG + "!", LONG + "?", "a b " * 2500], [LONG, "b", LONG + "c"]
)
ALONE = predictor([LONG, LONG + "?", "z", "g"], [LONG, LONG + "!", LONG + "?", "a b " * 2500])
LONG_KINDS = {
    "curves by level": lambda: FeatureEffect(ALONE, LONG, "pdp+cice", grid=4).plot(color=LONG + "?"),
    "levels": lambda: FeatureEffect(ENDLESS, LONG + "?").plot(),
    "lines per level": lambda: FeatureEffect(ENDLESS, (LONG, LONG + "?"), grid=4).plot(),
    "tiles": lambda: FeatureEffect(ALONE, (LONG + "?", "g")).plot(),
    "groups": lambda: FeatureEffect(ALONE, LONG, by=LONG + "?", grid=4).plot(outputs="facets"),
    "all features": lambda: FeatureEffects(ENDLESS, grid=4).plot(),
    "importance": lambda: plot_importance(pd_importance(ENDLESS, grid=4, method="pairwise")),
    "models": lambda: compare(
        {LONG: FeatureEffect(ALONE, LONG + "?"), LONG + "1": FeatureEffect(ALONE, LONG + "?").averaged()}
    ),
}


@pytest.mark.parametrize("kind", LONG_KINDS)
def test_endless_texts_are_cut_and_make_no_figure_large_or_slow(kind):
    begin = time.process_time()
    figure = drawn(LONG_KINDS[kind]())
    assert time.process_time() - begin < 10
    width, height = figure.get_size_inches()
    assert width <= 13
    assert height <= 13
    texts = on(figure)
    assert any("…" in text for text in texts)
    assert max(map(len, texts)) < 300


def test_more_than_seven_endless_levels_are_told_apart_in_the_caption_too():
    own = predictor(["a", LONG + "$", "z", "g"], [LONG + str(i) for i in range(9)])
    texts = on(drawn(FeatureEffect(own, ("a", LONG + "$"), grid=3).plot()))
    assert len({text for text in texts if text.startswith("xx")}) == 9
    assert any(text.startswith("Panels:xx") and "$.Grey" in text for text in texts)


def test_texts_stay_different_whatever_they_are():
    assert distinct(["a", "a", "a (2)", "a"]) == ["a", "a (2)", "a (2) (2)", "a (3)"]
    levels = ["a\tb", "a b", "a b (2)", "a\nb"]
    seen = on(drawn(FeatureEffect(predictor(["n", "l", "z", "g"], levels), "l").plot()))
    assert len({text for text in seen if text.startswith("ab")}) == 4


def test_a_caption_is_cut_before_its_dollars_are_escaped():
    assert sentence("$" * 30, width=10) == "\n".join([r"\$" * 10] * 3)


def test_what_cannot_be_seen_is_a_blank_or_nothing():
    assert plain("a\nb\x00c\ud800d") == "a b c d"
    assert plain("\u202ea\u200fb") == "ab"
    assert len(plain(LONG)) <= 1000


def test_wrapping_takes_no_longer_for_a_longer_text():
    begin = time.process_time()
    for text in (LONG, "_-" * 5000, " " * 10_000, "a" + " " * 10_000 + "b", "W" * 1_000_000):
        wrap(text, 8)
    assert time.process_time() - begin < 0.5


def nothing_drawn(monkeypatch):
    monkeypatch.setattr(ggplot, "save", lambda self, file, **_: file.write(b"png"))


def page_of(names, levels, labels, called, title):
    own = predictor(names, levels, labels, called)
    return report(own, list(names[:3]), grid=3, title=title)


HARMLESS = (["a", "b", "c", "d"], ["e", "f", "g"], ["h", "i", "j"], "Model", "title")


@pytest.mark.parametrize("name", TEXTS)
def test_a_report_has_no_element_attribute_or_character_out_of_the_data(name, monkeypatch):
    nothing_drawn(monkeypatch)
    text = TEXTS[name]
    called = text.replace("\x00", "").replace("\ud800", "")  # which no class may be called
    page = page_of([text, text + "?", text + "z", "g"], [text, text + "1", "f"], [text, text + "0", "j"], called, text)
    read = Page(page)
    assert read.elements == Page(page_of(*HARMLESS)).elements
    assert page.encode("utf-8")
    assert not [c for c in page if not (c.isprintable() or c == "\n")]
    if visible(text):
        assert visible(text) in "".join(read.text.split())
    assert not [value for value in read.values if value.startswith(("http", "java", "x"))]


def test_a_report_cuts_endless_texts(monkeypatch):
    nothing_drawn(monkeypatch)
    own = [LONG, LONG + "?", LONG + "z", "g"], [LONG, LONG + "1", "f"], [LONG, LONG + "0", "j"], LONG, LONG
    page = page_of(*own)
    assert Page(page).elements == Page(page_of(*HARMLESS)).elements
    assert len(page) < 20_000
    assert "x" * 301 not in page


def test_a_warning_of_a_report_cuts_and_escapes_the_companions(monkeypatch, rng):
    nothing_drawn(monkeypatch)
    a = rng.normal(size=300)
    X = pd.DataFrame({"<b>": a, LONG: a + 0.01 * rng.normal(size=300)})
    page = report(Predictor(lambda Z: Z["<b>"], X), grid=3)
    warned = re.findall(r"<p class='warning'>.*?</p>", page)
    assert len(warned) == 2
    assert "&lt;b&gt;" in "".join(warned)
    assert max(map(len, warned)) < 800


@pytest.mark.parametrize("name", TEXTS)
def test_a_notebook_shows_an_effect_as_text(name):
    text = TEXTS[name]
    own = predictor([text, text + "?", "z", "g"], [text, text + "!", "plain"], [text, "b", text + "c"])
    page = FeatureEffect(own, text + "?")._repr_html_()
    harmless = FeatureEffect(predictor(*HARMLESS[:3]), "b")._repr_html_()
    assert Page(page).elements == Page(harmless).elements
    assert page.encode("utf-8")
    assert visible(text) in "".join(Page(page).text.split())
    assert "mathjax_ignore" in Page(page).values[0]


def test_a_notebook_cuts_endless_texts():
    page = FeatureEffect(ENDLESS, LONG + "?")._repr_html_()
    assert len(page) < 10_000


@pytest.mark.parametrize("name", TEXTS)
def test_tables_are_escaped_in_notebooks(name):
    text = TEXTS[name]
    own = predictor([text, text + "?", "z", "g"], [text, text + "!", "plain"], [text, "b", text + "c"])
    made, harmless = (
        [pd_importance(one, grid=2), one.support(), FeatureEffect(one, number, grid=2).results.head(3)]
        for one, number in ((own, text), (predictor(*HARMLESS[:3]), "a"))
    )
    for frame, like in zip(made, harmless, strict=True):
        assert Page(frame._repr_html_()).elements == Page(like._repr_html_()).elements


@pytest.mark.parametrize("name", [*TEXTS, "endless"])
def test_summaries_are_one_short_line(name):
    text = {**TEXTS, "endless": LONG}[name]
    called = text.replace("\x00", "").replace("\ud800", "")
    own = predictor([text, text + "?", "z", "g"], [text, text + "!", "plain"], [text], called)
    effects = FeatureEffects(own, grid=2)
    for shown in (own, effects, effects[text], effects[text + "?"].centered(at=text)):
        assert repr(shown).isprintable()
        assert len(repr(shown)) < 1500


def fail(call):
    with pytest.raises((ValueError, TypeError, KeyError)) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize("name", [*TEXTS, "endless"])
def test_errors_are_one_line_of_some_length(name):
    text = {**TEXTS, "endless": LONG}[name]
    own = predictor([text, text + "?", "z", "g"], [text, text + "!", "plain"], [text, "b"])
    effects = FeatureEffects(own, [text, "z"], grid=2)
    told = [
        fail(lambda: FeatureEffect(own, text + "??")),
        fail(lambda: FeatureEffect(own, text, method=text)),
        fail(lambda: FeatureEffect(own, text, grid=text)),
        fail(lambda: FeatureEffect(own, text + "?", center_at="Plain")),
        fail(lambda: FeatureEffect(own, (text, text))),
        fail(lambda: FeatureEffect(own, text, by=text)),
        fail(lambda: FeatureEffect(own, text, grid=2).rows_at(text)),
        fail(lambda: Predictor(own.model, own.table.frame, target=text + "0").outputs),
        fail(lambda: Predictor(own.model, own.table.frame, engine=text)),
        fail(lambda: FeatureEffect(Predictor(own.model, own.table.frame, engine="trees"), text)),
        fail(lambda: FeatureEffect.from_json(text)),
        fail(lambda: effects[text + "0"]),
        fail(lambda: compare({text: effects[text], "b": effects["z"]})),
    ]
    assert not [message for message in told if not message.isprintable()]
    assert max(map(len, told)) < 3000


@pytest.mark.parametrize("name", [*TEXTS, "endless"])
def test_json_brings_every_text_back(name):
    text = {**TEXTS, "endless": LONG}[name]
    own = predictor([text, text + "?", "z", "g"], [text, text + "!", "plain"], [text, "b", text + "c"])
    before = FeatureEffect(own, text + "?", "pdp+ice")
    written = before.to_json()
    assert written.isascii()
    after = FeatureEffect.from_json(written)
    assert (after.features, after.outputs) == (before.features, before.outputs)
    assert after.grid.axes[0].feature.levels == before.grid.axes[0].feature.levels
    assert after.row_labels.tolist() == before.row_labels.tolist()
    assert_array_equal(after.values, before.values)
    if name != "half of a pair":  # pandas joins no categories that UTF-8 can't write
        pd.testing.assert_frame_equal(after.results, before.results, check_dtype=False, check_categorical=False)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems allow no such file")
@pytest.mark.parametrize("name", [b"<b>&amp;$x$.joblib", b"lone\xff.joblib", b"two\nlines.joblib"])
def test_a_file_may_be_called_anything(name, tmp_path, monkeypatch):
    nothing_drawn(monkeypatch)
    X = pd.DataFrame({"a": np.arange(12.0), "b": np.arange(12.0) % 5})
    model = tmp_path / os.fsdecode(name)
    joblib.dump(LinearRegression().fit(X, X["a"]), model)
    X.to_csv(tmp_path / "data.csv", index=False)
    out = tmp_path / "page.html"
    assert main([str(model), str(tmp_path / "data.csv"), "-o", str(out)]) == 0
    page = Page(out.read_text(encoding="utf-8"))
    assert visible(model.name) in "".join(page.text.split())
    assert "b" not in {element[0] for element in page.elements}
