"""Data that don't fit: a uniform sample with the whole's axes, and averages over all partitions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from libraries import pl
from numpy.testing import assert_allclose, assert_array_equal

from interpret_pd import FeatureEffect, FeatureEffects, Predictor
from interpret_pd.frames import as_table, large
from interpret_pd.frames.ranks import Ranks, ranks
from interpret_pd.grid import Spec, make_axis
from interpret_pd.methods.edges import ale_axis

dd = pytest.importorskip("dask.dataframe")

N = 30_000


def model(Z):
    g = np.asarray(Z["g"]).astype(str) == "b"
    return np.nan_to_num(np.asarray(Z["a"], float)) ** 2 * np.where(g, 2.0, 1.0) + np.asarray(Z["i"])


def two(Z):
    return np.column_stack([model(Z), 1e6 + np.asarray(Z["i"])])


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(3)
    X = pd.DataFrame(
        {
            "a": rng.normal(size=N),
            "i": rng.integers(0, 60, N),
            "g": rng.choice(["a", "b", "c"], N),
            "d": pd.to_datetime("2020-01-01") + pd.to_timedelta(rng.integers(0, 3000, N), unit="D"),
        }
    )
    X.loc[17, "g"] = "rare"
    X.loc[18, "a"] = 99.0
    X.loc[19, "a"] = np.nan
    return X


@pytest.fixture(scope="module")
def sources(frame, tmp_path_factory):
    """The same data in every form that is drawn from."""
    folder = tmp_path_factory.mktemp("data")
    frame.to_parquet(folder / "one.parquet", row_group_size=5000)
    (folder / "many").mkdir()
    for i in range(3):
        frame.iloc[i * N // 3 : (i + 1) * N // 3].to_parquet(folder / "many" / f"{i}.parquet")
    return {
        "pandas": frame,
        "polars": pl.from_pandas(frame),
        "lazy": pl.from_pandas(frame).lazy(),
        "scanned": pl.scan_parquet(folder / "one.parquet"),
        "dask": dd.from_pandas(frame, npartitions=4),
        "file": folder / "one.parquet",
        "text": str(folder / "one.parquet"),
        "folder": folder / "many",
    }


KINDS = ["pandas", "polars", "lazy", "scanned", "dask", "file", "text", "folder"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_sample_has_the_axes_of_the_whole(kind, sources, frame):
    predictor = Predictor(model, sources[kind], rows=500)
    assert predictor.n_rows == 500
    assert predictor.whole.n_rows == N
    assert_array_equal(predictor.feature("a").distinct, np.unique(frame["a"].dropna()))
    assert predictor.feature("g").levels == ("a", "b", "c", "rare")
    whole = Predictor(model, frame)
    for spec in (Spec(spacing="quantile"), Spec(percentiles=(0.01, 0.9)), Spec("unique")):
        for name in ("a", "i", "d", "g"):
            one, other = (make_axis(p.table, p.feature(name), spec.grid, spec) for p in (predictor, whole))
            assert_allclose(one.points, other.points)


@pytest.mark.parametrize("kind", KINDS)
def test_the_rows_drawn_are_rows_of_the_data_in_their_order_without_repetition(kind, sources, frame):
    table = Predictor(model, sources[kind], rows=2000).table
    place = pd.Series(np.arange(N), index=frame["a"])[table.read("a").to_numpy()]
    assert np.all(np.diff(place.to_numpy()) > 0)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_draws_the_same_rows(kind, sources):
    one, again, other = (
        Predictor(model, sources[kind], rows=300, random_state=seed).table.read("a") for seed in (0, 0, 1)
    )
    assert_array_equal(one, again)
    assert not np.array_equal(one, other)


def test_how_the_data_are_cut_changes_nothing(sources):
    drawn = [Predictor(model, sources[kind], rows=300).table.read("a") for kind in KINDS if kind != "dask"]
    for one in drawn[1:]:
        assert_array_equal(one, drawn[0])


@pytest.mark.parametrize("pieces", [1, 7])
def test_every_row_is_as_likely_as_every_other(pieces):
    X = pd.DataFrame({"a": np.arange(40.0)})
    data = dd.from_pandas(X, npartitions=pieces) if pieces > 1 else X
    often = np.zeros(40)
    for seed in range(500):
        sample, _, _ = large.drawn(data, 10, seed, as_table)
        often[sample["a"].astype(int)] += 1
    expected = 500 * 10 / 40
    assert np.sum((often - expected) ** 2 / expected) * 39 / 40 / 0.75 < 80  # chi-squared of 39 degrees: 0.9999


@pytest.mark.parametrize("kind", ["lazy", "dask", "file"])
def test_the_band_says_how_far_the_sample_is_from_the_whole(kind, sources, frame):
    whole = FeatureEffect(Predictor(model, frame), "g", grid=["a", "b"])
    inside = []
    for seed in range(40):
        sample = FeatureEffect(Predictor(model, sources[kind], rows=400, random_state=seed), "g", grid=["a", "b"])
        inside.append(np.abs(sample.values - whole.values) < 3 * sample.se)
    assert np.mean(inside) > 0.75  # one row of 99 squared makes the distribution very skew


def test_the_error_is_against_the_population_and_by_the_finite_correction_against_the_whole(rng):
    N, n, away = 200, 100, []
    for _ in range(400):
        whole = pd.DataFrame({"a": [0.0, 1.0] * (N // 2), "b": rng.normal(size=N)})  # of a population with mean 0
        drawn = FeatureEffect(Predictor(lambda Z: Z["b"], whole, rows=n, random_state=rng), "a")
        se = drawn.se[0, 0]
        away.append(np.abs([drawn.values[0, 0], drawn.values[0, 0] - whole["b"].mean()]) / se)
    population, corrected = np.array(away)[:, 0], np.array(away)[:, 1] / np.sqrt(1 - n / N)
    assert abs(np.mean(population < 1.96) - 0.95) < 0.035  # three standard errors of 400 draws
    assert abs(np.mean(corrected < 1.96) - 0.95) < 0.035
    assert np.mean(corrected * np.sqrt(1 - n / N) < 1.96) > 0.98  # too safe: the band is not for the whole


def test_rows_beyond_the_data_are_all_of_them(frame):
    predictor = Predictor(model, frame.head(50), rows=100)
    assert_allclose(FeatureEffect(predictor, "i").values, FeatureEffect(Predictor(model, frame.head(50)), "i").values)


def test_many_different_values_are_known_by_their_ends(frame, monkeypatch):
    monkeypatch.setattr(large, "DISTINCT", 1000)
    feature = Predictor(model, dd.from_pandas(frame, npartitions=3), rows=400).feature("a")
    assert feature.counts is None
    assert feature.distinct[[0, -1]].tolist() == [frame["a"].min(), 99.0]


SPECS = [
    {"spacing": "quantile"},
    {"percentiles": (0.05, 0.95)},
    {"spacing": "quantile", "percentiles": (0.013, 0.777), "grid": 7},
    {"percentiles": (0.5, 0.501)},
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", [50, 400])
def test_axes_of_many_different_values_are_those_in_memory_too(kind, rows, sources, frame, monkeypatch):
    monkeypatch.setattr(large, "DISTINCT", 20)
    there, here = Predictor(model, sources[kind], rows=rows), Predictor(model, frame)
    for name in ("a", "i", "d"):
        assert there.feature(name).counts is None
        for spec in SPECS:
            one, other = (make_axis(p.table, p.feature(name), 7, Spec(**spec)) for p in (there, here))
            assert_array_equal(one.points, other.points)
            ours, theirs = (ale_axis(p, p.feature(name), 7, Spec(**spec)) for p in (there, here))
            assert_array_equal(ours.points, theirs.points)


@pytest.mark.parametrize("kind", ["lazy", "dask", "file"])
def test_effects_along_quantiles_of_many_different_values(kind, sources, frame, monkeypatch):
    monkeypatch.setattr(large, "DISTINCT", 1000)
    options = {"spacing": "quantile", "percentiles": (0.05, 0.95)}
    there, here = Predictor(model, sources[kind], rows=2000), Predictor(model, frame)
    for method in ("pdp", "ale"):
        one, other = (FeatureEffect(predictor, "a", method, **options) for predictor in (there, here))
        assert_array_equal(one.grid.axes[0].points, other.grid.axes[0].points)
    slopes = [FeatureEffect(predictor, "a", **options).derivative() for predictor in (there, here)]
    assert_array_equal(slopes[0].grid.axes[0].points, slopes[1].grid.axes[0].points)
    assert slopes[0].values.shape == slopes[1].values.shape
    assert len(there.feature("a").values) == 2000  # rug and support are of the sample


def test_quantiles_are_exact_for_more_values_than_are_counted(rng):
    x = np.concatenate([rng.normal(size=130_000), np.zeros(20_000), [np.nan, np.inf]])
    frame = pl.DataFrame({"x": rng.permutation(x)})
    feature = Predictor(lambda Z: Z["x"], frame.lazy(), rows=1000).feature("x")
    shares = np.concatenate([np.linspace(0, 1, 1001), rng.random(1000)])
    assert feature.counts is None
    assert_array_equal(feature.quantiles(shares), np.quantile(x[np.isfinite(x)], shares, method="inverted_cdf"))


@pytest.mark.parametrize("n", [1, 2, 7, 10, 999, 10**6])
def test_ranks_are_numpys(n, rng):
    shares = np.concatenate([np.linspace(0, 1, 41), np.arange(11) / 10, rng.random(200)])
    assert_array_equal(ranks(n, shares), np.quantile(np.arange(n), shares, method="inverted_cdf"))


def test_a_column_is_not_asked_again_unless_its_quantiles_are_needed(sources, monkeypatch):
    monkeypatch.setattr(large, "DISTINCT", 1000)
    predictor = Predictor(model, sources["file"], rows=400)
    asked = []
    monkeypatch.setattr(Ranks, "quantiles", lambda self, shares: asked.append(self.name))
    FeatureEffects(predictor, grid=3)
    assert not asked


@pytest.mark.parametrize("features", ["a", "i", "g", "d", ("a", "g")])
@pytest.mark.parametrize("f", [model, two])
def test_the_average_over_all_partitions_is_that_in_memory(features, f, sources, frame):
    options = {"grid": 7} if isinstance(features, str) else {}
    there = FeatureEffect(Predictor(f, sources["dask"], rows="all"), features, **options)
    here = FeatureEffect(Predictor(f, frame), features, **options)
    assert_allclose(there.values, here.values, rtol=1e-12)
    assert_allclose(there.se, here.se, rtol=1e-7, atol=1e-9)
    assert there.provenance["rows"] == N


def test_centred_curves_and_all_features_go_over_partitions_too(sources, frame):
    there = FeatureEffect(Predictor(model, sources["dask"], rows="all"), "i", method="pdp+cice", center_at=5, grid=6)
    here = FeatureEffect(Predictor(model, frame), "i", method="pdp+cice", center_at=5, grid=6, ice_rows=10)
    assert_allclose(there.layers["pdp"], here.layers["pdp"], atol=1e-10)
    assert there.layers["ice"].shape[1] == 10_000
    effects = FeatureEffects(Predictor(model, sources["dask"], rows="all"), grid=4)
    assert_allclose(effects["g"].values, FeatureEffect(Predictor(model, frame), "g").values)


def test_empty_partitions_count_for_nothing(frame):
    data = dd.from_pandas(frame, npartitions=4)
    some = data[data["i"] > 100].partitions[[0]]
    whole = dd.concat([some, data])
    assert_allclose(
        FeatureEffect(Predictor(model, whole, rows="all"), "i", grid=3).values,
        FeatureEffect(Predictor(model, frame), "i", grid=3).values,
    )


def test_what_needs_all_rows_in_memory_says_so(sources):
    predictor = Predictor(model, sources["dask"], rows="all")
    for options in ({"within_support": True}, {"by": "g"}, {"tolerance": 0.1}):
        with pytest.raises(
            ValueError, match=r"rows must be a number for within_support, by and tolerance; got 'all'\."
        ):
            FeatureEffect(predictor, "a", **options)
    with pytest.raises(ValueError, match="engine must be 'auto' or 'brute' for rows='all'; got 'trees'"):
        Predictor(model, sources["dask"], rows="all", engine="trees")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rows": 0}, "rows must be a whole number of at least 1; got 0."),
        ({"rows": "some"}, "rows must be None or a whole number ('all' for a dask DataFrame); got 'some'."),
        ({"rows": "all"}, "rows must be None or a whole number ('all' for a dask DataFrame); got 'all'."),
        (
            {"rows": 5, "sample_weight": np.ones(N)},
            f"sample_weight must be None where rows are drawn; got an array of shape ({N},).",
        ),
    ],
)
def test_wrong_requests_are_told(options, message, sources):
    with pytest.raises(ValueError) as raised:
        Predictor(model, sources["lazy"], **options)
    assert str(raised.value) == message


@pytest.mark.parametrize("kind", ["lazy", "dask"])
def test_without_rows_the_error_names_them(kind, sources):
    with pytest.raises(TypeError, match=r"Use Predictor\(\.\.\., rows=10_000\)"):
        Predictor(model, sources[kind])


def test_polars_without_batches_is_told_which_version_has_them(sources, monkeypatch):
    monkeypatch.delattr(pl.LazyFrame, "collect_batches")
    with pytest.raises(ValueError, match=r"polars must be version 1\.34 or later for a sample of a LazyFrame; got"):
        Predictor(model, sources["lazy"], rows=5)


def test_a_path_that_is_not_there_is_the_readers_error():
    with pytest.raises(FileNotFoundError):
        Predictor(model, Path("nowhere.parquet"), rows=5)
