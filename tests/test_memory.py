"""Memory is bounded in bytes: calls keep to a budget, averages hold no value per row and point, curves have a limit."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import numpy as np
import pandas as pd
import pytest

from interpret_pd import FeatureEffect, Predictor
from interpret_pd.methods import computing
from interpret_pd.predictor.pace import BYTES, Pace

PEAK = """
    import resource, sys
    import numpy as np
    from interpret_pd import FeatureEffect, Predictor

    def model(Z):
        return Z.sum(axis=1)

    def peak():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

    X = np.random.default_rng(0).random((200_000, 50))
    FeatureEffect(Predictor(model, X[:100]), "x0").results
    before = peak()
    FeatureEffect(Predictor(model, X), "x0", grid=20)
    print(peak() - before)
"""


def test_a_partial_dependence_of_many_rows_takes_little_memory_above_the_data():
    pytest.importorskip("resource")
    code = textwrap.dedent(PEAK)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    # the stack of all 4,000,000 rows would take 1,500 MiB
    assert int(done.stdout) < 300 * 2**20


LAZY = """
    import resource, sys
    from pathlib import Path
    import numpy as np, pyarrow as pa, pyarrow.parquet as pq
    from interpret_pd import FeatureEffect, Predictor

    def peak():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

    def write(file, parts):
        rng, names = np.random.default_rng(0), [f"x{j}" for j in range(10)]
        with pq.ParquetWriter(file, pa.schema([(name, pa.float64()) for name in names])) as writer:
            for _ in range(parts):
                writer.write_table(pa.table({name: rng.normal(size=100_000) for name in names}))

    def effects(file):
        predictor = Predictor(lambda Z: Z["x0"], file, rows=5000)
        assert predictor.feature("x0").counts is None or predictor.whole.n_rows <= 100_000
        FeatureEffect(predictor, "x0", spacing="quantile", percentiles=(0.05, 0.95))
        FeatureEffect(predictor, "x1", "ale")

    folder = Path(sys.argv[1])
    write(folder / "little.parquet", 1)
    effects(folder / "little.parquet")
    write(folder / "much.parquet", 25)
    before = peak()
    effects(folder / "much.parquet")
    print(peak() - before)
"""


def test_a_sample_of_a_file_with_exact_quantiles_takes_less_memory_than_the_file(tmp_path):
    pytest.importorskip("resource")
    pytest.importorskip("pyarrow")
    code = textwrap.dedent(LAZY)
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 100 * 2**20  # of 191 MiB, and the same for any number of row groups


def largest(pace, total=10**7):
    """The largest of the calls, in rows, when larger ones are cheaper."""
    sizes = []
    while total:
        rows = pace.rows(total)
        pace.record(rows, 1 + 1e-6 * rows, columns=pace.columns)
        sizes.append(rows)
        total -= rows
    return max(sizes)


@pytest.mark.parametrize("width", [8, 80, 400, 8000, 10**6])
def test_a_call_and_the_models_copy_of_it_keep_to_the_budget(width):
    assert largest(Pace("auto", width)) * 2 * width <= BYTES


def test_many_outputs_make_smaller_calls():
    pace = Pace("auto", 80)
    pace.columns = 1000
    assert largest(pace) * 1000 * 8 <= BYTES


def test_the_pace_learns_how_many_columns_the_model_returns():
    predictor = Predictor(lambda Z: np.column_stack([Z[:, 0]] * 7), np.ones((5, 2)))
    FeatureEffect(predictor, 0, grid=[0, 1])
    assert predictor.pace.columns == 7


@pytest.fixture
def one_mebibyte(monkeypatch):
    monkeypatch.setattr(computing, "CURVES", 2**20)


ROWS = pd.DataFrame({"a": np.arange(20_000.0)})


@pytest.mark.parametrize("method", ["ice", "pdp+ice", "cice", "pdp+cice"])
def test_curves_beyond_the_limit_are_refused_with_their_size_before_they_are_computed(method, one_mebibyte):
    asked = []

    def model(Z):
        asked.append(len(Z))
        return Z["a"]

    with pytest.raises(ValueError, match="GiB") as raised:
        FeatureEffect(Predictor(model, ROWS), "a", method=method, grid=10)
    assert str(raised.value) == (
        "ice_rows must be at most 13,107 here, 0 GiB of curves; got 20,000 curves of 10 points, 0.0 GiB. "
        "Use ice_rows=1000 for a sample of the rows."
    )
    assert sum(asked) <= 1  # for the number of outputs


def test_the_limit_counts_the_outputs(one_mebibyte):
    two = Predictor(lambda Z: np.column_stack([Z["a"], Z["a"]]), ROWS)
    FeatureEffect(two, "a", method="ice", grid=10, ice_rows=6553)
    with pytest.raises(ValueError, match=r"at most 6,553 here.*got 6,554 curves"):
        FeatureEffect(two, "a", method="ice", grid=10, ice_rows=6554)


def test_ten_million_rows_are_told_what_their_curves_would_take(monkeypatch):
    predictor = Predictor(lambda Z: Z["a"], ROWS)
    with pytest.raises(ValueError, match=r"at most 2,684,354 here, 2 GiB of curves; got 10,000,000 curves.*7\.5 GiB"):
        computing.check_size(predictor, 10**7, 100)


def test_averages_have_no_limit(one_mebibyte):
    assert FeatureEffect(Predictor(lambda Z: Z["a"], ROWS), "a", grid=10).values.shape == (1, 10)
