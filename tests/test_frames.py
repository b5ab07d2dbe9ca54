"""Whatever a column is, the model sees it as it was given, and the axis reads it for what it means."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose

from interpret_pd import FeatureEffect, Predictor
from interpret_pd.frames import as_table

DAYS = [dt.date(2024, 1, day) for day in (3, 1, 2, 4)]
HOURS = [dt.datetime(2024, 1, day, 5) for day in (3, 1, 2, 4)]
SPANS = [dt.timedelta(hours=h) for h in (3, 1, 2, 4)]
PRICES = [Decimal("3.5"), Decimal(1), Decimal(2), Decimal(4)]
WHOLE, GAPPY, TEXT, TRUTH = [3, 1, 2, 4], [3, None, 2, 4], ["b", "a", None, "a"], [True, None, False, True]


def arrow(values, kind):
    return pd.Series(values, dtype=pd.ArrowDtype(kind))


def stamps(unit="us"):
    return pd.Series(pd.to_datetime(HOURS)).dt.as_unit(unit)


NUMPY_DTYPES = [
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64"),
]
PANDAS = {  # name: (a column, its axis)
    **{dtype: (pd.Series(WHOLE, dtype=dtype), [1, 2, 3, 4]) for dtype in NUMPY_DTYPES},
    **{
        dtype: (pd.Series(GAPPY, dtype=dtype), [2, 3, 4]) for dtype in ("Int8", "Int64", "UInt16", "Float32", "Float64")
    },
    "beyond int64": (pd.Series([2**63, 2**63 + 2**12], dtype="uint64"), [2.0**63, 2.0**63 + 2**12]),
    "bool": (pd.Series([True, False, False, True]), [False, True]),
    "boolean": (pd.Series(TRUTH, dtype="boolean"), [False, True]),
    "bool objects": (pd.Series(TRUTH, dtype=object), [False, True]),
    "text": (pd.Series(["b", "a", "c", "a"]), ["a", "b", "c"]),
    "text with a gap": (pd.Series(TEXT), ["a", "b"]),
    "string[python]": (pd.Series(TEXT, dtype="string[python]"), ["a", "b"]),
    "string[pyarrow]": (pd.Series(TEXT, dtype="string[pyarrow]"), ["a", "b"]),
    "text objects": (pd.Series(TEXT, dtype=object), ["a", "b"]),
    "text objects with nan": (pd.Series(["b", "a", np.nan, "a"], dtype=object), ["a", "b"]),
    "unicode": (pd.Series(["süd", "", "北", "a b"], dtype=object), ["", "a b", "süd", "北"]),
    "whole objects": (pd.Series(GAPPY, dtype=object), [2, 3, 4]),
    "number objects": (pd.Series([3.5, 1, 2, 4], dtype=object), [1, 2, 3.5, 4]),
    "mixed objects": (pd.Series([3, "a", 2, "b"], dtype=object), [2, 3, "a", "b"]),
    "decimals": (pd.Series([*PRICES[:3], None], dtype=object), [1, 2, 3.5]),
    "days as objects": (pd.Series([*DAYS[:3], None], dtype=object), sorted(DAYS[:3])),
    "times as objects": (pd.Series(HOURS, dtype=object), sorted(HOURS)),
    "spans as objects": (pd.Series(SPANS, dtype=object), sorted(SPANS)),
    "clock times": (pd.Series([dt.time(2), dt.time(1)], dtype=object), [dt.time(1), dt.time(2)]),
    **{f"datetime64[{unit}]": (stamps(unit), sorted(HOURS)) for unit in ("ns", "us", "ms", "s")},
    "datetime with a gap": (stamps("ns").where([True, True, True, False]), sorted(HOURS[:3])),
    "zoned": (stamps().dt.tz_localize("Europe/Zurich"), sorted(stamps().dt.tz_localize("Europe/Zurich"))),
    "timedelta": (pd.Series(pd.to_timedelta(SPANS)), sorted(SPANS)),
    "period": (
        pd.Series(pd.period_range("2024-01", periods=3, freq="M")),
        list(pd.period_range("2024-01", periods=3, freq="M")),
    ),
    "category": (pd.Series(pd.Categorical(TEXT, ["z", "b", "a"])), ["b", "a"]),
    "ordered": (pd.Series(pd.Categorical(TEXT, ["z", "b", "a"], ordered=True)), ["b", "a"]),
    "category of numbers": (pd.Series(pd.Categorical([10, 2, None, 2], [5, 10, 3, 2])), [10, 2]),
    "category of floats": (pd.Series(pd.Categorical([1.5, 2, 3, 2])), [1.5, 2, 3]),
    "category of truths": (pd.Series(pd.Categorical([True, False, False, True])), [False, True]),
    "category of dates": (pd.Series(pd.Categorical(HOURS)), sorted(HOURS)),
    "bins": (pd.cut(pd.Series([0.0, 1, 2]), [0, 1, 2], include_lowest=True), None),
    "arrow int": (arrow(GAPPY, pa.int32()), [2, 3, 4]),
    "arrow float": (arrow(GAPPY, pa.float32()), [2, 3, 4]),
    "arrow text": (arrow(TEXT, pa.string()), ["a", "b"]),
    "arrow bool": (arrow(TRUTH, pa.bool_()), [False, True]),
    "arrow day": (arrow(DAYS, pa.date32()), sorted(DAYS)),
    "arrow time": (arrow(HOURS, pa.timestamp("us")), sorted(HOURS)),
    "arrow zoned": (arrow(HOURS, pa.timestamp("ns", "UTC")), [pd.Timestamp(h, tz="UTC") for h in sorted(HOURS)]),
    "arrow span": (arrow(SPANS, pa.duration("us")), sorted(SPANS)),
    "arrow decimal": (arrow(PRICES, pa.decimal128(5, 2)), [1, 2, 3.5, 4]),
    "sparse": (pd.Series(pd.arrays.SparseArray([0.0, 1, 0, 2])), [0, 1, 2]),
}
POLARS = {
    "int8": (pl.Series(WHOLE, dtype=pl.Int8), [1, 2, 3, 4]),
    "uint64": (pl.Series(WHOLE, dtype=pl.UInt64), [1, 2, 3, 4]),
    "int128": (pl.Series(WHOLE, dtype=pl.Int128), [1, 2, 3, 4]),
    "int with null": (pl.Series(GAPPY, dtype=pl.Int64), [2, 3, 4]),
    "float with null and nan": (pl.Series([3.5, None, float("nan"), 4], dtype=pl.Float32), [3.5, 4]),
    "text": (pl.Series(TEXT), ["a", "b"]),
    "categorical": (pl.Series(TEXT, dtype=pl.Categorical), ["a", "b"]),
    "enum": (pl.Series(TEXT, dtype=pl.Enum(["z", "b", "a"])), ["b", "a"]),
    "bool": (pl.Series(TRUTH), [False, True]),
    "date": (pl.Series([*DAYS[:3], None]), sorted(DAYS[:3])),
    "datetime ms": (pl.Series(HOURS, dtype=pl.Datetime("ms")), sorted(HOURS)),
    "datetime ns": (pl.Series(HOURS, dtype=pl.Datetime("ns")), sorted(HOURS)),
    "duration": (pl.Series(SPANS), sorted(SPANS)),
    "decimal": (pl.Series(PRICES), [1, 2, 3.5, 4]),
}
PYARROW = {
    "int8": (pa.array(WHOLE, pa.int8()), [1, 2, 3, 4]),
    "int with null": (pa.array(GAPPY), [2, 3, 4]),
    "float": (pa.array(GAPPY, pa.float32()), [2, 3, 4]),
    "chunks": (pa.chunked_array([[3, 1], [2, 4]]), [1, 2, 3, 4]),
    "text": (pa.array(TEXT), ["a", "b"]),
    "large text": (pa.array(TEXT, pa.large_string()), ["a", "b"]),
    "dictionary": (pa.DictionaryArray.from_arrays(pa.array([1, 0, None, 0], pa.int8()), ["b", "a", "z"]), ["b", "a"]),
    "ordered": (
        pa.DictionaryArray.from_arrays(pa.array([1, 0, None, 0], pa.int16()), ["b", "a", "z"], ordered=True),
        ["b", "a"],
    ),
    "dictionary chunks": (
        pa.chunked_array([pa.array(["b", "a"]).dictionary_encode(), pa.array(["c", "a"]).dictionary_encode()]),
        ["b", "a", "c"],
    ),
    "bool": (pa.array(TRUTH), [False, True]),
    "date32": (pa.array(DAYS), sorted(DAYS)),
    "date64": (pa.array(DAYS, pa.date64()), sorted(DAYS)),
    "timestamp s": (pa.array(HOURS, pa.timestamp("s")), sorted(HOURS)),
    "duration": (pa.array(SPANS), sorted(SPANS)),
    "decimal": (pa.array(PRICES), [1, 2, 3.5, 4]),
}
COLUMNS = [
    *(pytest.param(pd.DataFrame, *case, id=f"pandas {name}") for name, case in PANDAS.items()),
    *(pytest.param(pl.DataFrame, *case, id=f"polars {name}") for name, case in POLARS.items()),
    *(pytest.param(pa.table, *case, id=f"pyarrow {name}") for name, case in PYARROW.items()),
]


def scalars(column):
    return column.to_pylist() if hasattr(column, "to_pylist") else column.to_list()


def type_of(column):
    return column.type if hasattr(column, "type") else column.dtype


class Recorder:
    """A model that remembers what it was given: the container, the column's type, the types of its entries."""

    def __init__(self):
        self.containers, self.types, self.kinds = set(), [], set()

    def __call__(self, X):
        entries = scalars(X["q"])
        self.containers.add(type(X))
        self.types.append(type_of(X["q"]))
        self.kinds |= {type(entry) for entry in entries}
        return np.array([sum(map(ord, str(entry))) for entry in entries]) + np.array(scalars(X["z"]))


def framed(make, column):
    return make({"z": [float(i) for i in range(len(column))], "q": column})


@pytest.mark.parametrize(("make", "column", "axis"), COLUMNS)
def test_the_axis_has_the_values_in_order(make, column, axis):
    effect = FeatureEffect(Predictor(Recorder(), framed(make, column)), "q")
    if axis is None:
        axis = list(column.cat.categories)
    axis = [pd.Timestamp(day) if type(day) is dt.date else day for day in axis]
    assert effect.results["q"].tolist() == axis


@pytest.mark.parametrize(("make", "column", "axis"), COLUMNS)
def test_the_model_sees_the_columns_own_type(make, column, axis):
    model = Recorder()
    X = framed(make, column)
    predictor = Predictor(model, X)
    FeatureEffect(predictor, "q", method="pdp+ice")
    FeatureEffect(predictor, ("z", "q"))
    FeatureEffect(predictor, "z", method="ice")
    assert model.containers == {type(X)}
    assert all(seen == type_of(X["q"]) for seen in model.types)
    given = {type(entry) for entry in scalars(X["q"])}
    assert {kind for kind in model.kinds if kind is not type(None)} <= given | {float, type(pd.NA)}


@pytest.mark.parametrize(("make", "column", "axis"), COLUMNS)
def test_the_axis_can_be_given_back_as_a_grid(make, column, axis):
    predictor = Predictor(Recorder(), framed(make, column))
    effect = FeatureEffect(predictor, "q")
    points = effect.results["q"]
    for grid in (points.tolist(), points, points.to_numpy(), pd.Index(points)):
        assert_allclose(FeatureEffect(predictor, "q", grid=grid).values, effect.values)


@pytest.mark.parametrize(("make", "column", "axis"), COLUMNS)
def test_every_point_can_be_the_anchor(make, column, axis):
    predictor = Predictor(Recorder(), framed(make, column))
    effect = FeatureEffect(predictor, "q")
    for place, anchor in enumerate(effect.results["q"].tolist()):
        centred = FeatureEffect(predictor, "q", method="cice", center_at=anchor)
        assert centred.values.shape[-1] == len(effect.results)
        assert not centred.values[..., place].any()
        assert_allclose(effect.centered(at=anchor).values[0], effect.values[0] - effect.values[0, place])


@pytest.mark.parametrize(("make", "column", "axis"), COLUMNS)
def test_reading_off_at_the_data_gives_the_effect_there(make, column, axis):
    X = framed(make, column)
    effect = FeatureEffect(Predictor(Recorder(), X), "q")
    read = effect.predict(X)
    there = ~pd.Series(scalars(X["q"])).isna().to_numpy()
    assert np.isfinite(read[there]).all()
    assert np.isnan(read[~there]).all()
    assert set(read[there].round(9)) == set(effect.values[0].round(9))


@pytest.mark.parametrize(("make", "column", "axis"), COLUMNS)
def test_the_data_are_as_they_were(make, column, axis):
    X = framed(make, column)
    before = X.copy(deep=True) if isinstance(X, pd.DataFrame) else X
    FeatureEffect(Predictor(Recorder(), X), "q", method="pdp+ice")
    if isinstance(X, pd.DataFrame):
        pd.testing.assert_frame_equal(X, before)
    else:
        assert X.equals(framed(make, column))


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
    (pd.DataFrame, pd.Series([1, 2], dtype="int8"), [300, 1.5]),
    (pd.DataFrame, pd.Series([1, 2], dtype="uint64"), [-1, 2]),
    (pd.DataFrame, pd.Series([1, None], dtype="Int8"), [300, 1.5]),
    (pd.DataFrame, arrow([1, 2], pa.int8()), [300, 1.5]),
    (pd.DataFrame, arrow([Decimal(1), Decimal(2)], pa.decimal128(5, 2)), [1.234, 2]),
    (pd.DataFrame, pd.Series([Decimal(1), Decimal(2)], dtype=object), [1.234, 2]),
    (pl.DataFrame, pl.Series([1, 2], dtype=pl.Int8), [300, 1.5]),
    (pl.DataFrame, pl.Series([1, 2], dtype=pl.UInt8), [-1, 2]),
    (pl.DataFrame, pl.Series([Decimal("1.00"), Decimal("2.00")]), [1.234, 2]),
    (pa.table, pa.array([1, 2], pa.int8()), [300, 1.5]),
    (pa.table, pa.array([Decimal("1.00"), Decimal("2.00")]), [1.234, 1e9]),
]


@pytest.mark.parametrize(("make", "column", "grid"), NARROW)
def test_a_value_that_does_not_fit_the_columns_type_is_shown_as_it_is(make, column, grid):
    seen = []
    model = lambda X: (seen.extend(scalars(X["q"])), np.zeros(len(X)))[1]  # noqa: E731
    FeatureEffect(Predictor(model, framed(make, column)), "q", grid=grid)
    assert {float(value) for value in seen} == set(map(float, grid))


DAILY = [
    (pd.DataFrame, stamps("s").dt.normalize()),
    (pd.DataFrame, pd.Series(DAYS, dtype=object)),
    (pd.DataFrame, arrow(DAYS, pa.date32())),
    (pl.DataFrame, pl.Series(DAYS)),
    (pa.table, pa.array(DAYS)),
    (pa.table, pa.array(DAYS, pa.date64())),
]


@pytest.mark.parametrize(("make", "column"), DAILY)
def test_a_time_of_day_is_not_cut_off(make, column):
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


@pytest.mark.parametrize("levels", [pl.Enum(["z", "b", "a"]), pl.Categorical])
def test_polars_levels_keep_their_codes(levels):
    X = pl.DataFrame({"q": pl.Series(["b", "a", "b"], dtype=levels), "z": [1.0, 2, 3]})
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
    assert as_table(pl.from_pandas(frame)).labels().tolist() == [0, 1]
    assert as_table(frame.to_numpy()).labels().tolist() == [0, 1]
