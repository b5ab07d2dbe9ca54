"""The command line's errors: one line on the error stream and the exit status 2, never a traceback."""

from __future__ import annotations

import joblib
import pytest
from error_table import BINARY, NUMBERS, REGRESSION

from interpret_pd.cli import _parser, main

DROPPED = ["--drop", "cnt"]
AMONG = "{} must be columns of the data; got '{}'. Did you mean 'age'? They are 'age', 'fare'."
DROP = "--drop must be a column of the data; got 'cntt'. Did you mean 'cnt'? They are 'age', 'fare', 'cnt'."
RESPONSE = "response_method must be one of 'auto', 'predict_proba', 'decision_function', 'predict'; got 'proba'."
OUTPUT = "--output must be a file in a directory that is there; got '{}'."
WRONG = [  # the option that is wrong, what is given for it, the line
    ("features", [*DROPPED, "--features", "agee"], AMONG.format("features", "agee")),
    ("method", [*DROPPED, "--method", "pd"], "error: argument --method: invalid choice: 'pd' (choose from "),
    ("drop", ["--drop", "cntt"], DROP),
    ("categorical", [*DROPPED, "--categorical", "ag"], AMONG.format("categorical", "ag")),
    ("target", [*DROPPED, "--target", "maybe"], "target must be among 0; got 'maybe'."),
    ("response", [*DROPPED, "--response", "proba"], RESPONSE),
    ("output", [*DROPPED, "-o", "no/page.html"], OUTPUT.format("no/page.html")),
    ("output", [*DROPPED, "-o", "."], OUTPUT.format(".")),
    ("unknown", [*DROPPED, "--grid", "20"], "error: unrecognized arguments: --grid 20"),
]
FILES = [
    ("model", ["none.joblib", "days.csv"], "No such file or directory: 'none.joblib'"),
    ("model", ["notes.txt", "days.csv"], "MODEL must be a .joblib, .pkl or .skops file; got 'notes.txt'."),
    ("model", ["notes.joblib", "days.csv"], "MODEL must be a file that joblib can load; got 'notes.joblib'. It says: "),
    ("data", ["model.joblib", "none.csv"], "No such file or directory: 'none.csv'"),
    ("data", ["model.joblib", "notes.txt"], "DATA must be a .csv or .parquet file; got 'notes.txt'."),
    ("data", ["model.joblib", "empty.csv"], "No columns to parse from file"),
]


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A directory with a model, data, and files that are neither."""
    joblib.dump(REGRESSION, tmp_path / "model.joblib")
    joblib.dump(BINARY, tmp_path / "classes.joblib")
    NUMBERS.assign(cnt=1).to_csv(tmp_path / "days.csv", index=False)
    for name in ("notes.txt", "notes.joblib"):
        (tmp_path / name).write_text("not what it says")
    (tmp_path / "empty.csv").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(arguments, capsys):
    """The exit status, and what is on the error stream."""
    try:
        status = main(arguments)
    except SystemExit as end:  # of argparse
        status = end.code
    return status, capsys.readouterr().err


@pytest.mark.parametrize(("option", "given", "line"), WRONG, ids=[" ".join(given) for _, given, _ in WRONG])
def test_a_wrong_option_is_one_line(files, capsys, option, given, line):
    status, said = run(["model.joblib", "days.csv", *given], capsys)
    assert status == 2
    assert said.startswith("interpret-pd: " + line) or "interpret-pd: " + line in said.splitlines()[-1]
    assert "Traceback" not in said
    assert not (files / "effects.html").exists()


@pytest.mark.parametrize(("option", "given", "line"), FILES, ids=[" ".join(given) for _, given, _ in FILES])
def test_a_wrong_file_is_one_line(files, capsys, option, given, line):
    status, said = run([*given, *DROPPED], capsys)
    assert status == 2
    assert said.startswith("interpret-pd: ")
    assert line in said
    assert len(said.splitlines()) == 1


def test_a_class_is_found_by_its_text(files, capsys):
    status, said = run(["classes.joblib", "days.csv", *DROPPED, "--target", "ye"], capsys)
    assert (status, said) == (2, "interpret-pd: target must be among 'no', 'yes'; got 'ye'. Did you mean 'yes'?\n")


def test_every_option_of_the_command_is_in_the_tables():
    asked = {action.dest for action in _parser()._actions} - {"help", "title"}
    assert asked <= {option for option, _, _ in [*WRONG, *FILES]}
