"""Whatever a column is, the model sees it as it was given, and the axis reads it for what it means."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import pytest
from columns import COLUMNS, framed, scalars, type_of
from numpy.testing import assert_allclose

from interpret_pd import FeatureEffect, Predictor


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


@pytest.mark.parametrize(("make", "column", "axis"), COLUMNS)
def test_every_column_can_be_declared_categorical(make, column, axis):
    model = Recorder()
    X = framed(make, column)
    effect = FeatureEffect(Predictor(model, X, categorical=["q"]), "q", method="pdp+ice")
    assert effect.grid.axes[0].feature.kind == "categorical"
    assert all(seen == type_of(X["q"]) for seen in model.types)
    assert len(effect.grid.axes[0]) == (len(axis) if axis is not None else 2)
    assert np.isfinite(effect.predict(X)).sum() == sum(~pd.isna(pd.Series(scalars(X["q"]), dtype=object)))


@pytest.mark.parametrize(("make", "column", "axis"), COLUMNS)
def test_missing_can_be_a_point_of_its_own(make, column, axis):
    def gaps(X):
        return pd.isna(pd.Series(scalars(X["q"]), dtype=object)).to_numpy(float)

    effect = FeatureEffect(Predictor(gaps, framed(make, column)), "q", missing=True)
    assert effect.values[0].tolist() == [*[0.0] * (len(effect.grid.axes[0]) - 1), 1.0]
