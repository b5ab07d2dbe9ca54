"""Rows per call: a cap is kept, and what is learned pays."""

from __future__ import annotations

import pytest

from interpret_pd.predictor.pace import BYTES, LADDER, START, Pace


def run(pace, total, seconds):
    """The sizes of the calls that predict so many rows, when a call of r rows takes seconds(r)."""
    sizes, left = [], total
    while left:
        rows = pace.rows(left)
        assert 1 <= rows <= left
        pace.record(rows, seconds(rows))
        sizes.append(rows)
        left -= rows
    return sizes


@pytest.mark.parametrize("cap", [1, 7, 100_000])
def test_a_cap_is_kept(cap):
    assert max(run(Pace(cap, 8), 1000, lambda rows: 1.0)) == min(cap, 1000)


def test_the_first_call_is_near_32000_rows():
    assert Pace("auto", 8).rows(10**7) == LADDER[START]


def test_few_rows_are_one_call():
    assert run(Pace("auto", 80), 50_000, lambda rows: rows) == [50_000]


def test_calls_grow_where_a_fixed_cost_shows():
    sizes = run(Pace("auto", 8), 3 * 10**7, lambda rows: 0.02 + 1e-9 * rows)
    assert sizes[-2] == LADDER[-1]


def test_calls_shrink_where_large_ones_are_slow():
    sizes = run(Pace("auto", 8), 3 * 10**6, lambda rows: rows * (1e-6 if rows <= LADDER[0] else 5e-6))
    assert sizes[-2] == LADDER[0]


def test_wide_rows_keep_to_the_byte_budget():
    wide = BYTES / 1000
    assert max(run(Pace("auto", wide), 20_000, lambda rows: 1e-6 * rows)) <= 1000


def test_a_row_wider_than_the_budget_is_still_predicted():
    assert run(Pace("auto", 2.0 * BYTES), 3, lambda rows: 1.0) == [1, 1, 1]
