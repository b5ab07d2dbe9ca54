"""Values that don't fit, labels that repeat, models that edit, odd names: nothing is lost or spoilt."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from columns import DAYS, arrow, framed, scalars, stamps
from libraries import pa, pl
from numpy.testing import assert_allclose

from interpret_pd import FeatureEffect, Predictor
from interpret_pd.frames import as_table


def test_a_model_is_never_shown_a_number_cut_to_a_whole_one(container):
    seen = set()

    def model(X):
        column = X[:, 0] if isinstance(X, np.ndarray) else X["k"]
        values = [float(v) for v in np.asarray(column)]
        seen.update(values)
        return np.square(values)

    X = container(pd.DataFrame({"k": [0, 2, 4], "z": [1, 2, 3]}))
    effect = FeatureEffect(Predictor(model, X), 0 if isinstance(X, np.ndarray) else "k", grid=[0.5, 1, 1e12, -3])
    assert seen == {0.5, 1.0, 1e12, -3.0}
    assert_allclose(effect.values[0], [0.25, 1, 1e24, 9])


NARROW = [
    lambda: (pd.DataFrame, pd.Series([1, 2], dtype="int8"), [300, 1.5]),
    lambda: (pd.DataFrame, pd.Series([1, 2], dtype="uint64"), [-1, 2]),
    lambda: (pd.DataFrame, pd.Series([1, None], dtype="Int8"), [300, 1.5]),
    lambda: (pd.DataFrame, arrow([1, 2], pa.int8()), [300, 1.5]),
    lambda: (pd.DataFrame, arrow([Decimal(1), Decimal(2)], pa.decimal128(5, 2)), [1.234, 2]),
    lambda: (pd.DataFrame, pd.Series([Decimal(1), Decimal(2)], dtype=object), [1.234, 2]),
    lambda: (pl.DataFrame, pl.Series([1, 2], dtype=pl.Int8), [300, 1.5]),
    lambda: (pl.DataFrame, pl.Series([1, 2], dtype=pl.UInt8), [-1, 2]),
    lambda: (pl.DataFrame, pl.Series([Decimal("1.00"), Decimal("2.00")]), [1.234, 2]),
    lambda: (pa.table, pa.array([1, 2], pa.int8()), [300, 1.5]),
    lambda: (pa.table, pa.array([Decimal("1.00"), Decimal("2.00")]), [1.234, 1e9]),
]


@pytest.mark.parametrize("case", NARROW)
def test_a_value_that_does_not_fit_the_columns_type_is_shown_as_it_is(case):
    make, column, grid = case()
    seen = []
    model = lambda X: (seen.extend(scalars(X["q"])), np.zeros(len(X)))[1]  # noqa: E731
    FeatureEffect(Predictor(model, framed(make, column)), "q", grid=grid)
    assert {float(value) for value in seen} == set(map(float, grid))


DAILY = [
    lambda: (pd.DataFrame, stamps("s").dt.normalize()),
    lambda: (pd.DataFrame, pd.Series(DAYS, dtype=object)),
    lambda: (pd.DataFrame, arrow(DAYS, pa.date32())),
    lambda: (pl.DataFrame, pl.Series(DAYS)),
    lambda: (pa.table, pa.array(DAYS)),
    lambda: (pa.table, pa.array(DAYS, pa.date64())),
]


@pytest.mark.parametrize("case", DAILY)
def test_a_time_of_day_is_not_cut_off(case):
    make, column = case()
    seen = []
    model = lambda X: (seen.extend(scalars(X["q"])), np.zeros(len(X)))[1]  # noqa: E731
    noon = pd.Timestamp("2024-01-02 12:00:00.5")
    effect = FeatureEffect(Predictor(model, framed(make, column)), "q", grid=[noon])
    assert {pd.Timestamp(value) for value in seen} == {noon}
    assert effect.results["q"].tolist() == [noon]


@pytest.mark.parametrize("dtype", ["U2", "S2", "object"])
def test_a_longer_text_is_not_cut_off(dtype):
    X = np.array([["aa", "b"], ["c", "d"]], dtype)
    longer = b"longer" if dtype == "S2" else "longer"
    seen = set()
    FeatureEffect(Predictor(lambda A: (seen.update(A[:, 0].tolist()), np.zeros(len(A)))[1], X), 0, grid=[longer])
    assert seen == {longer}


@pytest.mark.parametrize(
    "levels", [lambda: pl.Enum(["z", "b", "a"]), lambda: pl.Categorical], ids=["enum", "categorical"]
)
def test_polars_levels_keep_their_codes(levels):
    X = pl.DataFrame({"q": pl.Series(["b", "a", "b"], dtype=levels()), "z": [1.0, 2, 3]})
    codes = dict(zip(X["q"].to_list(), X["q"].to_physical().to_list(), strict=True))
    seen = set()

    def model(Z):
        seen.update(zip(Z["q"].to_list(), Z["q"].to_physical().to_list(), strict=True))
        return np.zeros(len(Z))

    FeatureEffect(Predictor(model, X), "q")
    assert seen == set(codes.items())


def test_pandas_levels_keep_their_codes():
    X = pd.DataFrame({"q": pd.Categorical(["b", "a"], ["z", "b", "a"]), "z": [1.0, 2]})
    effect = FeatureEffect(Predictor(lambda Z: Z["q"].cat.codes.to_numpy(), X), "q")
    assert effect.values[0].tolist() == [1, 2]
    beside = FeatureEffect(Predictor(lambda Z: Z["q"].cat.codes.to_numpy() * Z["z"].to_numpy(), X), "z")
    assert beside.values[0].tolist() == [1.5, 3]


@pytest.mark.parametrize(
    "index",
    [
        pd.Index(["p", "q", "p"]),
        pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)]),
        pd.date_range("2024-01-01", periods=3),
        pd.Index([2.5, 1.5, 2.5]),
        pd.Index([7, 3, 5]),
        pd.CategoricalIndex(["u", "v", "u"]),
        pd.Index([None, "x", "y"], dtype=object),
    ],
    ids=lambda index: type(index).__name__ + str(index.dtype),
)
def test_the_rows_labels_change_no_number_and_name_the_curves(index):
    X = pd.DataFrame({"x": [1.0, 2, 4], "q": ["a", "b", "a"]}, index=index)
    model = lambda Z: Z["x"].to_numpy() + Z["q"].map({"a": 1.0, "b": 5.0}).to_numpy()  # noqa: E731
    for features in ("x", "q", ("x", "q")):
        fresh = FeatureEffect(Predictor(model, X.reset_index(drop=True)), features)
        assert_allclose(FeatureEffect(Predictor(model, X), features).values, fresh.values)
    curves = FeatureEffect(Predictor(model, X), "x", method="ice").results
    assert len(curves) == 9
    assert [None if label is np.nan else label for label in curves["id_"].tolist()[::3]] == index.tolist()


def test_read_only_data_work(container):
    frame = pd.DataFrame({"a": [1.0, 2, 3], "b": [2.0, 1, 0]})
    X = container(frame)
    if isinstance(X, np.ndarray):
        X = X.copy()
        X.flags.writeable = False

    def total(Z):
        return Z.sum(axis=1) if isinstance(Z, np.ndarray) else np.asarray(Z["a"]) + np.asarray(Z["b"])

    effect = FeatureEffect(Predictor(total, X), 0 if isinstance(X, np.ndarray) else "a", method="pdp+ice")
    assert_allclose(effect.layers["pdp"][0], [2, 3, 4])


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("as_frame", [True, False])
def test_a_model_that_edits_its_input_spoils_nothing(order, as_frame):
    X = np.array([[1.0, 2], [3, 4], [5, 6]], order=order)
    X = pd.DataFrame(X, columns=["a", "b"]) if as_frame else X
    before = X.copy()

    def vandal(Z):
        total = np.asarray(Z).sum(axis=1).copy()
        if as_frame:
            Z["a"] = -1.0
            Z.iloc[:, 1] = np.nan
            Z["new"] = 0
        else:
            Z *= np.nan
        return total

    predictor = Predictor(vandal, X, batch_rows=2)
    feature = "a" if as_frame else 0
    assert_allclose(FeatureEffect(predictor, feature, method="pdp+ice").layers["pdp"][0], [5, 7, 9])
    assert_allclose(predictor.predict(X)[:, 0], [3, 7, 11])
    assert np.array_equal(X, before)


@pytest.mark.parametrize(
    "name", ["", " ", "$x_1$", "ü", "a.b", "class", "value", "type", "output", ".id", 3, 2.5, True, "x0"]
)
def test_any_name_will_do(name):
    X = pd.DataFrame({"other": [1.0, 2, 3]})
    X[name] = [2.0, 4, 6]
    model = lambda Z: Z.iloc[:, 1].to_numpy() * 10 + Z["other"].to_numpy()  # noqa: E731
    effect = FeatureEffect(Predictor(model, X), name)
    assert effect.features == (name,)
    assert_allclose(effect.values[0], [22, 42, 62])
    assert_allclose(effect.predict(X), [22, 42, 62])


def test_a_position_is_a_column_of_an_array_and_a_label_of_a_frame():
    array = np.array([[1.0, 20], [2, 40]])
    frame = pd.DataFrame(array, columns=[1, 0])
    second = lambda Z: np.asarray(Z)[:, 1]  # noqa: E731
    assert FeatureEffect(Predictor(second, array), 1).values[0].tolist() == [20, 40]
    assert FeatureEffect(Predictor(second, array), np.int64(1)).features == ("x1",)
    assert FeatureEffect(Predictor(second, array), "x1").values[0].tolist() == [20, 40]
    assert FeatureEffect(Predictor(second, frame), 0).values[0].tolist() == [20, 40]
    named = Predictor(second, array, feature_names=["one", "two"])
    assert FeatureEffect(named, "two").results["two"].tolist() == [20, 40]


def test_labels_are_the_index_or_the_positions():
    frame = pd.DataFrame({"a": [1, 2]}, index=["u", "v"])
    assert as_table(frame).labels().tolist() == ["u", "v"]
    assert as_table(frame.to_numpy()).labels().tolist() == [0, 1]
    assert as_table(pl.from_pandas(frame)).labels().tolist() == [0, 1]


def test_a_subclass_of_a_frame_reaches_the_model_as_such():
    class Frame(pd.DataFrame):
        @property
        def _constructor(self):
            return Frame

    seen = set()
    for X in (Frame({"a": [1.0, 2], "b": [3.0, 4]}), Frame({"a": [1.0, 2], "b": ["u", "v"]})):
        FeatureEffect(Predictor(lambda Z: (seen.add(type(Z)), np.zeros(len(Z)))[1], X), "a")
    assert seen == {Frame}


def test_columns_keep_their_order_and_the_index_of_columns_its_name():
    X = pd.DataFrame([[1.0, 2, 3]], columns=pd.Index([2020, 2019, 2021], name="year"))
    seen = []
    FeatureEffect(Predictor(lambda Z: (seen.append(Z.columns), np.zeros(len(Z)))[1], X), 2019)
    assert all(columns.equals(X.columns) and columns.name == "year" for columns in seen)


def test_dates_of_any_century_work():
    dates = pd.DataFrame({"d": np.array(["1000-01-01", "1500-06-01", "9000-12-31"], "M8[s]")})
    effect = FeatureEffect(Predictor(lambda Z: np.zeros(len(Z)), dates), "d")
    assert effect.results["d"].tolist() == dates["d"].tolist()


def test_infinite_values_make_no_points_and_reach_the_model():
    X = pd.DataFrame({"a": [1.0, np.inf, -np.inf, 2.0]})
    predictor = Predictor(lambda Z: np.where(np.isfinite(Z["a"]), Z["a"], 0.0), X)
    assert FeatureEffect(predictor, "a").values.tolist() == [[1, 2]]
    assert predictor.predict(X)[:, 0].tolist() == [1, 0, 0, 2]
