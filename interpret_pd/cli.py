"""The command line: `interpret-pd MODEL DATA -o effects.html`, for people who got a model from somebody else."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from interpret_pd import checks
from interpret_pd.frames import as_table
from interpret_pd.methods import METHODS
from interpret_pd.predictor import Predictor
from interpret_pd.report import report

TRUST = (
    "A joblib or pickle file runs code when it is loaded: open only files that you trust. "
    "A .skops file is loaded without running code where skops is installed."
)

UNNAMED = "Unnamed: 0"  # pandas' word for it


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the report; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        if options.output.is_dir() or not options.output.absolute().parent.is_dir():
            raise checks.must_be("--output", "a file in a directory that is there", str(options.output))
        model, data = _model(options.model), _data(options.data)
        data = _features(data, options.drop, getattr(model, "feature_names_in_", ()))
        predictor = Predictor(
            model,
            data,
            response_method=options.response,
            target=_target(model, options.target),
            categorical=options.categorical,
        )
        page = report(predictor, options.features, method=options.method, title=options.model.name)
    except ExceptionGroup as errors:  # of several features
        return _told(f"{errors.message} The first says: {errors.exceptions[0]}")
    except (ValueError, TypeError, KeyError, OSError, ImportError) as error:
        return _told(str(error))
    options.output.write_text(page, encoding="utf-8")
    print(f"Wrote {options.output}")
    return 0


def _told(message: str) -> int:
    """Says what went wrong, in one line whatever the model said; returns the exit status."""
    print(f"interpret-pd: {' '.join(message.split())}", file=sys.stderr)
    return 2


def _parser() -> argparse.ArgumentParser:
    """What can be asked for."""
    parser = argparse.ArgumentParser(prog="interpret-pd", description=__doc__, epilog=TRUST)
    parser.add_argument("model", type=Path, metavar="MODEL", help="a fitted model: .joblib, .pkl or .skops")
    parser.add_argument("data", type=Path, metavar="DATA", help="the background data: .csv or .parquet")
    several: dict[str, Any] = {"nargs": "+", "action": "extend", "metavar": "NAME"}
    parser.add_argument("--features", **several, help="default: all columns")
    parser.add_argument("--method", choices=list(METHODS), default="pdp")
    parser.add_argument("--drop", **several, help="columns that are no features, such as the target")
    parser.add_argument("--categorical", **several, help="columns of numbers that are levels")
    parser.add_argument("--target", metavar="LABEL", help="the class or output to explain")
    parser.add_argument("--response", default="auto", help="predict, predict_proba or decision_function")
    parser.add_argument("-o", "--output", type=Path, default=Path("effects.html"), help="default: effects.html")
    return parser


def _model(path: Path) -> Any:
    """The fitted model in a file."""
    if path.suffix == ".skops":
        from skops import io

        return io.load(path)
    if path.suffix not in {".joblib", ".pkl", ".pickle"}:
        raise checks.refused(f"MODEL must be a .joblib, .pkl or .skops file; got {path.name!r}.")
    import joblib

    try:
        return joblib.load(path)
    except OSError:
        raise
    except Exception as error:  # loading runs whatever code the file holds
        hint = f"It says: {type(error).__name__}: {error}"
        raise checks.must_be("MODEL", "a file that joblib can load", path.name, hint) from error


def _target(model: Any, text: str | None) -> Any:
    """The class that is written so, or the output's position."""
    if text is None:
        return None
    classes = np.ravel(getattr(model, "classes_", [])).tolist()
    return next((label for label in classes if str(label) == text), int(text) if text.isdecimal() else text)


def _data(path: Path) -> pd.DataFrame:
    """The rows in a file."""
    if path.suffix.lower() == ".parquet":
        return pd.read_parquet(path)
    if path.suffix.lower() != ".csv":
        raise checks.refused(f"DATA must be a .csv or .parquet file; got {path.name!r}.")
    data = pd.read_csv(path)
    if len(data.columns) == 1 and ";" in data.columns[0]:
        raise checks.must_be("DATA", "separated by commas", path.name, f"Its one column is {data.columns[0]!r}.")
    return data


def _features(data: pd.DataFrame, drop: Sequence[str] | None, known: Sequence[str]) -> pd.DataFrame:
    """The columns that are features; a first one without a name is what R and pandas write for the rows' names."""
    if [*data.columns[:1]] == [UNNAMED] and UNNAMED not in [*known, *(drop or ())]:
        data = data.set_index(UNNAMED).rename_axis(None)
    resolve = as_table(data).resolve
    return data.drop(columns=[resolve(name, "--drop") for name in drop or ()])


if __name__ == "__main__":
    sys.exit(main())
