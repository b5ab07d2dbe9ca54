"""Curves that carry their caveats: spread, groups, supported rows, missing values, provenance, records, refits."""

from __future__ import annotations

import json
import pickle
import threading

import numpy as np
import pandas as pd
import pytest
from libraries import needs_numba, pa, pl
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression

from interpret_pd import FeatureEffect, Predictor

LEVELS = [0.05, 0.25, 0.75, 0.95]


def wavy(Z):
    return np.sin(2 * Z["x0"].to_numpy()) * Z["x1"].to_numpy() + Z["x2"].to_numpy() ** 2


def two(Z):
    return np.c_[wavy(Z), Z["x0"] * Z["x2"]]


def price(Z):
    """Of the `mixed` data, with an opinion on every column and on missing values."""
    size = Z["size"].fillna(-3).to_numpy(float)
    rents = Z["town"].astype(object).map({"oslo": 2.0, "bern": 1.0, "rome": 0.5}).fillna(7).to_numpy(float)
    state = Z["state"].astype(object).map({"bad": 1.0, "fair": 2.0, "good": 3.0, "new": 4.0}).fillna(0).to_numpy(float)
    garden = Z["garden"].astype(object).map({True: 1.0, False: 0.0}).fillna(5).to_numpy(float)
    days = (pd.to_datetime(Z["sold"]) - pd.Timestamp("2024-01-01")).dt.days.fillna(-50).to_numpy(float)
    return size * rents + state * garden + days * Z["rooms"].to_numpy(float)


def rooms_too(Z):
    return price(Z.assign(rooms=Z["rooms"].fillna(0)))


# spread


def quantile(values, weights, share):
    """The smallest value at which the share of the weight is reached, a row at a time."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    reached = 0.0
    for i in order:
        reached += weights[i]
        if weights[i] > 0 and reached >= share * sum(weights) - 1e-9:
            return values[i]
    raise AssertionError("the last value reaches it")


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("levels", [LEVELS, [0.5], [0.0, 1.0]])
def test_bands_are_quantiles_of_the_curves(numbers, rng, weighted, levels):
    weights = np.append(rng.integers(0, 4, 11), 1.0) if weighted else None
    effect = FeatureEffect(Predictor(two, numbers, sample_weight=weights), "x0", method="ice", grid=5)
    bands = effect.bands(levels)
    assert bands.columns.tolist() == ["x0", "output_", "level_", "value_"]
    assert len(bands) == len(levels) * 2 * 5
    counts = np.ones(12) if weights is None else weights
    for at, (point, output, level, value) in enumerate(bands.itertuples(index=False)):
        curves = effect.values[effect.outputs.index(output)][:, at % 5]
        assert point == effect.grid.axes[0].points[at % 5]
        assert value == quantile(curves, counts, level)


def test_equal_weights_change_no_band(numbers):
    X = pd.concat([numbers] * 25, ignore_index=True) * np.linspace(0.5, 2, 300)[:, None]
    plain, equal = (
        FeatureEffect(Predictor(wavy, X, sample_weight=weights), "x0", method="ice", grid=4).bands(
            np.linspace(0, 1, 101)
        )
        for weights in (None, np.full(300, 0.7))
    )
    pd.testing.assert_frame_equal(plain, equal)


def test_integer_weights_are_repeated_rows_in_bands(numbers):
    weights = np.arange(12) % 4
    weighted = FeatureEffect(Predictor(wavy, numbers, sample_weight=weights), "x0", method="ice", grid=[-1.0, 0.0, 1.0])
    repeated = FeatureEffect(
        Predictor(wavy, numbers.loc[numbers.index.repeat(weights)]), "x0", method="ice", grid=[-1.0, 0.0, 1.0]
    )
    pd.testing.assert_frame_equal(weighted.bands(), repeated.bands())


def test_bands_of_levels_and_dates_name_them(mixed):
    for name in ("town", "sold"):
        effect = FeatureEffect(Predictor(price, mixed), name, method="pdp+ice")
        bands = effect.bands([0.5])
        assert bands[name].tolist() == effect.grid.axes[0].values.tolist()


# groups


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", ["size", "sold", "state", ("size", "sold")])
def test_by_is_a_predictor_of_its_own_for_each_group(mixed, rng, name, weighted):
    weights = rng.uniform(0.2, 2, 12) if weighted else None
    effect = FeatureEffect(Predictor(price, mixed, sample_weight=weights), name, by="town", grid=4)
    assert effect.outputs == ("bern", "oslo", "rome")
    for place, town in enumerate(effect.outputs):
        rows = (mixed["town"] == town).to_numpy()
        grid = {axis.feature.name: axis.values.tolist() for axis in effect.grid.axes}
        own = Predictor(price, mixed[rows], sample_weight=None if weights is None else weights[rows])
        alone = FeatureEffect(own, name, grid=grid)
        assert_allclose(effect.values[place], alone.values[0])
        assert_allclose(effect.se[place], alone.se[0])


def test_groups_are_a_column_under_the_features_name(mixed):
    effect = FeatureEffect(Predictor(price, mixed), "size", by="garden", grid=3)
    assert effect.results.columns.tolist()[:4] == ["size", "garden", "type_", "value_"]
    assert effect.results["garden"].tolist() == [False] * 3 + [True] * 3
    assert "2 groups of 'garden'" in repr(effect)


def test_a_group_without_weight_is_left_out(mixed):
    weights = (mixed["town"] != "oslo").astype(float)
    effect = FeatureEffect(Predictor(price, mixed, sample_weight=weights), "size", by="town", grid=3)
    assert effect.outputs == ("bern", "rome")
    assert effect.values.shape == (2, 3)
    assert np.isfinite(effect.values).all()


def test_groups_average_to_the_whole(mixed):
    effect = FeatureEffect(Predictor(price, mixed), "size", by="town", grid=4)
    whole = FeatureEffect(Predictor(price, mixed), "size", grid=4)
    assert_allclose(effect.values.mean(axis=0), whole.values[0])  # four rows each


# supported rows only


def test_within_support_averages_the_supported_rows(mixed):
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    X = pd.DataFrame({"x0": x, "x1": 0.9 * x + 0.4 * rng.normal(size=300), "x2": rng.normal(size=300)})
    weights = rng.uniform(0.5, 2, 300)
    for sample_weight in (None, weights):
        predictor = Predictor(wavy, X, sample_weight=sample_weight)
        within = FeatureEffect(predictor, "x0", within_support=True, grid=6)
        curves = FeatureEffect(predictor, "x0", method="ice", grid=6)
        counted = curves.supported * (1.0 if sample_weight is None else weights[:, None])  # (n, G)
        assert_allclose(within.values[0], np.sum(curves.values[0] * counted, axis=0) / counted.sum(axis=0))
        assert np.abs(within.values - curves.averaged().values).max() > 0.1
    assert within.value_label == "Prediction, supported rows only"


def test_within_support_has_the_errors_of_the_rows_that_count():
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    X = pd.DataFrame({"x0": x, "x1": 0.9 * x + 0.4 * rng.normal(size=300), "x2": rng.normal(size=300)})
    within = FeatureEffect(Predictor(wavy, X), "x0", method="pdp+ice", within_support=True, grid=6)
    for g in range(6):
        some = within.layers["ice"][0, within.supported[:, g] == 1, g]
        assert_allclose(within.se[0, g], some.std(ddof=1) / np.sqrt(len(some)))


def test_within_support_follows_an_independent_feature_closely():
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(500, 3)), columns=["x0", "x1", "x2"])
    within = FeatureEffect(Predictor(lambda Z: 2 * Z["x0"] + Z["x1"], X), "x0", within_support=True)
    assert_allclose(within.values, FeatureEffect(Predictor(lambda Z: 2 * Z["x0"] + Z["x1"], X), "x0").values, atol=0.1)


def test_a_point_without_supported_rows_has_no_average(mixed):
    effect = FeatureEffect(Predictor(price, mixed), "state", grid=["bad", "new"], within_support=True)
    assert np.isfinite(effect.values[0, 0])
    assert np.isnan([effect.values[0, 1], effect.se[0, 1]]).all()


# missing as a value


@pytest.mark.parametrize("name", ["size", "rooms", "town", "state", "garden", "sold"])
@pytest.mark.parametrize("method", ["pdp", "ice", "pdp+cice"])
def test_a_missing_point_is_the_model_where_nothing_is_known(mixed, name, method):
    effect = FeatureEffect(Predictor(rooms_too, mixed), name, method=method, missing=True)
    unknown = mixed.assign(
        **{name: pd.Series([None] * 12, dtype=mixed[name].dtype if name in ("state", "sold") else object)}
    )
    if name in ("size", "rooms"):
        unknown[name] = np.nan
    wanted = rooms_too(unknown)
    if method == "pdp+cice":
        first = mixed.assign(**{name: [effect.grid.axes[0].values.iloc[0]] * 12})
        first[name] = first[name].astype(mixed[name].dtype)
        wanted = wanted - rooms_too(first)
        assert_allclose(effect.layers["ice"][0, :, -1], wanted)
    else:
        assert_allclose(effect.values[0, ..., -1], wanted.mean() if method == "pdp" else wanted)
    assert pd.isna(effect.grid.axes[0].values.iloc[-1])
    assert effect.results[name].isna().sum() == effect.values[0].size // len(effect.grid.axes[0]) + (
        method == "pdp+cice"
    )
    usual = FeatureEffect(Predictor(rooms_too, mixed), name, method=method)
    assert_allclose(effect.values[..., :-1], usual.values)


@pytest.mark.parametrize("container", ["numpy", "pandas", "polars", "pyarrow"], indirect=True)
def test_a_missing_number_reaches_the_model_in_every_container(numbers, container):
    def model(Z):
        columns = Z.T if isinstance(Z, np.ndarray) else [Z[name] for name in getattr(Z, "column_names", Z.columns)]
        columns = [column.to_pylist() if hasattr(column, "to_pylist") else list(column) for column in columns]
        x0, x1 = (np.array([np.nan if v is None else v for v in column], float) for column in columns[:2])
        return np.where(np.isnan(x0), 100 + x1, x0)

    effect = FeatureEffect(Predictor(model, container(numbers)), "x0", missing=True, grid=3)
    assert_allclose(effect.values[0, :-1], effect.grid.axes[0].points[:-1])
    assert_allclose(effect.values[0, -1], 100 + numbers["x1"].mean())


def polars_frame(mixed):
    frame = pl.DataFrame({name: mixed[name].tolist() for name in mixed})
    return frame.with_columns(
        pl.col("state").cast(pl.Enum(["bad", "fair", "good", "new"])), pl.col("sold").cast(pl.Date)
    )


def arrow_table(mixed):
    table = pa.table({name: pa.array(mixed[name].tolist()) for name in mixed})
    place = table.column_names.index("state")
    return table.set_column(place, "state", table["state"].dictionary_encode())


@pytest.mark.parametrize("make", [polars_frame, arrow_table, lambda mixed: mixed], ids=["polars", "pyarrow", "pandas"])
@pytest.mark.parametrize("name", ["size", "rooms", "town", "state", "garden", "sold"])
def test_a_missing_value_of_every_kind_reaches_the_model_in_every_frame(mixed, make, name):
    def model(Z):
        column = Z[name]
        missing = column.isna() if hasattr(column, "isna") else column.is_null()
        return 10.0 * np.asarray(missing.to_pylist() if hasattr(missing, "to_pylist") else missing.to_list(), float)

    X = make(mixed)
    effect = FeatureEffect(Predictor(model, X), name, missing=True)
    assert_allclose(effect.values[0], [0.0] * (len(effect.grid.axes[0]) - 1) + [10.0])


def test_a_missing_value_of_every_kind_reaches_the_model_in_an_array(mixed):
    for name in mixed:
        X = mixed.astype(object).to_numpy()
        place = mixed.columns.get_loc(name)
        effect = FeatureEffect(Predictor(lambda Z, j=place: 10.0 * pd.isna(pd.Series(Z[:, j])), X), place, missing=True)
        assert_allclose(effect.values[0], [0.0] * (len(effect.grid.axes[0]) - 1) + [10.0])
    truth = np.array([[True, False], [False, False], [True, True]])
    effect = FeatureEffect(Predictor(lambda Z: np.isnan(np.asarray(Z, float)[:, 0]), truth), 0, missing=True)
    assert_allclose(effect.values[0], [0, 0, 1])


def test_rows_whose_own_value_is_missing_still_count(numbers):
    X = numbers.assign(x0=numbers["x0"].where(numbers.index > 3))
    effect = FeatureEffect(Predictor(wavy, X), "x0", grid=[0.5])
    assert_allclose(effect.values[0, 0], wavy(numbers.assign(x0=0.5)).mean())
    assert FeatureEffect(Predictor(wavy, X), "x0", grid="unique").grid.shape == (8,)


class Careful:
    """A model that takes no missing value."""

    def predict(self, Z):
        if Z["x0"].isna().any():
            raise RuntimeError("x0 is unknown")
        return Z["x0"].to_numpy()


def test_a_model_that_refuses_missing_is_named_with_the_feature_and_its_own_error_is_the_cause(numbers):
    with pytest.raises(ValueError) as caught:
        FeatureEffect(Predictor(Careful(), numbers), "x0", missing=True)
    assert str(caught.value) == "missing must be False for 'x0', of which the model takes no missing value; got True."
    assert "x0 is unknown" in str(caught.value.__cause__)
    linear = LinearRegression().fit(numbers, numbers["x1"])
    for engine in ("auto", "brute"):
        with pytest.raises(ValueError, match="missing must be False for 'x1'") as caught:
            FeatureEffect(Predictor(linear, numbers, engine=engine), "x1", method="ice", missing=True)
        assert "contains NaN" in str(caught.value.__cause__)


def test_a_model_whose_answer_is_missing_refuses_too(numbers):
    with pytest.raises(ValueError, match="missing must be False for 'x0'") as caught:
        FeatureEffect(Predictor(lambda Z: 2 * Z["x0"], numbers), "x0", missing=True)
    assert "non-finite predictions" in str(caught.value.__cause__)


@needs_numba
def test_the_trees_refuse_what_their_model_refuses(numbers):
    model = GradientBoostingRegressor(n_estimators=3).fit(numbers, numbers["x0"])
    for engine in ("brute", "trees"):
        with pytest.raises(ValueError, match="missing must be False for 'x0'"):
            FeatureEffect(Predictor(model, numbers, engine=engine), "x0", missing=True)


@needs_numba
@pytest.mark.parametrize("method", ["pdp", "pdp+ice"])
def test_the_trees_have_the_missing_point_of_brute_force(numbers, method):
    model = RandomForestRegressor(n_estimators=5, random_state=0)
    model.fit(numbers.mask(np.arange(36).reshape(12, 3) % 4 == 0), numbers["x0"])
    brute, trees = (
        FeatureEffect(Predictor(model, numbers, engine=engine), "x0", method=method, missing=True)
        for engine in ("brute", "trees")
    )
    assert_allclose(trees.values, brute.values)
    assert_allclose(trees.se, brute.se)


def test_another_error_of_the_model_stays_what_it_is(numbers):
    def broken(Z):
        raise RuntimeError("out of order")

    with pytest.raises(RuntimeError, match="out of order"):
        FeatureEffect(Predictor(broken, numbers), "x0", missing=True)
    with pytest.raises(RuntimeError, match="x0 is unknown"):
        FeatureEffect(Predictor(Careful(), numbers.assign(x0=[np.nan, *range(11)])), "x1")


class Strict:
    """A model that takes no missing value in any column, and fails at what it is told."""

    def __init__(self, name="", fails_at=()):
        self.name, self.fails_at = name, fails_at

    def predict(self, Z):
        if Z.isna().any(axis=None):
            raise RuntimeError("unknown")
        if self.name and Z[self.name].isin(self.fails_at).any():
            raise RuntimeError("out of order")
        return np.arange(len(Z), dtype=float)


@pytest.mark.parametrize("name", ["town", "state", "garden", "sold", "size", "rooms"])
def test_of_every_kind_a_missing_value_that_is_refused_is_told_from_other_errors(mixed, name):
    with pytest.raises(ValueError, match=f"^missing must be False for '{name}'") as caught:
        FeatureEffect(Predictor(Strict(), mixed), name, missing=True)
    assert str(caught.value.__cause__) == "unknown"
    first, *_, last = FeatureEffect(Predictor(Strict(), mixed), name, grid="unique").grid.axes[0].values
    with pytest.raises(RuntimeError, match=r"^(unknown|out of order)"):  # the first point fails too
        FeatureEffect(Predictor(Strict(name, [first]), mixed), name, missing=True)
    with pytest.raises(RuntimeError, match="out of order"):  # no missing point was asked for
        FeatureEffect(Predictor(Strict(name, [last]), mixed), name, grid="unique")


def test_missing_is_read_off_where_the_grid_has_it(numbers, mixed):
    def model(Z):
        return Z["x0"].fillna(50).to_numpy()

    known = FeatureEffect(Predictor(model, numbers), "x0", grid=[0.0, 1.0])
    asked = FeatureEffect(Predictor(model, numbers), "x0", grid=[0.0, 1.0], missing=True)
    assert_allclose(known.predict([0.25, np.nan, 3.0]), [0.25, np.nan, np.nan])
    assert_allclose(asked.predict([0.25, np.nan, 3.0]), [0.25, 50.0, np.nan])
    assert_allclose(asked.predict([0.25, np.nan, 3.0], extrapolate=True), [0.25, 50.0, 1.0])
    town = FeatureEffect(Predictor(price, mixed), "town", missing=True)
    read = town.predict(["bern", None, "york"])
    assert_allclose(read[:2], town.values[0, [0, -1]])
    assert np.isnan(read[2])


@pytest.mark.parametrize("name", ["size", "rooms", "town", "sold", "garden"])
def test_a_centred_effect_keeps_its_missing_point(mixed, name):
    effect = FeatureEffect(Predictor(rooms_too, mixed), name, method="pdp+ice", missing=True)
    centred = effect.centered()
    assert_array_equal(centred.grid.axes[0].points, effect.grid.axes[0].points)
    assert_allclose(centred.layers["ice"], effect.layers["ice"] - effect.layers["ice"][..., :1], atol=1e-12)


# provenance


def counting(model):
    """A model that counts its calls, with a lock."""
    lock, calls = threading.Lock(), []

    def counted(Z):
        with lock:
            calls.append(len(Z))
        return model(Z)

    return counted, calls


@pytest.mark.parametrize("options", [{}, {"batch_rows": 5}, {"batch_rows": 5, "n_jobs": 2}])
@pytest.mark.parametrize("method", ["pdp", "ice", "pdp+cice", "ale"])
def test_calls_and_seconds_are_counted(numbers, options, method):
    model, calls = counting(two)
    effect = FeatureEffect(Predictor(model, numbers, **options), "x0", method=method, grid=4)
    assert effect.provenance["model_calls"] == effect.calls == len(calls)
    assert 0 < effect.provenance["seconds"] < 20
    before = len(calls)
    centred = effect.centered() if method != "ale" else effect
    assert centred.calls == (len(calls) - before or effect.calls)
    _ = effect.results, effect.plot
    assert effect.calls == before


@needs_numba
def test_the_trees_need_one_call_to_be_proved_and_none_after(numbers):
    model = RandomForestRegressor(n_estimators=3, random_state=0).fit(numbers, numbers["x0"])
    predictor = Predictor(model, numbers, engine="trees")
    first, second = FeatureEffect(predictor, "x0"), FeatureEffect(predictor, "x1")
    assert (first.engine, first.calls) == ("trees", 1)
    assert (second.engine, second.calls) == ("trees", 0)


def test_provenance_says_what_was_asked_and_how(numbers):
    weights = np.arange(12.0)
    predictor = Predictor(LogisticRegression().fit(numbers, np.resize(["a", "b"], 12)), numbers, sample_weight=weights)
    effect = FeatureEffect(
        predictor,
        "x0",
        method="pdp+ice",
        grid=5,
        spacing="quantile",
        percentiles=(0.1, 0.9),
        ice_rows=4,
        random_state=3,
    )
    found = dict(effect.provenance)
    assert found.pop("seconds") >= 0
    assert found == {
        "model": "LogisticRegression",
        "response": "predict_proba",
        "scale": "Predicted probability of b",
        "outputs": ["b"],
        "rows": 12,
        "rows_of_whole": 12,
        "tolerance": None,
        "curves": 4,
        "seed": 3,
        "weighted": True,
        "grid": "5",
        "spacing": "quantile",
        "percentiles": [0.1, 0.9],
        "engine": "brute",
        "why_not_trees": None,
        "model_calls": 1,
    }
    assert FeatureEffect(predictor, "x0", grid=[0.0, 1.0]).provenance["grid"] == "own values"
    assert json.loads(json.dumps(found)) == found


# records


def polished(Z):
    return np.nan_to_num(price(Z))


CASES = {
    "pdp": ("size", {}),
    "ice": ("size", {"method": "ice"}),
    "both": ("size", {"method": "pdp+ice", "ice_rows": 5, "random_state": 0}),
    "cice": ("size", {"method": "pdp+cice", "center_at": 4.5}),
    "cice of a level": ("town", {"method": "cice", "center_at": "oslo"}),
    "cice of a day": ("sold", {"method": "cice", "center_at": "2024-01-07"}),
    "whole numbers": ("rooms", {}),
    "text": ("town", {"method": "pdp+ice"}),
    "ordered": ("state", {}),
    "truth": ("garden", {}),
    "dates": ("sold", {}),
    "two numbers": (("size", "rooms"), {}),
    "number and level": (("size", "town"), {}),
    "level and date": (("state", "sold"), {}),
    "ale": ("size", {"method": "ale", "grid": 4}),
    "ale of levels": ("town", {"method": "ale"}),
    "ale of two": (("size", "town"), {"method": "ale", "grid": 3}),
    "groups": ("size", {"by": "town"}),
    "truths as groups": ("size", {"by": "garden"}),
    "missing number": ("size", {"missing": True}),
    "missing whole number": ("rooms", {"missing": True, "method": "pdp+ice"}),
    "missing level": ("town", {"missing": True}),
    "missing truth": ("garden", {"missing": True}),
    "missing date": ("sold", {"missing": True}),
    "within support": ("size", {"within_support": True}),
}


def alike(back, effect):
    """Everything that an effect shows is the same."""
    assert back.layers.keys() == effect.layers.keys()
    for kind, values in effect.layers.items():
        assert_array_equal(back.layers[kind], values)
    pd.testing.assert_frame_equal(back.results, effect.results, check_index_type=False)
    assert repr(back) == repr(effect)
    assert back.value_label == effect.value_label
    assert back.provenance == effect.provenance
    assert (back.outputs, back.features, back.method, back.anchor) == (
        *(effect.outputs, effect.features, effect.method, effect.anchor),
    )
    assert back.left_out == effect.left_out
    assert_array_equal(back.support, effect.support)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("weighted", [False, True])
def test_a_record_brings_back_what_an_effect_shows(mixed, case, weighted):
    features, options = CASES[case]
    predictor = Predictor(rooms_too, mixed, sample_weight=np.arange(12.0) if weighted else None)
    effect = FeatureEffect(predictor, features, **options)
    text = effect.to_json()
    back = FeatureEffect.from_json(text)
    alike(back, effect)
    assert back.to_json() == text
    assert_array_equal(back.predict(mixed), effect.predict(mixed))
    if "ice" in effect.layers:
        pd.testing.assert_frame_equal(back.bands(), effect.bands())
        pd.testing.assert_frame_equal(back.averaged().results, effect.averaged().results)
    back.plot().draw(show=False)


def test_a_record_is_strict_json(mixed):
    X = mixed.assign(size=mixed["size"].where(mixed.index > 1))
    text = FeatureEffect(Predictor(rooms_too, X), "size", missing=True).to_json()

    def refuse(name):
        raise AssertionError(f"{name} is no JSON")

    json.loads(text, parse_constant=refuse)


@pytest.mark.parametrize("zone", ["UTC", "Europe/Zurich", "UTC+02:00"])
def test_a_record_keeps_the_zone_of_dates(mixed, zone):
    X = mixed.assign(sold=mixed["sold"].dt.tz_localize("UTC").dt.tz_convert(zone))

    def model(Z):
        return Z["sold"].dt.day.to_numpy() * Z["rooms"].to_numpy()

    effect = FeatureEffect(Predictor(model, X), "sold")
    back = FeatureEffect.from_json(effect.to_json())
    assert_array_equal(back.results["value_"], effect.results["value_"])
    assert (back.results["sold"] == effect.results["sold"]).all()
    assert str(back.results["sold"].dt.tz) == str(effect.results["sold"].dt.tz)


def test_a_record_keeps_lengths_of_time_and_dates_of_other_frames(mixed):
    X = mixed.assign(sold=mixed["sold"] - pd.Timestamp("2024-01-01"))
    alike_dates = FeatureEffect(Predictor(lambda Z: Z["sold"].dt.days, X), "sold")
    alike(FeatureEffect.from_json(alike_dates.to_json()), alike_dates)
    for make in (polars_frame, arrow_table):
        effect = FeatureEffect(Predictor(lambda Z: np.arange(Z.shape[0]) % 5, make(mixed)), "sold")
        alike(FeatureEffect.from_json(effect.to_json()), effect)


def test_a_record_of_classes_and_declared_levels(numbers):
    X = numbers.assign(x2=np.resize([1, 2, 4], 12))
    for labels in (["red", "green", "blue"], [3, 1, 2], [True, False]):
        model = LogisticRegression().fit(X, np.resize(labels, 12))
        for features in ("x0", "x2", ("x0", "x2")):
            for target in (None, labels[0]):
                effect = FeatureEffect(
                    Predictor(model, X, categorical=["x2"], target=target),
                    features,
                    grid={"x0": 3} if "x0" in features else 20,
                )
                alike(FeatureEffect.from_json(effect.to_json()), effect)


def test_a_record_keeps_the_labels_of_rows(numbers):
    for index in ([f"row {i}" for i in range(12)], np.arange(12) * 7):
        effect = FeatureEffect(Predictor(wavy, numbers.set_axis(index)), "x0", method="pdp+ice", grid=3)
        alike(FeatureEffect.from_json(effect.to_json()), effect)


def test_a_record_of_an_array_reads_arrays(numbers):
    effect = FeatureEffect(Predictor(lambda Z: Z[:, 1], numbers.to_numpy()), 1, grid=4)
    back = FeatureEffect.from_json(effect.to_json())
    alike(back, effect)
    assert_array_equal(back.predict([0.1, 0.2]), effect.predict([0.1, 0.2]))


def test_a_record_of_a_slope_and_of_refits(numbers):
    effect = FeatureEffect(Predictor(wavy, numbers), "x0", method="pdp+ice", grid=5)
    slope = effect.derivative()
    alike(FeatureEffect.from_json(slope.to_json()), slope)
    refits = FeatureEffect.pooled([effect, effect])
    alike(FeatureEffect.from_json(refits.to_json()), refits)


def test_verbs_that_ask_the_model_say_that_there_is_none(numbers):
    effect = FeatureEffect(Predictor(wavy, numbers), "x0", method="pdp+ice", grid=4)
    for without in (FeatureEffect.from_json(effect.to_json()), FeatureEffect.pooled([effect, effect])):
        for verb, call in (("centered()", without.centered), ("rows_at()", lambda it=without: it.rows_at(0.0))):
            with pytest.raises(ValueError) as caught:
                call()
            assert (
                str(caught.value)
                == f"{verb} asks the model; this effect has none, for it was pooled or read from JSON."
            )
        without.averaged().predict([0.0])
        without.derivative()


# the rows behind the average


@pytest.mark.parametrize("make", [lambda X: X, polars_frame, arrow_table], ids=["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize(
    ("name", "point"), [("size", 4.5), ("town", "oslo"), ("state", "good"), (("size", "town"), (3.0, "rome"))]
)
def test_rows_at_shows_each_row_and_what_becomes_of_it(mixed, make, name, point):
    def model(Z):
        Z = Z if isinstance(Z, pd.DataFrame) else Z.to_pandas()
        return price(Z)

    rows = FeatureEffect(Predictor(model, make(mixed)), name).rows_at(point, n=4)
    assert rows["which_"].tolist() == ["original", "invented"] * 4
    assert rows.index.tolist() == np.repeat(rows.index[::2], 2).tolist()
    original, invented = rows[::2], rows[1::2]
    names, values = ([name], [point]) if isinstance(name, str) else (list(name), list(point))
    for column in mixed:
        if column in names:
            assert (invented[column] == values[names.index(column)]).all()
            assert original[column].tolist() == mixed.loc[original.index, column].tolist()
        else:
            assert original[column].tolist() == invented[column].tolist()
    assert_allclose(original["prediction_"], price(mixed.loc[original.index]))
    assert original["supported_"].all()


def test_rows_at_has_a_prediction_per_output_the_rows_labels_and_a_seed(numbers):
    X = numbers.set_axis([f"row {i}" for i in range(12)])
    effect = FeatureEffect(Predictor(two, X), "x0", grid=4)
    rows = effect.rows_at(0.5, n=50)
    assert rows.index.tolist() == np.repeat(X.index, 2).tolist()
    assert rows.columns.tolist() == ["which_", "x0", "x1", "x2", "prediction_0", "prediction_1", "supported_"]
    assert_allclose(rows[["prediction_0", "prediction_1"]].iloc[1::2], two(X.assign(x0=0.5)))
    few = [effect.rows_at(0.5, n=3, random_state=state).index.tolist() for state in (1, 1, 2, 3)]
    assert few[0] == few[1]
    assert len(set(map(tuple, few))) > 1


def test_rows_at_marks_what_the_data_do_not_support():
    x = np.arange(200.0)
    X = pd.DataFrame({"x": x, "copy": x})
    rows = FeatureEffect(Predictor(lambda Z: Z["x"], X), "x").rows_at(0.0, n=200)
    invented = rows[rows["which_"] == "invented"]
    assert invented["supported_"].to_numpy()[:15].all()
    assert not invented["supported_"].to_numpy()[60:].any()


# refits


@pytest.fixture(name="refits")
def five_refits(numbers):
    return [
        FeatureEffect(Predictor(lambda Z, s=shift: wavy(Z) * (1 + s) + s, numbers), "x0", method="pdp+ice", grid=5)
        for shift in (0.0, 0.1, -0.2, 0.3, 0.05)
    ]


@pytest.mark.parametrize("test_share", [0.0, 0.25])
def test_pooled_is_the_mean_over_refits_with_a_corrected_band(refits, test_share):
    pooled = FeatureEffect.pooled(refits, test_share)
    averages = np.array([one.layers["pdp"] for one in refits])
    assert_allclose(pooled.values, averages.mean(axis=0))
    variance = np.sum((averages - averages.mean(axis=0)) ** 2, axis=0) / 4
    assert_allclose(pooled.se, np.sqrt((1 / 5 + test_share) * variance))
    half = stats.t.ppf(0.975, 4) * pooled.se.ravel()
    assert_allclose(pooled.results["upper_"], pooled.values.ravel() + half)
    assert_allclose(pooled.results["lower_"], pooled.values.ravel() - half)


def test_pooled_without_a_share_is_the_t_interval_of_the_mean(refits):
    pooled = FeatureEffect.pooled(refits)
    averages = np.array([one.layers["pdp"][0] for one in refits])
    low, high = stats.t.interval(0.95, 4, averages.mean(axis=0), stats.sem(averages, axis=0))
    assert_allclose(pooled.results["lower_"], low)
    assert_allclose(pooled.results["upper_"], high)


def test_pooled_counts_the_calls_of_all_and_leaves_the_refits_alone(refits):
    before = [one.results.copy() for one in refits]
    pooled = FeatureEffect.pooled(refits)
    assert pooled.provenance["refits"] == 5
    assert pooled.provenance["model_calls"] == sum(one.calls for one in refits)
    for one, frame in zip(refits, before, strict=True):
        pd.testing.assert_frame_equal(one.results, frame)
        assert one.predictor is not None


def test_pooled_takes_levels_that_the_data_of_the_refits_number_differently(mixed):
    grid = ["oslo", "rome"]
    some = [
        FeatureEffect(Predictor(price, mixed[rows]), "town", grid=grid)
        for rows in (mixed["town"] != "bern", mixed["rooms"] < 9)
    ]
    pooled = FeatureEffect.pooled(some)
    assert pooled.grid.axes[0].values.tolist() == grid
    assert_allclose(pooled.values, (some[0].values + some[1].values) / 2)


def test_pooled_refuses_what_only_looks_alike(mixed, numbers):
    by_place = [
        FeatureEffect(Predictor(price, mixed), "town", grid=["bern", "oslo"]),
        FeatureEffect(Predictor(price, mixed[mixed["town"] != "bern"]), "town", grid=["oslo", "rome"]),
    ]
    model = Predictor(wavy, numbers)
    anchors = [FeatureEffect(model, "x0", grid=[0.0, 1.0], center_at=at) for at in (0.0, 1.0)]
    plain = FeatureEffect(model, "x0", grid=[0.0, 1.0])
    within = FeatureEffect(model, "x0", grid=[0.0, 1.0], within_support=True)
    other = FeatureEffect(model, "x0", grid=[0.0, 2.0])
    for pair in (by_place, anchors, [plain, anchors[0]], [plain, within], [plain, other]):
        with pytest.raises(
            ValueError, match="effects must be of one feature, method, grid and outputs; got FeatureEffect"
        ):
            FeatureEffect.pooled(pair)


def test_pooled_takes_records(refits):
    records = [FeatureEffect.from_json(one.to_json()) for one in refits]
    assert_allclose(FeatureEffect.pooled(records).se, FeatureEffect.pooled(refits).se)


# copies, pickles, threads


def test_nothing_that_a_copy_shares_can_be_overwritten(numbers):
    effect = FeatureEffect(Predictor(wavy, numbers), "x0", method="pdp+ice", grid=4)
    for one in (
        effect,
        effect.averaged(),
        effect.derivative(),
        effect.centered(),
        FeatureEffect.pooled([effect, effect]),
    ):
        for values in (*one.layers.values(), *([] if one.se is None else [one.se]), one.support):
            with pytest.raises(ValueError, match="read-only"):
                values[...] = 0


@needs_numba
def test_a_pickle_carries_no_large_cache(numbers):
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(800, 3)), columns=["x0", "x1", "x2"])
    model = RandomForestRegressor(n_estimators=2, max_depth=3, random_state=0).fit(X, X["x0"])
    predictor = Predictor(model, X, engine="trees")
    effect = FeatureEffect(predictor, "x0")
    shown = effect.results
    assert {"exact", "neighbours"} <= set(predictor.cache)
    data = pickle.dumps(effect)
    assert len(data) < 500_000  # the distances alone are 5 MB
    back = pickle.loads(data)
    assert set(back.predictor.cache) <= {"features", "selection", "refusal"}
    pd.testing.assert_frame_equal(back.results, shown)
    assert_allclose(FeatureEffect(back.predictor, "x1").values, FeatureEffect(predictor, "x1").values)
    pd.testing.assert_frame_equal(back.predictor.support(), predictor.support())
    assert {"exact", "neighbours"} <= set(predictor.cache)


def test_two_threads_that_look_at_the_same_support_find_the_same(numbers):
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(600, 4)), columns=["x0", "x1", "x2", "x3"])
    wanted = [FeatureEffect(Predictor(wavy, X), name).results for name in ("x0", "x1", "x2", "x0")]
    predictor, found, barrier = Predictor(wavy, X), {}, threading.Barrier(4)

    def look(place, name):
        barrier.wait()
        found[place] = FeatureEffect(predictor, name).results

    threads = [threading.Thread(target=look, args=(place, name)) for place, name in enumerate(["x0", "x1", "x2", "x0"])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for place, frame in enumerate(wanted):
        pd.testing.assert_frame_equal(found[place], frame)


def test_features_that_have_no_axis_are_not_present(numbers):
    X = numbers.assign(
        empty=np.nan,
        none=None,
        endless=np.inf,
        half=[np.inf, np.nan] * 6,
        lists=[[i] for i in range(12)],
        wave=1j,
        town="a",
    )
    predictor = Predictor(wavy, X)
    assert [feature.name for feature in predictor.present_features()] == ["x0", "x1", "x2", "town"]


def test_groups_need_a_row_with_weight(numbers):
    X = numbers.assign(k=["u", "v", *[None] * 10])
    predictor = Predictor(wavy, X, sample_weight=[0, 0, *[1] * 10])
    with pytest.raises(ValueError) as caught:
        FeatureEffect(predictor, "x0", by="k")
    assert str(caught.value) == "by must be a feature of which a row with weight has a level; got 'k'."
