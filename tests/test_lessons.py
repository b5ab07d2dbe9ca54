"""What users of the other packages ran into, as laws: files from R on the command line, odd columns, odd pictures."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import joblib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text
from sklearn.linear_model import LinearRegression, LogisticRegression

from interpret_pd import FeatureEffect, FeatureEffects, Predictor, h_statistic, pd_importance, plot_importance
from interpret_pd.cli import main


def drawn(plot):
    """The figure; a warning on the way is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = plot.draw()
        figure.canvas.draw()
    plt.close(figure)
    return figure


def texts(plot):
    """Everything that is written in a picture."""
    return [text.get_text() for text in drawn(plot).findobj(Text)]


# ---- the command line ------------------------------------------------------------------------------------------------


@pytest.fixture(name="files")
def a_model_and_its_data(tmp_path, monkeypatch, numbers):
    joblib.dump(LinearRegression().fit(numbers, numbers["x0"]), tmp_path / "line.joblib")
    numbers.to_csv(tmp_path / "plain.csv", index=False)
    numbers.set_axis([f"car {i}" for i in range(len(numbers))]).to_csv(tmp_path / "named.csv")
    numbers.assign(y=1, id=range(len(numbers))).to_csv(tmp_path / "more.CSV", index=False)
    numbers.to_csv(tmp_path / "semicolons.csv", index=False, sep=";")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def page(*arguments):
    """The page that the command writes."""
    assert main([*arguments, "-o", "page.html"]) == 0
    return Path("page.html").read_text(encoding="utf-8")


def test_a_first_column_without_a_name_holds_the_rows_names(files):
    assert "12 rows x 3 features" in page("line.joblib", "named.csv")


def test_a_first_column_without_a_name_stays_if_the_model_knows_it(files, numbers):
    X = numbers.rename(columns={"x0": "Unnamed: 0"})
    joblib.dump(LinearRegression().fit(X, X["x1"]), "numbered.joblib")
    X.to_csv("numbered.csv", index=False)
    assert "12 rows x 3 features" in page("numbered.joblib", "numbered.csv")


@pytest.mark.parametrize(
    ("classes", "word", "label"),
    [
        ([0, 1], "0", "0"),
        ([1, 2, 3], "2", "2"),
        ([False, True], "False", "False"),
        ([1.0, 2.0], "1", "1.0"),
        (["1", "2"], "1", "1"),
    ],
)
def test_the_word_for_a_class_finds_it_whatever_its_type(files, numbers, classes, word, label):
    joblib.dump(LogisticRegression().fit(numbers, np.resize(classes, len(numbers))), "classes.joblib")
    assert f"Predicted probability of {label}" in page(
        "classes.joblib", "plain.csv", "--features", "x0", "--target", word
    )


def test_the_word_for_an_output_is_its_position(files, numbers):
    joblib.dump(LinearRegression().fit(numbers, numbers[["x0", "x1"]]), "two.joblib")
    assert "Prediction of 1" in page("two.joblib", "plain.csv", "--target", "1", "--features", "x1")


@pytest.mark.parametrize("drop", [["--drop", "y", "id"], ["--drop", "y", "--drop", "id"]])
def test_several_columns_can_be_dropped(files, drop):
    assert "12 rows x 3 features" in page("line.joblib", "more.CSV", *drop)


def test_an_error_is_one_line_whatever_the_model_says(files, capsys):
    assert main(["line.joblib", "more.CSV"]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "unseen at fit time: - id - y" in told


def test_the_failure_of_several_features_is_one_line(files, capsys):
    joblib.dump(OnlyTheRows(3), "fails.joblib")
    assert main(["fails.joblib", "plain.csv"]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "the model failed for 3 of 3 features: 'x0', 'x1', 'x2'." in told
    assert "The first says: the model was asked for too much" in told


def test_data_with_semicolons_are_told_so(files, capsys):
    assert main(["line.joblib", "semicolons.csv"]) == 2
    message = "DATA must be separated by commas; got 'semicolons.csv'. Its one column is 'x0;x1;x2'."
    assert capsys.readouterr().err == f"interpret-pd: {message}\n"


class OnlyTheRows:
    """A model that answers for a few rows at a time."""

    def __init__(self, most):
        self.most = most

    def predict(self, X):
        if len(X) > self.most:
            raise ValueError("the model was asked\nfor too much")
        return np.zeros(len(X))


# ---- columns and outputs ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("grid", [20, [0.5, 1.5]])
def test_sparse_whole_numbers_are_an_axis_like_any(grid):
    sparse = pd.DataFrame({"k": pd.arrays.SparseArray([0, 0, 1, 2]), "z": [1.0, 2.0, 3.0, 4.0]})
    dense = sparse.assign(k=[0, 0, 1, 2])
    model = lambda X: 2.0 * np.asarray(X["k"]) + np.asarray(X["z"])  # noqa: E731
    ours, plain = (FeatureEffect(Predictor(model, X), "k", grid=grid).values for X in (sparse, dense))
    np.testing.assert_array_equal(ours, plain)


@pytest.mark.parametrize("name", [("a", "b"), None, np.nan], ids=str)
def test_a_column_may_be_called_by_a_tuple_or_not_at_all(rng, name):
    X = pd.DataFrame(rng.normal(size=(12, 2)), columns=pd.Index([name, "other"], dtype=object, tupleize_cols=False))
    predictor = Predictor(lambda Z: 2 * Z.iloc[:, 0].to_numpy() * Z.iloc[:, 1].to_numpy(), X)
    effect = FeatureEffect(predictor, name, method="pdp+ice")
    np.testing.assert_allclose(effect.averaged().values[0], 2 * effect.grid.axes[0].points * X["other"].mean())
    effects = FeatureEffects(predictor, grid={name: 3})
    assert len(effects[name].grid.axes[0]) == 3
    assert FeatureEffect(predictor, (name, "other")).features == (name, "other")
    for plot in (
        effect.plot(),
        effects.plot(),
        *map(plot_importance, (pd_importance(predictor), h_statistic(predictor))),
    ):
        drawn(plot)


@pytest.mark.parametrize("names", [[None, "b"], [np.nan, "b"]], ids=str)
def test_an_unnamed_output_is_called_by_its_position(numbers, names):
    model = lambda X: pd.DataFrame(np.c_[X["x0"], X["x1"]], columns=pd.Index(names, dtype=object))  # noqa: E731
    effect = FeatureEffect(Predictor(model, numbers), "x0")
    assert effect.outputs == (0, "b")
    assert set(effect.results["output_"]) == {0, "b"}


def test_outputs_called_by_tuples_survive_json(numbers):
    columns = pd.Index([("q", 1), ("q", 2)], tupleize_cols=False)
    effect = FeatureEffect(Predictor(lambda X: X[["x0", "x1"]].set_axis(columns, axis=1), numbers), "x0")
    assert FeatureEffect.from_json(effect.to_json()).outputs == ("('q', 1)", "('q', 2)")
    drawn(plot_importance(pd_importance(effect.predictor)))


def test_columns_whose_names_read_the_same_are_kept_apart(rng):
    X = pd.DataFrame(rng.normal(size=(8, 2)), columns=pd.Index([1, "1"], dtype=object))
    effects = FeatureEffects(Predictor(lambda Z: Z.iloc[:, 0].to_numpy(), X))
    assert list(effects.results["feature"].cat.categories) == ["1", "'1'"]
    drawn(effects.plot())


def test_0_and_1_are_read_off_as_the_truths_that_they_are(mixed):
    effect = FeatureEffect(Predictor(lambda X: X["size"] * (1 + X["garden"]), mixed), "garden")
    no, yes = effect.predict([False, True])
    for given in ([1, 0, 2, 1], np.array([1.0, 0.0, 2.0, 1.0]), pd.array([1, 0, None, 1], dtype="Int64")):
        np.testing.assert_array_equal(effect.predict(given), [yes, no, np.nan, yes])


def test_a_matrix_is_refused_with_the_way_out(numbers):
    matrix = numbers.to_numpy().view(np.matrix)
    with pytest.raises(TypeError, match=re.escape("a 2-D array; got a matrix. Use np.asarray(X).")):
        Predictor(lambda X: np.zeros(len(X)), matrix)


# ---- pictures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("feature", ["town", "size"])
def test_one_row_has_no_band_and_no_warning(mixed, feature):
    effect = FeatureEffect(Predictor(lambda X: X["size"].to_numpy(), mixed[:1]), feature)
    assert effect.results["se_"].isna().all()
    assert not any("confidence" in text for text in texts(effect.plot()))


@pytest.mark.parametrize("outputs", ["facets", "lines"])
def test_a_group_of_one_row_has_no_interval_and_no_warning(mixed, outputs):
    X = mixed.assign(group=np.resize(["one", *["many"] * 11], 12))
    effect = FeatureEffect(Predictor(lambda X: X["size"].to_numpy(), X), "town", by="group")
    assert any("confidence" in text for text in texts(effect.plot(outputs=outputs)))


def test_hundreds_of_levels_are_a_few_marks():
    X = pd.DataFrame({"zip": [f"{i:05d}" for i in range(200)], "z": np.arange(200.0)})
    figure = drawn(FeatureEffect(Predictor(lambda Z: Z["z"].to_numpy(), X), "zip").plot())
    assert len(figure.axes[0].collections) < 20  # a mark per level takes ten times as long


@pytest.mark.parametrize("value", [1 / 3, 2.5e-5, -1234.5])
@pytest.mark.parametrize("features", [("x0", "x1"), ("town", "state")])
def test_the_legend_of_a_constant_map_says_the_constant(numbers, mixed, features, value):
    X = pd.concat([numbers, mixed], axis=1)
    effect = FeatureEffect(Predictor(lambda Z: np.full(len(Z), value), X), features)
    words = {float(text.replace("−", "-").replace(",", "")) for text in texts(effect.plot()) if is_number(text)}
    assert any(word == pytest.approx(value, rel=0.05) for word in words)


def is_number(text):
    return re.fullmatch(r"[-−]?[\d,]*\.?\d+", text) is not None


@pytest.mark.parametrize(
    "near", [1e9 + np.arange(12) * 1e-6, pd.date_range("2024-03-01", periods=12, freq="1us")], ids=["numbers", "dates"]
)
def test_a_map_of_values_that_floats_hardly_tell_apart_is_drawn(near):
    X = pd.DataFrame({"near": near, "z": np.arange(12.0)})
    drawn(FeatureEffect(Predictor(lambda Z: Z["z"].to_numpy(), X), ("near", "z")).plot())


@pytest.mark.parametrize("frequency", ["7h", "40min", "1s"])
@pytest.mark.parametrize("zone", [None, "Europe/Oslo"])
def test_ticks_of_a_few_days_or_hours_differ(frequency, zone):
    X = pd.DataFrame({"at": pd.date_range("2024-03-01", periods=12, freq=frequency, tz=zone), "z": np.arange(12.0)})
    predictor = Predictor(lambda Z: Z["z"].to_numpy(), X)
    for plot in (FeatureEffect(predictor, "at").plot(), FeatureEffect(predictor, ("at", "z")).plot()):
        ticks = [tick.get_text() for tick in drawn(plot).axes[0].get_xticklabels()]
        assert len(ticks) == len(set(ticks)) > 1


def test_ticks_of_whole_days_are_days():
    X = pd.DataFrame({"on": pd.date_range("2024-03-01", periods=3), "z": np.arange(3.0)})
    figure = drawn(FeatureEffect(Predictor(lambda Z: Z["z"].to_numpy(), X), "on").plot())
    assert [tick.get_text() for tick in figure.axes[0].get_xticklabels()] == ["2024-03-01", "2024-03-02", "2024-03-03"]
