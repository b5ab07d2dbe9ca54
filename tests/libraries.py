"""Libraries that the package can do without. A test that touches one which isn't installed is skipped, and says so."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest


class Library:
    """Stands for a library, and imports it when a name of it is asked for."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("_"):  # pytest looks for marks of its own on whatever a module has
            raise AttributeError(attribute)
        return getattr(pytest.importorskip(self.name), attribute)


pl, pa, lgb, xgb = (Library(name) for name in ("polars", "pyarrow", "lightgbm", "xgboost"))
needs_numba = pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")
