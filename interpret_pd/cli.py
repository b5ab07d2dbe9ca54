"""The command line: `interpret-pd MODEL DATA -o effects.html`, for people who got a model from somebody else."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from interpret_pd.methods import METHODS
from interpret_pd.predictor import Predictor
from interpret_pd.report import report

TRUST = (
    "A joblib or pickle file runs code when it is loaded: open only files that you trust. "
    "A .skops file is loaded without running code where skops is installed."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the report; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        data = _data(options.data)
        predictor = Predictor(
            _model(options.model),
            data.drop(columns=[name for name in [options.drop] if name]),
            response_method=options.response,
            target=options.target,
            categorical=options.categorical,
        )
        page = report(predictor, options.features, method=options.method, title=options.model.name)
    except (ValueError, TypeError, KeyError, OSError, ImportError) as error:
        print(f"interpret-pd: {error}", file=sys.stderr)
        return 2
    options.output.write_text(page, encoding="utf-8")
    print(f"Wrote {options.output}")
    return 0


def _parser() -> argparse.ArgumentParser:
    """What can be asked for."""
    parser = argparse.ArgumentParser(prog="interpret-pd", description=__doc__, epilog=TRUST)
    parser.add_argument("model", type=Path, metavar="MODEL", help="a fitted model: .joblib, .pkl or .skops")
    parser.add_argument("data", type=Path, metavar="DATA", help="the background data: .csv or .parquet")
    parser.add_argument("--features", nargs="+", metavar="NAME", help="default: all columns")
    parser.add_argument("--method", choices=list(METHODS), default="pdp")
    parser.add_argument("--drop", metavar="NAME", help="a column that is no feature, such as the target")
    parser.add_argument("--categorical", nargs="+", metavar="NAME", help="columns of numbers that are levels")
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
        raise ValueError(f"MODEL must be a .joblib, .pkl or .skops file; got {path.name!r}.")
    import joblib

    return joblib.load(path)


def _data(path: Path) -> pd.DataFrame:
    """The rows in a file."""
    if path.suffix == ".parquet":
        return pd.read_parquet(path)
    if path.suffix != ".csv":
        raise ValueError(f"DATA must be a .csv or .parquet file; got {path.name!r}.")
    return pd.read_csv(path)


if __name__ == "__main__":
    sys.exit(main())
