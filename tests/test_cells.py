"""Cells without rows take the difference of the nearest that have some."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from interpret_pd.features import read_feature
from interpret_pd.frames import as_table
from interpret_pd.grid import Spec, make_axis
from interpret_pd.methods.cells import filled, middles


def axis(values):
    table = as_table(pd.DataFrame({"x": values}))
    return make_axis(table, read_feature(table, "x", False), "unique", Spec("unique"))


@pytest.mark.parametrize("scale", [1.0, 0.25, 3.0, 1e300])
@pytest.mark.parametrize("shift", [0.0, -4.0])
def test_steps_are_in_the_middle_of_their_bins_in_units_of_the_range(scale, shift):
    points = scale * (np.array([1.0, 2.0, 7.0, 9.0]) + shift)
    assert_allclose(middles(axis(points)), (np.array([1.5, 4.5, 8.0]) + shift) / 8)


def test_steps_between_levels_are_evenly_spaced():
    assert_allclose(middles(axis(["a", "b", "c", "d", "e"])), [0.125, 0.375, 0.625, 0.875])


def test_known_cells_stay_and_the_input_is_not_changed():
    steps = np.arange(12.0).reshape(2, 2, 3)
    before = steps.copy()
    known = np.array([[True, False, True], [True, True, True]])
    got = filled(steps, known, [np.array([0.0, 1]), np.array([0.0, 0.4, 1])])
    assert_array_equal(steps, before)
    assert_array_equal(got[:, known], steps[:, known])
    assert_array_equal(got[:, 0, 1], steps[:, 0, 0])


def test_all_cells_equally_near_are_averaged():
    across = np.arange(11) * 0.7
    known = np.zeros((11, 11), bool)
    ring = [(5, 0), (0, 5), (3, 4), (4, 3)]  # twelve cells at a distance of five, but for rounding
    for a, b in ring:
        known[[5 + a, 5 - a, 5 + a, 5 - a], [5 + b, 5 + b, 5 - b, 5 - b]] = True
    assert known.sum() == 12
    steps = np.where(known, np.arange(121.0).reshape(11, 11) ** 2, -1)[None]
    got = filled(steps, known, [across, across])
    assert_allclose(got[0, 5, 5], steps[0][known].mean(), rtol=1e-12)
    assert_allclose(filled(steps.swapaxes(1, 2), known.T, [across, across]), got.swapaxes(1, 2), rtol=1e-12)


def test_one_known_cell_serves_all():
    known = np.zeros((3, 4), bool)
    known[1, 2] = True
    got = filled(np.where(known, 7.0, 0.0)[None], known, [np.arange(3.0), np.arange(4.0)])
    assert_array_equal(got, np.full((1, 3, 4), 7.0))
