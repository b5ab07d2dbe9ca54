"""How sure an average is: standard errors against their formula, and against the bootstrap."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from homes import KINDS, TIGHT, effect, made, points, two_prices
from libraries import needs_numba
from models import MODELS, X
from numpy.testing import assert_allclose, assert_array_equal
from oracles_ale import ale_2d, ale_se

from interpret_pd import FeatureEffect, Predictor, pd_importance
from interpret_pd.evaluate.sinks import Spread, Task
from interpret_pd.methods.ale_error import by_groups, random_groups

QUANTILE = 1.959963984540054


def formula(curves, weights=None):
    """The standard error of the weighted mean of curves, (K, n, m) -> (K, m), a row and a point at a time."""
    K, n, m = curves.shape
    weights = [1.0] * n if weights is None else list(weights)
    total, counted = sum(weights), sum(w > 0 for w in weights)
    se = np.zeros((K, m))
    for k in range(K):
        for j in range(m):
            mean = sum(w * curves[k, i, j] for i, w in enumerate(weights)) / total
            square = sum((w / total) ** 2 * (curves[k, i, j] - mean) ** 2 for i, w in enumerate(weights))
            se[k, j] = np.sqrt(square * counted / (counted - 1))
    return se


def wavy(Z):
    return np.sin(2 * Z["x0"].to_numpy()) * Z["x1"].to_numpy() + Z["x2"].to_numpy() ** 2


def two(Z):
    return np.c_[wavy(Z), Z["x0"] * Z["x2"]]


@pytest.fixture(name="weights")
def some_weights(rng):
    return np.append(rng.uniform(0.2, 3, 11), 0.0)


# the formula


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("method", ["pdp", "pdp+ice"])
def test_the_error_of_a_pd_is_the_formula_on_all_curves(numbers, weights, weighted, method):
    predictor = Predictor(two, numbers, sample_weight=weights if weighted else None)
    effect = FeatureEffect(predictor, "x0", method=method, grid=5)
    curves = FeatureEffect(Predictor(two, numbers), "x0", method="ice", grid=5).values
    assert effect.se.shape == effect.layers["pdp"].shape
    assert_allclose(effect.se, formula(curves, weights if weighted else None))


def test_the_error_is_over_all_rows_even_if_some_curves_are_kept(numbers):
    predictor = Predictor(wavy, numbers)
    some = FeatureEffect(predictor, "x0", method="pdp+ice", ice_rows=3, random_state=0)
    assert_allclose(some.se, FeatureEffect(predictor, "x0").se)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_error_of_two_features_is_the_formula_too(numbers, weights, weighted):
    predictor = Predictor(wavy, numbers, sample_weight=weights if weighted else None)
    effect = FeatureEffect(predictor, ("x0", "x1"), grid=3)
    points = [(a, b) for a in effect.grid.axes[0].points for b in effect.grid.axes[1].points]
    curves = np.array([[wavy(numbers.assign(x0=a, x1=b)) for a, b in points]]).transpose(0, 2, 1)
    assert_allclose(effect.se.reshape(1, -1), formula(curves, weights if weighted else None))


@pytest.mark.parametrize("name", ["town", "state", "garden", "sold", "rooms"])
def test_levels_dates_and_whole_numbers_have_errors(mixed, name):
    def model(Z):
        return Z["size"].to_numpy() * (1 + Z["town"].eq("oslo").to_numpy()) + Z["rooms"].to_numpy()

    effect = FeatureEffect(Predictor(model, mixed), name, method="pdp+ice")
    assert_allclose(effect.se, formula(effect.layers["ice"]))


def test_the_band_is_the_value_and_1_96_errors_on_either_side(numbers):
    results = FeatureEffect(Predictor(two, numbers), "x0", grid=4).results
    assert_allclose(results["lower_"], results["value_"] - QUANTILE * results["se_"])
    assert_allclose(results["upper_"], results["value_"] + QUANTILE * results["se_"])
    assert_allclose(results["se_"], FeatureEffect(Predictor(two, numbers), "x0", grid=4).se.ravel())


def test_curves_have_no_band(numbers):
    both = FeatureEffect(Predictor(wavy, numbers), "x0", method="pdp+ice", grid=4).results
    assert both.loc[both["type_"] == "ice", ["se_", "lower_", "upper_"]].isna().all(axis=None)
    assert both.loc[both["type_"] == "pdp", ["se_", "lower_", "upper_"]].notna().all(axis=None)
    alone = FeatureEffect(Predictor(wavy, numbers), "x0", method="ice", grid=4)
    assert alone.se is None
    assert "se_" not in alone.results


# centred curves


@pytest.mark.parametrize("weighted", [False, True])
def test_the_error_of_a_change_is_that_of_the_mean_of_changes(numbers, weights, weighted):
    predictor = Predictor(wavy, numbers, sample_weight=weights if weighted else None)
    effect = FeatureEffect(predictor, "x0", method="pdp+cice", center_at=0.25, grid=5)
    curves = FeatureEffect(Predictor(wavy, numbers), "x0", method="ice", grid=effect.grid.axes[0].points).values
    place = list(effect.grid.axes[0].points).index(0.25)
    assert_allclose(effect.se, formula(curves - curves[..., [place]], weights if weighted else None), atol=1e-15)
    assert effect.se[0, place] == 0
    assert_allclose(FeatureEffect(predictor, "x0", grid=5).centered(at=0.25).se, effect.se, atol=1e-15)


def test_the_change_of_an_additive_model_is_certain(numbers):
    effect = FeatureEffect(Predictor(lambda Z: 3 * Z["x0"] + Z["x1"] ** 2, numbers), "x0")
    assert effect.se.min() > 0.1
    assert_allclose(effect.centered().se, 0, atol=1e-14)


# nothing but the data changes it


@pytest.mark.parametrize("method", ["pdp", "pdp+ice", "pdp+cice", "ale"])
@pytest.mark.parametrize("options", [{"batch_rows": 1}, {"batch_rows": 7}, {"n_jobs": 2, "batch_rows": 5}])
def test_batches_and_workers_change_nothing(numbers, method, options):
    usual = FeatureEffect(Predictor(two, numbers), "x0", method=method, grid=5)
    assert_allclose(FeatureEffect(Predictor(two, numbers, **options), "x0", method=method, grid=5).se, usual.se)


@pytest.mark.parametrize("method", ["pdp", "pdp+cice", "ale"])
def test_row_order_changes_nothing(numbers, method):
    usual = FeatureEffect(Predictor(two, numbers), "x0", method=method, grid=5)
    shuffled = FeatureEffect(Predictor(two, numbers.sample(frac=1, random_state=0)), "x0", method=method, grid=5)
    assert_allclose(shuffled.se, usual.se)


@pytest.mark.parametrize("features", ["x0", ("x0", "x1")])
@pytest.mark.parametrize("method", ["pdp", "ale"])
def test_equal_weights_change_nothing_and_rows_without_weight_are_no_rows(numbers, weights, method, features):
    usual = FeatureEffect(Predictor(wavy, numbers), features, method=method, grid=4)
    equal = FeatureEffect(Predictor(wavy, numbers, sample_weight=np.full(12, 7.0)), features, method=method, grid=4)
    assert_allclose(equal.se, usual.se)
    weighted = FeatureEffect(Predictor(wavy, numbers, sample_weight=weights), features, method=method, grid=4)
    grid = {axis.feature.name: axis.points for axis in weighted.grid.axes}
    alone = Predictor(wavy, numbers[:11], sample_weight=weights[:11])
    assert_allclose(FeatureEffect(alone, features, method=method, grid=grid).se, weighted.se)


@pytest.mark.parametrize("method", ["pdp", "pdp+ice", "pdp+cice", "ale"])
def test_the_container_changes_nothing(numbers, container, method):
    def model(Z):
        array = (
            np.asarray(Z, float) if hasattr(Z, "__array__") else np.column_stack([Z[name] for name in Z.column_names])
        )
        return np.sin(array[:, 0]) * array[:, 1]

    usual = FeatureEffect(Predictor(model, numbers), "x0", method=method, grid=4)
    assert_allclose(FeatureEffect(Predictor(model, container(numbers)), "x0", method=method, grid=4).se, usual.se)


@needs_numba
@pytest.mark.parametrize(
    "name", ["tree", "forest, three classes", "histogram, missing", "LightGBM", "XGBoost, two classes"]
)
@pytest.mark.parametrize("method", ["pdp", "pdp+ice", "pdp+cice", "ale"])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_trees_have_the_errors_of_brute_force(name, method, weighted):
    model = MODELS[name]
    weights = np.random.default_rng(0).uniform(0.5, 2, len(X)) if weighted else None
    brute, trees = (
        FeatureEffect(
            Predictor(model.fitted(), X, sample_weight=weights, engine=engine, response_method=model.response),
            1,
            method=method,
            grid=7,
        )
        for engine in ("brute", "trees")
    )
    assert (brute.engine, trees.engine) == ("brute", "trees")
    assert_allclose(
        trees.se, brute.se, rtol=1e-4 if "XGBoost" in name else 1e-8, atol=1e-6 if "XGBoost" in name else 1e-12
    )


# extremes


@pytest.mark.parametrize("method", ["pdp", "pdp+ice", "pdp+cice"])
def test_one_row_has_no_error_that_could_be_known(numbers, method):
    effect = FeatureEffect(Predictor(wavy, numbers.head(1)), "x0", method=method, grid=[0.0, 1.0])
    assert np.isnan(effect.se).all()
    assert np.isfinite(effect.values).all()
    assert effect.results["lower_"].isna().all()
    single = np.eye(12)[3]
    assert np.isnan(FeatureEffect(Predictor(wavy, numbers, sample_weight=single), "x0", method=method).se).all()


@pytest.mark.parametrize("value", [0.0, 7.0, 0.1, 1e9 + 0.1, -1e-300])
def test_a_constant_prediction_is_certain_to_the_last_bit(numbers, value):
    for method in ("pdp", "pdp+cice", "ale"):
        effect = FeatureEffect(Predictor(lambda Z: np.full(len(Z), value), numbers, batch_rows=7), "x0", method=method)
        assert_array_equal(effect.se, 0)
        assert_array_equal(effect._average(), value if method == "pdp" else 0)


@pytest.mark.parametrize("level", [1e9, -1e12])
def test_a_high_level_costs_no_digits_but_its_own(numbers, level):
    small = FeatureEffect(Predictor(lambda Z: 1e-3 * wavy(Z), numbers), "x0", grid=5)
    high = FeatureEffect(Predictor(lambda Z: level + 1e-3 * wavy(Z), numbers), "x0", grid=5)
    assert_allclose(high.se, small.se, rtol=1e-3, atol=2 * np.spacing(abs(level)))


def test_a_far_off_row_without_weight_spoils_no_digit():
    values = np.array([1e12, 1.0, 2.0, 3.0])
    spread = Spread(np.array([0.0, 1.0, 1.0, 1.0]))
    spread.add(Task(slice(0, 4), slice(0, 1)), values[:, None, None], 1)
    mean, se = spread.result()
    assert_allclose([mean[0, 0], se[0, 0]], [2.0, 1 / np.sqrt(3)])


def test_a_far_off_row_that_a_mask_leaves_out_spoils_no_digit():
    values = np.array([[1e12, 5.0], [1.0, 6.0], [2.0, 1e12], [3.0, 7.0]])
    spread = Spread(np.ones(4), np.abs(values) < 1e9)
    spread.add(Task(slice(0, 4), slice(0, 2)), values[:, :, None], 2)
    mean, se = spread.result()
    assert_allclose(mean, [[2.0, 6.0]])
    assert_allclose(se, [[1 / np.sqrt(3)] * 2])


def test_a_point_with_no_row_in_the_mask_has_no_average():
    spread = Spread(np.ones(3), np.array([[True, False]] * 3))
    spread.add(Task(slice(0, 3), slice(0, 2)), np.arange(6.0).reshape(3, 2, 1), 2)
    mean, se = spread.result()
    assert mean[0, 0] == 2
    assert np.isnan([mean[0, 1], se[0, 1]]).all()


# the bootstrap

DRAWS = 400
TOLERANCE = 4 / np.sqrt(2 * DRAWS)  # four Monte-Carlo standard errors of a standard deviation


@pytest.fixture(name="data", scope="module")
def some_data():
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    town = np.array(["bern", "oslo", "rome", "york"])[np.digitize(x + 0.5 * rng.normal(size=200), [-1, 0, 1])]
    return pd.DataFrame(
        {"x0": x, "x1": 0.7 * x + 0.7 * rng.normal(size=200), "x2": rng.integers(0, 5, 200), "town": town}
    )


def price(Z):
    rents = Z["town"].map({"bern": 0.0, "oslo": 1.0, "rome": 1.5, "york": 3.0}).to_numpy()
    x0, x1 = Z["x0"].to_numpy(), Z["x1"].to_numpy()
    return np.sin(2 * x0) * x1 + x0 + rents * (1 + x1) + Z["x2"].to_numpy() * x1


def bootstrapped(data, measure, weights=None):
    """The standard deviation of a statistic over resampled rows: multiplicities as weights keep grid and edges."""
    rng, found = np.random.default_rng(1), []
    for _ in range(DRAWS):
        times = np.bincount(rng.integers(0, len(data), len(data)), minlength=len(data))
        found.append(measure(Predictor(price, data, sample_weight=times * (1.0 if weights is None else weights))))
    return np.std(found, axis=0, ddof=1)


@pytest.mark.parametrize("name", ["x0", "x2", "town"])
@pytest.mark.parametrize("method", ["pdp", "pdp+cice", "ale"])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_error_is_the_bootstraps(data, name, method, weighted):
    weights = np.random.default_rng(2).uniform(0.3, 2, len(data)) if weighted else None
    effect = FeatureEffect(Predictor(price, data, sample_weight=weights), name, method=method, grid=8)
    grid = effect.grid.axes[0].values.tolist()
    wanted = bootstrapped(data, lambda p: FeatureEffect(p, name, method=method, grid=grid)._average(), weights)
    assert_allclose(effect.se, wanted, rtol=TOLERANCE, atol=1e-12)


def test_the_error_of_an_interaction_is_about_the_bootstraps(data):
    effect = FeatureEffect(Predictor(price, data), ("x1", "x2"), method="ale", grid=3)
    grid = {axis.feature.name: axis.points for axis in effect.grid.axes}
    wanted = bootstrapped(data, lambda p: FeatureEffect(p, ("x1", "x2"), method="ale", grid=grid).values)
    assert_allclose(effect.se, wanted, rtol=0.35)  # a jackknife over 50 groups is itself uncertain by a tenth


@pytest.mark.parametrize("method", ["pdp", "ice"])
def test_the_error_of_an_importance_is_about_the_bootstraps(data, method):
    names = ["x0", "x1", "town"]

    def measure(predictor):
        return pd_importance(predictor, names, grid=8, method=method).set_index("feature")["importance"][names]

    table = pd_importance(Predictor(price, data), names, grid=8, method=method).set_index("feature")
    assert_allclose(table["se"][names], bootstrapped(data, measure), rtol=0.35)


# local effects


def test_the_error_of_one_step_is_that_of_its_mean_when_nothing_else_varies():
    """Two bins; what the first does varies from row to row, what the second does not."""
    X = pd.DataFrame({"a": np.repeat([0.5, 1.5], 50), "b": np.random.default_rng(0).normal(size=100)})

    def model(Z):
        return np.where(Z["a"] < 0.75, Z["a"] * Z["b"], 0.5 * Z["b"])  # moves from 0 to 0.75 and on

    effect = FeatureEffect(Predictor(model, X), "a", method="ale", grid=[0.0, 1.0, 2.0])
    step = 0.5 * X["b"][:50]  # of the rows in the first bin
    own = step.std(ddof=1) / np.sqrt(50)
    gap = effect.values[0, 1] - effect.values[0, 0]
    assert_allclose(gap, step.mean())
    # three quarters of the rows stand at or beyond the first step's end, and the mean moves with where they stand
    assert effect.se[0, 1] == effect.se[0, 2]
    stands = np.repeat([(effect.values[0, 0] + effect.values[0, 1]) / 2, effect.values[0, 1]], 50)
    centre = np.sum(stands**2) / 100**2 * 100 / 99
    assert_allclose(effect.se[0, 0] ** 2, (0.75 * own) ** 2 + centre + cross(step, 0.75, stands), rtol=0.01)


def cross(step, share, stands):
    """Twice the covariance of the step's mean and the centre: rows in the first bin have a part in both."""
    deviation = (step - step.mean()) / 50 * share * np.sqrt(50 / 49)
    return 2 * np.sum(deviation * stands[:50] / 100 * np.sqrt(100 / 99))


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_error_of_a_local_effect_is_what_each_row_adds_to_it(rng, name, weighted):
    homes = made(rng)
    weights = rng.uniform(0.5, 2, len(homes)) if weighted else None
    got = effect(two_prices, homes, name, sample_weight=weights)
    assert_allclose(got.se, ale_se(two_prices, homes, name, points(got)[0], weights), **TIGHT)


def test_the_error_where_one_row_makes_a_step_is_what_each_row_adds_to_it(data):
    edges = [-4.0, data["x0"].min() + 1e-9, 0.0, 4.0]
    got = FeatureEffect(Predictor(price, data), "x0", method="ale", grid=edges)
    assert_allclose(got.se, ale_se(price, data, "x0", edges), **TIGHT)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_error_of_an_interaction_of_few_rows_is_the_jackknife_without_each_of_them(rng, weighted):
    homes, names = made(rng, 10), ("size", "garden")
    weights = rng.uniform(0.5, 2, 10) if weighted else np.ones(10)
    got = effect(two_prices, homes, names, 2, sample_weight=weights)
    left_out = [ale_2d(two_prices, homes.drop(i), names, points(got), np.delete(weights, i)) for i in range(10)]
    around = sum((one - sum(left_out) / 10) ** 2 for one in left_out)
    assert_allclose(got.se, np.sqrt(9 / 10 * around), **TIGHT)


def test_a_step_that_one_row_makes_borrows_the_error_of_the_others(data):
    edges = [-4.0, data["x0"].min() + 1e-9, 0.0, 4.0]
    effect = FeatureEffect(Predictor(price, data), "x0", method="ale", grid=edges)
    assert effect.counts[1] == 1
    assert np.all(effect.se > 0)
    assert effect.se[0, 0] > 5 * effect.se[0, 2]


def test_a_local_effect_of_one_row_per_step_has_no_error_that_could_be_known(numbers):
    effect = FeatureEffect(Predictor(wavy, numbers), "x0", method="ale", grid=sorted(numbers["x0"])[1:])
    assert np.isfinite(effect.values).all()
    one = FeatureEffect(
        Predictor(wavy, numbers.head(2)), "x0", method="ale", grid=[-9.0, numbers["x0"][:2].mean(), 9.0]
    )
    assert one.counts.tolist() == [0, 1, 1]
    assert np.isnan(one.se).all()


def test_a_feature_that_cannot_move_does_nothing_for_certain(numbers):
    effect = FeatureEffect(Predictor(wavy, numbers.assign(x0=1.0)), "x0", method="ale")
    assert_array_equal(effect.se, 0)


def test_a_local_effect_has_a_band_in_its_results(data):
    for features in ("x0", "town", ("x0", "town")):
        effect = FeatureEffect(Predictor(price, data), features, method="ale", grid=4)
        assert_allclose(effect.results["se_"], effect.se.ravel())
        assert {"lower_", "upper_"} <= set(effect.results)


# the jackknife of what has no formula


@pytest.mark.parametrize(("n", "count"), [(7, 7), (50, 50), (120, 50)])
def test_rows_are_in_random_groups_of_equal_sizes_the_same_every_time(n, count):
    groups = random_groups(n)
    sizes = np.bincount(groups)
    assert len(sizes) == count
    assert sizes.max() - sizes.min() <= 1
    assert_array_equal(groups, random_groups(n))
    if n > 7:
        assert np.any(np.diff(groups) < 0)  # not as the rows come
    assert len(np.bincount(random_groups(n, 3))) == 3


def test_the_jackknife_of_a_mean_is_its_standard_error(rng):
    x = rng.normal(size=(2, 3, 40))  # rows last

    def mean(weights):
        return np.average(x, axis=2, weights=weights)

    assert_allclose(by_groups(mean, np.ones(40)), x.std(axis=2, ddof=1) / np.sqrt(40))


def test_the_jackknife_leaves_each_group_out_once(rng):
    x, weights = rng.normal(size=130), rng.uniform(1, 2, 130)

    def effect(weights):
        return np.array([np.average(x, weights=weights) ** 3])

    groups = random_groups(130)
    without = [effect(np.where(groups == group, 0, weights))[0] for group in range(50)]
    assert_allclose(by_groups(effect, weights), np.std(without) * np.sqrt(49))


def test_the_jackknife_of_one_row_is_unknown():
    assert_array_equal(by_groups(lambda weights: np.ones((2, 3)), np.ones(1)), np.full((2, 3), np.nan))
