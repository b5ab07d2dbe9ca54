"""Laws of support: what the data cover, whatever the model."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from interpret_pd import FeatureEffect, Predictor
from interpret_pd.grid import Grid, Spec, make_axis
from interpret_pd.predictor.support import support


def silent(Z):
    raise AssertionError("the model was asked")


def shares(X, *names, points=20, **options):
    """The support of one feature or two over their grid, by a predictor whose model can't be asked."""
    predictor = Predictor(silent, X, **options)
    axes = [make_axis(predictor.table, predictor.feature(name), points, Spec()) for name in names]
    return support(predictor, Grid(tuple(axes))).shares(predictor.weights)


def normals(n, p, seed=0):
    table = np.random.default_rng(seed).normal(size=(n, p))
    return pd.DataFrame(table, columns=[f"x{j}" for j in range(p)])


@pytest.fixture(name="linked")
def linked_data():
    """A number, a companion of it, an independent number, levels that go with it, a day that does, some holes."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=400)
    return pd.DataFrame(
        {
            "x": x,
            "near": 0.95 * x + 0.31 * rng.normal(size=400),
            "free": rng.normal(size=400),
            "town": np.array(["bern", "oslo", "rome"])[np.digitize(x, [-0.7, 0.7])],
            "sold": pd.to_datetime("2024-01-01") + pd.to_timedelta((30 * x).round(), unit="D"),
        }
    )


# what it should be


@pytest.mark.parametrize("n", [50, 200, 1000])
@pytest.mark.parametrize("p", [2, 5, 20])
def test_an_independent_feature_is_supported_everywhere(n, p):
    found = shares(normals(n, p), "x0")
    assert found.mean() > (0.95 if n > 50 else 0.91)
    assert found.min() > (0.9 if n > 200 else 0.8)


@pytest.mark.parametrize("name", ["x", "town", "sold"])
def test_permuting_the_swept_column_brings_support_to_one(linked, name):
    assert shares(linked, name).min() < 0.75
    permuted = linked.assign(**{name: linked[name].sample(frac=1, random_state=2).to_numpy()})
    assert shares(permuted, name).mean() > 0.95
    assert shares(permuted, name).min() > 0.85


def test_a_copied_column_is_supported_near_its_own_values_only():
    X = normals(1000, 1).assign(copy=lambda frame: frame["x0"])
    found = shares(X, "x0", points=50)
    # at any point the 50 rows nearest to it, and few others, have a copy like that
    assert found.max() < 0.3
    assert found[0] < 0.1
    assert found[-1] < 0.1


def test_the_rows_supported_beside_a_copy_are_those_nearest_to_the_point():
    x = np.arange(200.0)
    predictor = Predictor(silent, pd.DataFrame({"x": x, "copy": x}))
    axis = make_axis(predictor.table, predictor.feature("x"), [100.0], Spec())
    rows = np.flatnonzero(support(predictor, Grid((axis,))).supported[:, 0])
    assert_array_equal(rows, np.arange(rows[0], rows[-1] + 1))
    assert 20 <= len(rows) <= 60
    assert abs(rows.mean() - 100) < 1


def test_support_falls_with_the_correlation_and_with_the_distance_from_the_middle():
    rng = np.random.default_rng(3)
    x, noise = rng.normal(size=(2, 1000))
    means = []
    for rho in (0.0, 0.5, 0.8, 0.95, 0.99):
        found = shares(pd.DataFrame({"x": x, "near": rho * x + np.sqrt(1 - rho**2) * noise}), "x")
        means.append(found.mean())
        if rho > 0.9:
            assert min(found[0], found[-1]) < found[len(found) // 2]
    assert np.all(np.diff(means) < 0.01)
    assert means[0] > 0.97
    assert means[-1] < 0.5


def test_two_features_are_supported_by_rows_that_have_about_both_values():
    X = normals(1000, 2).assign(copy=lambda frame: frame["x0"] + frame["x1"])
    pair = shares(X, "x0", "x1", points=9).reshape(9, 9)
    assert pair[0, 0] < pair[4, 4]
    assert pair[-1, -1] < pair[4, 4]


def test_two_independent_features_are_supported_together():
    found = shares(normals(500, 4), "x0", "x1", points=6)
    assert found.shape == (36,)
    assert found.mean() > 0.95


def test_a_single_column_has_no_other_that_could_contradict_it():
    assert_allclose(shares(normals(60, 1), "x0"), 1)
    assert_allclose(shares(pd.DataFrame({"town": list("abcabcabc")}), "town"), 1)


def test_two_features_that_are_all_there_are_have_nothing_to_contradict_them():
    assert_allclose(shares(normals(60, 2), "x0", "x1", points=4), 1)


# levels, dates, missing values


def test_a_level_is_supported_by_its_own_rows():
    rng = np.random.default_rng(4)
    town = np.repeat(["bern", "oslo"], 200)
    X = pd.DataFrame({"town": town, "lake": np.where(town == "bern", 0.0, 100.0) + rng.normal(size=400)})
    # each town's rows are supported at home, and nowhere else
    assert_allclose(shares(X, "town"), 0.5 / 0.95, atol=0.03)
    assert shares(X.assign(lake=rng.normal(size=400)), "town").min() > 0.9


def test_a_rare_level_that_is_independent_is_supported_about_as_well_as_any():
    X = normals(500, 3).assign(town=np.where(np.arange(500) < 4, "rare", "common"))
    X["town"] = X["town"].sample(frac=1, random_state=0).to_numpy()
    assert shares(X, "town").min() > 0.9


def test_a_level_without_rows_has_no_support(mixed):
    effect = FeatureEffect(Predictor(lambda Z: np.zeros(len(Z)), mixed), "state", grid=["bad", "new"])
    assert effect.support[1] == 0
    assert effect.support[0] > 0


def test_the_support_of_levels_follows_their_order_on_the_axis(linked):
    predictor = Predictor(lambda Z: np.zeros(len(Z)), linked)
    usual = FeatureEffect(predictor, "town")
    turned = FeatureEffect(predictor, "town", method="ale", grid=["oslo", "rome", "bern"])
    assert usual.grid.axes[0].values.tolist() == ["bern", "oslo", "rome"]
    assert_allclose(turned.support, usual.support[[1, 2, 0]])


def test_a_missing_value_is_supported_by_the_rows_in_which_it_is_missing():
    rng = np.random.default_rng(6)
    x = rng.normal(size=400)
    far = np.arange(400) < 100
    X = pd.DataFrame({"x": np.where(far, np.nan, x), "flag": np.where(far, 50.0, 0.0) + rng.normal(size=400)})
    effect = FeatureEffect(Predictor(lambda Z: np.zeros(len(Z)), X), "x", missing=True, grid=5)
    assert_allclose(effect.support[-1], 0.25 / 0.95, atol=0.03)
    assert_allclose(effect.support[:-1], 0.75 / 0.95, atol=0.05)


def test_a_missing_point_without_rows_has_no_support(numbers):
    effect = FeatureEffect(Predictor(lambda Z: np.zeros(len(Z)), numbers), "x0", missing=True)
    assert effect.support[-1] == 0


def test_missing_and_infinite_values_in_other_columns_are_taken(linked):
    X = linked.assign(
        free=linked["free"].where(linked.index % 5 > 0), near=linked["near"].where(linked.index > 3, np.inf)
    )
    X.loc[X.index[7:30], "town"] = None
    X["empty"], X["lists"] = np.nan, [[i] for i in range(len(X))]
    for name in ("x", "town", "sold", "free"):
        found = shares(X, name)
        assert np.all((found >= 0) & (found <= 1))
        assert not np.isnan(found).any()


@pytest.mark.parametrize("container", ["numpy", "pandas", "polars", "pyarrow"], indirect=True)
def test_the_container_changes_nothing(container):
    X = normals(80, 3).assign(x2=lambda frame: frame["x0"] + 0.1 * frame["x2"])
    assert_allclose(shares(container(X), "x0"), shares(X, "x0"))


# what changes nothing


@pytest.mark.parametrize("name", ["x", "free", "town", "sold"])
def test_row_order_changes_nothing(linked, name):
    shuffled = linked.sample(frac=1, random_state=7)
    assert_array_equal(shares(shuffled, name), shares(linked, name))


@pytest.mark.parametrize("name", ["x", "near", "town", "sold"])
@pytest.mark.parametrize("scale", [1e-9, 3.7, 1e12])
def test_scale_and_origin_change_nothing(linked, name, scale):
    scaled = linked.assign(x=linked["x"] * scale, near=linked["near"] * scale + 5 * scale, free=linked["free"] * scale)
    assert_allclose(shares(scaled, name), shares(linked, name), atol=0.003)  # a row at the limit


def test_column_order_and_direction_change_the_random_draws_only(linked):
    turned = linked[linked.columns[::-1]].assign(free=-linked["free"])
    assert_allclose(shares(turned, "x"), shares(linked, "x"), atol=0.05)


def test_equal_weights_are_no_weights_and_rows_without_weight_are_no_rows(linked):
    assert_allclose(shares(linked, "x", sample_weight=np.full(400, 3.0)), shares(linked, "x"))
    few = np.arange(400) % 4 > 0
    grid = np.linspace(-1, 1, 5)
    weighted, alone = (
        FeatureEffect(Predictor(lambda Z: np.zeros(len(Z)), X, sample_weight=weights), "x", grid=grid).support
        for X, weights in ((linked, few.astype(float)), (linked[few], None))
    )
    assert_allclose(weighted, alone, atol=0.02)  # the scale of x, of which the range is taken, may differ


def test_weights_count_in_the_share():
    town = np.repeat(["bern", "oslo"], 200)
    X = pd.DataFrame({"town": town, "lake": np.where(town == "bern", 0.0, 100.0) + np.arange(400) % 7})
    found = shares(X, "town", sample_weight=np.where(town == "bern", 9.0, 1.0))
    assert_allclose(found, np.minimum(np.array([0.9, 0.1]) / 0.95, 1), atol=0.03)


def test_the_model_is_never_asked(linked):
    predictor = Predictor(silent, linked)
    assert predictor.support()["feature"].tolist()
    assert predictor.calls == [0]


# large data


def test_of_many_rows_a_seeded_sample_is_looked_at():
    X = normals(2500, 2)
    predictor = Predictor(silent, X)
    axis = make_axis(predictor.table, predictor.feature("x0"), 5, Spec())
    found, again = support(predictor, Grid((axis,))), support(Predictor(silent, X), Grid((axis,)))
    assert len(found.rows) == len(set(found.rows.tolist())) == 2000
    assert_array_equal(found.rows, np.sort(found.rows))
    assert_array_equal(found.rows, again.rows)
    assert_array_equal(found.supported, again.supported)


def test_curves_of_rows_that_were_not_looked_at_are_of_unknown_support():
    X = normals(2100, 2)
    effect = FeatureEffect(Predictor(lambda Z: Z["x0"].to_numpy(), X), "x0", method="pdp+ice", grid=3)
    unknown = np.isnan(effect.supported).all(axis=1)
    assert unknown.sum() == 100
    assert not np.isnan(effect.supported[~unknown]).any()
    assert effect.results["supported_"].isna().sum() == 100 * 3 + 3  # the average has a share, not a row


def test_a_sample_is_drawn_from_the_rows_with_weight():
    X = normals(5000, 2)
    weights = (np.arange(5000) >= 4950).astype(float)
    found = shares(X, "x0", sample_weight=weights, points=4)
    assert not np.isnan(found).any()
    assert found.max() > 0.9


# the cache, and what effects show


def test_support_is_computed_once_per_axis(linked, monkeypatch):
    import interpret_pd.predictor.support as module

    count = []
    real = module._support
    monkeypatch.setattr(module, "_support", lambda *some: count.append(1) or real(*some))
    predictor = Predictor(lambda Z: np.zeros(len(Z)), linked)
    for method in ("pdp", "ice", "pdp+cice"):
        _ = FeatureEffect(predictor, "x", method=method).results
    assert len(count) == 1
    _ = FeatureEffect(predictor, "x", grid=5).results
    assert len(count) == 2


def test_support_is_a_column_of_the_results_in_the_order_of_the_grid(linked):
    predictor = Predictor(lambda Z: np.c_[Z["x"], Z["near"]], linked)
    pair = FeatureEffect(predictor, ("x", "town"), grid=4)
    assert pair.support.shape == (4, 3)
    assert pair.results["support_"].tolist() == np.tile(pair.support.ravel(), 2).tolist()
    curves = FeatureEffect(predictor, "x", method="ice", grid=4, ice_rows=6, random_state=0)
    assert curves.supported.shape == (6, 4)
    assert curves.results["supported_"].tolist() == np.tile(curves.supported.ravel(), 2).tolist()


def test_the_share_of_supported_curves_is_the_support(linked):
    curves = FeatureEffect(Predictor(lambda Z: np.zeros(len(Z)), linked), "x", method="ice")
    assert_allclose(np.minimum(curves.supported.mean(axis=0) / 0.95, 1), curves.support)


def test_the_table_is_worst_first_and_names_companions(linked):
    table = Predictor(silent, linked).support()
    assert table.columns.tolist() == ["feature", "mean_support", "min_support", "associated_with"]
    assert table["mean_support"].is_monotonic_increasing
    assert table["feature"].iloc[-1] == "free"
    assert np.all(table["min_support"] <= table["mean_support"] + 1e-12)
    companions = table.set_index("feature")["associated_with"]
    assert companions["x"].split(" ")[0] in ("near", "sold", "town")
    assert "free" not in companions["x"].split(",")[0]


def test_the_table_takes_some_features_and_skips_by_itself_those_without_values(linked):
    X = linked.assign(empty=np.nan, lists=[[i] for i in range(len(linked))], far=np.inf)
    predictor = Predictor(silent, X)
    assert set(predictor.support()["feature"]) == set(linked.columns)
    assert predictor.support(["x", "free"])["feature"].tolist() == ["x", "free"]
    with pytest.raises(ValueError, match="feature 'empty' has no non-missing value"):
        predictor.support(["empty"])


def test_the_mean_in_the_table_is_over_the_data_with_their_weights():
    town = np.repeat(["bern", "oslo"], 200)
    X = pd.DataFrame({"town": town, "lake": np.where(town == "bern", 0.0, 100.0) + np.arange(400) % 7})
    weights = np.where(town == "bern", 9.0, 1.0)
    predictor = Predictor(silent, X, sample_weight=weights)
    row = predictor.support(["town"]).iloc[0]
    assert_allclose(row["mean_support"], np.average(shares(X, "town", sample_weight=weights), weights=[0.9, 0.1]))


def test_a_constant_and_a_copied_feature_have_companions_or_none(linked):
    X = linked[["x", "free"]].assign(constant=1.0, copy=linked["x"])
    companions = Predictor(silent, X).support().set_index("feature")["associated_with"]
    assert companions["constant"] == ""
    assert companions["x"].startswith("copy (1.00)")
