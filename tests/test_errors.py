"""Every error in one table: the call, the type, the whole message."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from libraries import pa, pl
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression

from interpret_pd import FeatureEffect, Predictor

X = pd.DataFrame({"age": [20.0, 30, 40, 50], "fare": [1.0, 2, 3, 5], "sex": ["f", "m", "f", "m"]})
NUMBERS = X[["age", "fare"]]
ARRAY = NUMBERS.assign(size=1.0).to_numpy()
THREE_HUNDRED = pd.concat([X] * 75, ignore_index=True)
REGRESSION = LinearRegression().fit(NUMBERS, X["age"])
BINARY = LogisticRegression().fit(NUMBERS, ["no", "no", "yes", "yes"])
IRIS = LogisticRegression().fit(NUMBERS, ["setosa", "versicolor", "virginica", "setosa"])


def f(Z):
    return np.asarray(Z["age"], float)


PREDICTOR = Predictor(f, X)


def effect(features="age", /, **options):
    return FeatureEffect(PREDICTOR, features, **options)


def predictor(model=f, data=X, /, **options):
    return Predictor(model, data, **options)


def answering(answer, data=X):
    """The effect of a model that answers so."""
    return FeatureEffect(Predictor(answer, data, batch_rows=len(data)), "age", grid=[20, 30])


METHODS = "'pdp', 'ice', 'pdp+ice', 'cice', 'pdp+cice', 'ale'"
COLUMNS = "They are 'age', 'fare', 'sex'."
WEIGHTS = "sample_weight must be finite, non-negative, with a positive sum; got"
DATA = "the data must be a data frame or a 2-D array; got"
GRID = "grid must be a whole number of at least 2, 'unique' or values; got"
MODEL = "model must be an estimator with predict_proba, decision_function or predict, or a function f(X); got"
PERCENTILES = "percentiles must be two increasing numbers from 0 to 1; got"
NUMERIC = "Use response_method='predict_proba' or a function that returns numbers."
TOARRAY = "Use X.toarray(), on a sample of the rows if it is large."
RESPONSE = "response_method must be one of 'auto', 'predict_proba', 'decision_function', 'predict'; got"

VALUES = [  # what is wrong with a value: ValueError
    # the effect
    (lambda: effect(method="pd"), f"method must be one of {METHODS}; got 'pd'. Did you mean 'pdp'?"),
    (lambda: effect(method="PDP"), f"method must be one of {METHODS}; got 'PDP'. Did you mean 'pdp'?"),
    (lambda: effect(method=None), f"method must be one of {METHODS}; got None."),
    (lambda: effect("agee"), f"features must be columns of the data; got 'agee'. Did you mean 'age'? {COLUMNS}"),
    (
        lambda: effect(("age", "faer")),
        f"features must be columns of the data; got 'faer'. Did you mean 'fare'? {COLUMNS}",
    ),
    (lambda: effect(0), f"features must be columns of the data; got 0. {COLUMNS}"),
    (lambda: effect(None), f"features must be columns of the data; got None. {COLUMNS}"),
    (lambda: effect(()), "features must be one name or two; got ()."),
    (lambda: effect(("age", "fare", "sex")), "features must be one name or two; got ('age', 'fare', 'sex')."),
    (lambda: effect(("age", "age")), "features must differ; got ('age', 'age')."),
    (
        lambda: effect(("age", "fare"), method="ice"),
        "method 'ice' takes one feature; got ('age', 'fare'). Use method='pdp' for their joint effect.",
    ),
    (
        lambda: effect(("age", "fare"), method="pdp+cice"),
        "method 'pdp+cice' takes one feature; got ('age', 'fare'). Use method='pdp' for their joint effect.",
    ),
    (lambda: effect(grid=1), "grid must be a whole number of at least 2; got 1."),
    (lambda: effect("sex", grid=-3), "grid must be a whole number of at least 2; got -3."),
    (lambda: effect(grid=2.5), f"{GRID} 2.5."),
    (lambda: effect(grid="uniqe"), f"{GRID} 'uniqe'."),
    (lambda: effect("sex", grid="all"), f"{GRID} 'all'."),
    (lambda: effect(grid=None), f"{GRID} None."),
    (lambda: effect(grid=True), f"{GRID} True."),
    (lambda: effect(grid=[]), "grid must be at least one value; got []."),
    (lambda: effect("sex", grid=[]), "grid must be at least one value; got []."),
    (lambda: effect(grid=[[1, 2]]), "grid must be a flat list of values; got [[1, 2]]."),
    (lambda: effect(grid=[1, "two"]), "grid must be finite numbers for 'age'; got [1, 'two']."),
    (lambda: effect(grid=["30"]), "grid must be finite numbers for 'age'; got ['30']."),
    (lambda: effect(grid=[1, np.nan]), "grid must be finite numbers for 'age'; got [1, nan]."),
    (lambda: effect(grid=[np.inf]), "grid must be finite numbers for 'age'; got [inf]."),
    (lambda: effect(grid=[True]), "grid must be finite numbers for 'age'; got [True]."),
    (lambda: effect("sex", grid=["f", 1]), "grid must be levels of 'sex'; got 1. They are 'f', 'm'."),
    (lambda: effect("sex", grid=[None]), "grid must be levels of 'sex'; got None. They are 'f', 'm'."),
    (
        lambda: effect(grid={"fare": 3}),
        "grid must be a mapping from the effect's features; got 'fare'. They are 'age'.",
    ),
    (lambda: effect(grid={"agee": 3}), f"grid must be columns of the data; got 'agee'. Did you mean 'age'? {COLUMNS}"),
    (
        lambda: effect(("age", "fare"), grid=[1, 2]),
        "grid must be a number, 'unique' or a mapping for two features; got [1, 2]. Use grid={feature: values, ...}.",
    ),
    (
        lambda: effect(spacing="quantiles"),
        "spacing must be one of 'uniform', 'quantile'; got 'quantiles'. Did you mean 'quantile'?",
    ),
    (lambda: effect(percentiles=(5, 95)), f"{PERCENTILES} (5, 95)."),
    (lambda: effect(percentiles=(0.9, 0.1)), f"{PERCENTILES} (0.9, 0.1)."),
    (lambda: effect(percentiles=(0.5, 0.5)), f"{PERCENTILES} (0.5, 0.5)."),
    (lambda: effect(percentiles=(0, np.nan)), f"{PERCENTILES} (0, nan)."),
    (lambda: effect(percentiles=0.5), f"{PERCENTILES} 0.5."),
    (lambda: effect(percentiles=None), f"{PERCENTILES} None."),
    (lambda: effect(percentiles=("0", "1")), f"{PERCENTILES} ('0', '1')."),
    (lambda: effect(center_at="x"), "center_at must be a finite number for 'age'; got 'x'."),
    (lambda: effect(center_at=np.nan), "center_at must be a finite number for 'age'; got nan."),
    (lambda: effect(center_at=[30]), "center_at must be a finite number for 'age'; got [30]."),
    (lambda: effect("sex", center_at=3), "center_at must be a level of 'sex'; got 3. They are 'f', 'm'."),
    (lambda: effect(("age", "sex"), center_at=30), "center_at must be None for two features; got 30."),
    (lambda: effect(method="ice", ice_rows=0), "ice_rows must be a whole number of at least 1; got 0."),
    (lambda: effect(method="ice", ice_rows="all"), "ice_rows must be a whole number of at least 1; got 'all'."),
    (lambda: effect(ice_rows=1.5), "ice_rows must be a whole number of at least 1; got 1.5."),
    (
        lambda: effect(method="ice", random_state="seed"),
        "random_state must be None, a seed or a numpy Generator; got 'seed'.",
    ),
    (lambda: effect(within_support="yes"), "within_support must be True or False; got 'yes'."),
    (lambda: effect(missing="level"), "missing must be True or False; got 'level'."),
    (
        lambda: effect(method="ice", within_support=True),
        "within_support must be False for method 'ice', which averages nothing; got True.",
    ),
    (lambda: effect(("age", "sex"), missing=True), "missing must be False for ALE and for two features; got True."),
    (lambda: effect(by="sexx"), f"by must be a column of the data; got 'sexx'. Did you mean 'sex'? {COLUMNS}"),
    (
        lambda: effect(by="fare"),
        "by must be a feature with levels, other than the effect's own; got 'fare'. "
        "Use Predictor(..., categorical=[...]) if its numbers are levels.",
    ),
    (lambda: effect(method="ice", by="sex"), "by must be None for all but a plain method='pdp'; got 'sex'."),
    (lambda: effect(method="ale", by="sex"), "by must be None for all but a plain method='pdp'; got 'sex'."),
    (lambda: effect(by="sex", center_at=30), "by must be None for all but a plain method='pdp'; got 'sex'."),
    (lambda: effect(by="sex", within_support=True), "by must be None for all but a plain method='pdp'; got 'sex'."),
    (
        lambda: effect("sex", by="sex"),
        "by must be a feature with levels, other than the effect's own; got 'sex'. "
        "Use Predictor(..., categorical=[...]) if its numbers are levels.",
    ),
    (
        lambda: FeatureEffect(Predictor(lambda Z: np.ones((len(Z), 2)), X), "age", by="sex"),
        "by must be None for several outputs; got 'sex'. Use target= to choose one.",
    ),
    (lambda: effect(method="ale", missing=True), "missing must be False for ALE and for two features; got True."),
    (
        lambda: effect(method="ale", within_support=True),
        "within_support must be False for method 'ale', which averages nothing; got True.",
    ),
    (
        lambda: FeatureEffect(Predictor(REGRESSION, NUMBERS), "age", missing=True),
        "missing must be False for 'age', of which the model takes no missing value; got True.",
    ),
    (lambda: effect().bands(), "bands() needs ICE curves; got method 'pdp'. Use method='pdp+ice'."),
    (lambda: effect(method="ice").bands([0.5, 1.5]), "levels must be shares from 0 to 1; got [0.5, 1.5]."),
    (lambda: effect(method="ice").bands([]), "levels must be shares from 0 to 1; got []."),
    (lambda: effect(method="ice").bands(0.5), "levels must be shares from 0 to 1; got 0.5."),
    (lambda: effect(method="ice").bands(["half"]), "levels must be shares from 0 to 1; got ['half']."),
    (lambda: effect().rows_at("x"), "point must be a finite number for 'age'; got 'x'."),
    (lambda: effect("sex").rows_at(3), "point must be a level of 'sex'; got 3. They are 'f', 'm'."),
    (lambda: effect(("age", "sex")).rows_at(30), "point must be one value per feature (2); got 30."),
    (lambda: effect(("age", "sex")).rows_at((3, "f", 1)), "point must be one value per feature (2); got (3, 'f', 1)."),
    (lambda: effect().rows_at(30, n=0), "n must be a whole number of at least 1; got 0."),
    (
        lambda: effect().rows_at(30, random_state="seed"),
        "random_state must be None, a seed or a numpy Generator; got 'seed'.",
    ),
    (lambda: FeatureEffect.pooled([effect()]), "effects must be at least 2 effects; got 1."),
    (lambda: FeatureEffect.pooled(effect()), "effects must be at least 2 effects; got 1."),
    (lambda: FeatureEffect.pooled([]), "effects must be at least 2 effects; got 0."),
    (lambda: FeatureEffect.pooled([effect()] * 2, -0.1), "test_share must be a number of at least 0; got -0.1."),
    (lambda: FeatureEffect.pooled([effect()] * 2, np.nan), "test_share must be a number of at least 0; got nan."),
    (lambda: FeatureEffect.pooled([effect()] * 2, "0.1"), "test_share must be a number of at least 0; got '0.1'."),
    (lambda: FeatureEffect.from_json("{}"), "text must be what to_json() wrote, by this version; got '{}'."),
    (lambda: FeatureEffect.from_json("no"), "text must be what to_json() wrote, by this version; got 'no'."),
    (lambda: FeatureEffect.from_json(None), "text must be what to_json() wrote, by this version; got None."),
    (
        lambda: FeatureEffect.from_json(effect().to_json()).centered(),
        "centered() asks the model; this effect has none, for it was pooled or read from JSON.",
    ),
    (
        lambda: FeatureEffect.from_json(effect().to_json()).rows_at(30),
        "rows_at() asks the model; this effect has none, for it was pooled or read from JSON.",
    ),
    (
        lambda: predictor().support(["agee"]),
        f"features must be columns of the data; got 'agee'. Did you mean 'age'? {COLUMNS}",
    ),
    (lambda: predictor().support(["age", "age"]), "features must differ; got ('age', 'age')."),
    (lambda: effect(("age", "sex")).centered(), "centered() takes an effect of one feature; got ('age', 'sex')."),
    (lambda: effect().predict(X[["fare"]]), "X_new must be a data frame with 'age'; got the columns 'fare'."),
    (lambda: effect().predict(["a"]), "X_new must be numbers for 'age'; got ['a']."),
    (lambda: effect().predict(3), "X_new must be a data frame with 'age' or a list of values; got 3."),
    (lambda: effect(("age", "sex")).predict([1]), "X_new must be a data frame with 'age', 'sex'; got [1]."),
    (lambda: effect().predict(X, extrapolate="edge"), "extrapolate must be True or False; got 'edge'."),
    (
        lambda: FeatureEffect(Predictor(f, X.assign(probe=np.nan)), "probe"),
        "feature 'probe' has no non-missing value; there is no effect to draw.",
    ),
    (
        lambda: FeatureEffect(Predictor(f, X.assign(probe=None)), ("age", "probe")),
        "feature 'probe' has no non-missing value; there is no effect to draw.",
    ),
    (
        lambda: FeatureEffect(Predictor(len, ARRAY), 9),
        "features must be columns of the data; got 9. They are 'x0', 'x1', 'x2', or a position from 0 to 2.",
    ),
    (
        lambda: FeatureEffect(Predictor(len, ARRAY), -1),
        "features must be columns of the data; got -1. They are 'x0', 'x1', 'x2', or a position from 0 to 2.",
    ),
    (
        lambda: FeatureEffect(Predictor(len, ARRAY), "x9"),
        "features must be columns of the data; got 'x9'. They are 'x0', 'x1', 'x2'.",
    ),
    # the predictor's arguments
    (lambda: predictor(sample_weight=np.ones(3)), "sample_weight must have one entry per row (4); got 3."),
    (
        lambda: predictor(sample_weight=np.ones((4, 1))),
        "sample_weight must have one entry per row (4); got an array of shape (4, 1).",
    ),
    (lambda: predictor(sample_weight=[1, 1, 1, np.nan]), f"{WEIGHTS} nan in row 3."),
    (lambda: predictor(sample_weight=[1, np.inf, 1, 1]), f"{WEIGHTS} inf in row 1."),
    (lambda: predictor(sample_weight=[1, 1, -1, 2]), f"{WEIGHTS} -1.0 in row 2."),
    (lambda: predictor(sample_weight=[0, 0, 0, 0]), f"{WEIGHTS} only zeros."),
    (
        lambda: predictor(BINARY, NUMBERS, target="Yes"),
        "target must be among 'no', 'yes'; got 'Yes'. Did you mean 'yes'?",
    ),
    (lambda: predictor(BINARY, NUMBERS, target="maybe"), "target must be among 'no', 'yes'; got 'maybe'."),
    (
        lambda: predictor(IRIS, NUMBERS, target="Setosa"),
        "target must be among 'setosa', 'versicolor', 'virginica'; got 'Setosa'. Did you mean 'setosa'?",
    ),
    (
        lambda: predictor(IRIS, NUMBERS, target=["setosa", "setosa"]),
        "target must be one or several different outputs; got ['setosa', 'setosa'].",
    ),
    (lambda: predictor(IRIS, NUMBERS, target=[]), "target must be one or several different outputs; got []."),
    (
        lambda: predictor(BINARY, NUMBERS, target=["no", "yes"], response_method="decision_function").outputs,
        "target must be one class: the decision function has one column; got ['no', 'yes'].",
    ),
    (lambda: predictor(lambda Z: np.ones((len(Z), 2)), target=2).outputs, "target must be among 0, 1; got 2."),
    (
        lambda: predictor(categorical=["sexx"]),
        f"categorical must be columns of the data; got 'sexx'. Did you mean 'sex'? {COLUMNS}",
    ),
    (lambda: predictor(categorical=True), "categorical must be a list of features; got True."),
    (
        lambda: predictor(feature_names=["a", "b", "c"]),
        "feature_names must be None for a data frame, which has names of its own; got ['a', 'b', 'c'].",
    ),
    (lambda: predictor(len, ARRAY, feature_names=["a"]), "feature_names must be one name per column (3); got 1."),
    (
        lambda: predictor(len, ARRAY, feature_names="abc"),
        "feature_names must be a list of names, one per column; got 'abc'.",
    ),
    (
        lambda: predictor(engine="tree"),
        "engine must be one of 'auto', 'brute', 'trees', 'recursion'; got 'tree'. Did you mean 'trees'?",
    ),
    (lambda: predictor(batch_rows=0), "batch_rows must be a whole number of at least 1; got 0."),
    (lambda: predictor(batch_rows="all"), "batch_rows must be 'auto' or a whole number of at least 1; got 'all'."),
    (lambda: predictor(n_jobs=0), "n_jobs must be None, a positive number, or -1 for all cores; got 0."),
    (lambda: predictor(n_jobs="2"), "n_jobs must be None, a positive number, or -1 for all cores; got '2'."),
    (lambda: predictor(progress="yes"), "progress must be True, False, 'auto' or a callable; got 'yes'."),
    (lambda: predictor(BINARY, NUMBERS, response_method="proba"), f"{RESPONSE} 'proba'."),
    (
        lambda: predictor(REGRESSION, NUMBERS, response_method="predict_proba"),
        "response_method must be a method of the model ('predict'); got 'predict_proba'.",
    ),
    (
        lambda: predictor(response_method="predict"),
        "response_method must be 'auto' for a function f(X); got 'predict'.",
    ),
    # the data
    (
        lambda: predictor(f, X.set_axis(["temp", "temp", "hum"], axis=1)),
        "the data must have unique column names; got 'temp' more than once.",
    ),
    (
        lambda: predictor(len, ARRAY, feature_names=["a", "b", "a"]),
        "the data must have unique column names; got 'a' more than once.",
    ),
    (
        lambda: predictor(f, pa.table([pa.array([1]), pa.array([2])], names=["temp", "temp"])),
        "the data must have unique column names; got 'temp' more than once.",
    ),
    (
        lambda: predictor(lambda Z: pd.DataFrame(np.ones((1, 2)), columns=["y", "y"])).outputs,
        "predictions must have unique column names; got 'y' more than once.",
    ),
    (lambda: predictor(f, X.head(0)), "the data must have at least one row; got none."),
    (lambda: predictor(f, X[[]]), "the data must have at least one column; got none."),
    (lambda: predictor(f, pl.DataFrame()), "the data must have at least one column; got none."),
    (lambda: predictor(f, np.ones(3)), f"{DATA} an array of shape (3,). Use X.reshape(-1, 1) for a single feature."),
    (lambda: predictor(f, np.ones((3, 2, 2))), f"{DATA} an array of shape (3, 2, 2)."),
    # the model's answers
    (
        lambda: answering(lambda Z: np.ones(len(Z) - 1), THREE_HUNDRED),
        "the model must return one prediction per row; for 300 rows it returned 299.",
    ),
    (
        lambda: answering(lambda Z: 1.0),
        "the model must return one prediction per row; for 4 rows it returned a single number.",
    ),
    (
        lambda: FeatureEffect(Predictor(lambda Z: [], X.head(1)), "age", grid=[1]),
        "the model must return one prediction per row; for 1 row it returned 0.",
    ),
    (
        lambda: answering(lambda Z: np.ones((len(Z), 2, 2))),
        "predictions must be of shape (n,) or (n, K); got shape (4, 2, 2). "
        "Use a function that returns the columns you want.",
    ),
    (
        lambda: answering(lambda Z: np.ones((len(Z), 0))),
        "predictions must be of shape (n,) or (n, K); got shape (4, 0).",
    ),
    (
        lambda: answering(lambda Z: np.where(np.asarray(Z["fare"]) > 2, np.nan, 1.0)),
        "the model returned 4 non-finite predictions for the background data; the effect would be NaN.",
    ),
    (
        lambda: answering(lambda Z: np.where(np.asarray(Z["fare"]) > 4, -np.inf, 1.0)),
        "the model returned 2 non-finite predictions for the background data; the effect would be NaN.",
    ),
]

TYPES = [  # what is wrong with a type: TypeError
    (
        lambda: FeatureEffect(REGRESSION, "age"),
        "predictor must be a Predictor; got a LinearRegression. Use Predictor(model, X).",
    ),
    (lambda: FeatureEffect(None, "age"), "predictor must be a Predictor; got None. Use Predictor(model, X)."),
    (
        lambda: predictor(LinearRegression, NUMBERS),
        "model must be a fitted estimator or a function f(X); got the class LinearRegression. "
        "Use a fitted instance of LinearRegression.",
    ),
    (
        lambda: FeatureEffect.pooled({"a": effect(), "b": effect()}),
        "effects must be a list of FeatureEffect; got ['a', 'b'].",
    ),
    (lambda: predictor("model"), f"{MODEL} a str."),
    (lambda: predictor(None), f"{MODEL} None."),
    (lambda: predictor(f, scipy.sparse.csr_matrix(np.eye(3))), f"{DATA} a sparse matrix. {TOARRAY}"),
    (lambda: predictor(f, scipy.sparse.coo_array(np.eye(3))), f"{DATA} a sparse matrix. {TOARRAY}"),
    (
        lambda: predictor(f, pl.DataFrame({"age": [1.0]}).lazy()),
        f"{DATA} a lazy frame (LazyFrame). Use Predictor(..., rows=10_000) for a sample of the rows, or X.collect().",
    ),
    (lambda: predictor(f, [[1, 2], [3, 4]]), f"{DATA} a list. Use np.asarray(X)."),
    (lambda: predictor(f, {"age": [1]}), f"{DATA} a dict. Use pd.DataFrame(X)."),
    (lambda: predictor(f, X["age"]), f"{DATA} a Series. Use np.asarray(X)."),
    (lambda: predictor(f, "data.csv"), f"{DATA} a str."),
    (lambda: predictor(f, None), f"{DATA} None."),
    (lambda: predictor(f, np.ma.masked_array(np.eye(2))), f"{DATA} a masked array. Use X.filled(np.nan)."),
    (
        lambda: predictor(f, np.ones((2, 2), complex)),
        "the data must be numbers, dates or text; got an array of dtype complex128.",
    ),
    (
        lambda: predictor(f, pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")]))),
        "the data must be a frame with one level of column names; got a MultiIndex. "
        'Use X.columns = ["_".join(map(str, c)) for c in X.columns].',
    ),
    (
        lambda: FeatureEffect(Predictor(f, X.assign(tags=[[1], [2], [3], [4]])), "tags"),
        "feature 'tags' must be of numbers, dates, text or levels; got values such as [1].",
    ),
    (
        lambda: FeatureEffect(Predictor(f, X.assign(wave=1 + 2j)), "wave"),
        "feature 'wave' must be of numbers, dates, text or levels; got values such as (1+2j).",
    ),
    (
        lambda: predictor(sample_weight=["a", "b", "c", "d"]),
        "sample_weight must be numbers, one per row; got ['a', 'b', 'c', 'd'].",
    ),
    (lambda: predictor(sample_weight="fare"), "sample_weight must be numbers, one per row; got 'fare'."),
    (
        lambda: PREDICTOR.predict([[20.0, 1.0, "f"]]),
        "X must be a data frame or a 2-D array; got a list. Use rows like the background data's.",
    ),
    (
        lambda: PREDICTOR.predict(X["age"]),
        "X must be a data frame or a 2-D array; got a Series. Use rows like the background data's.",
    ),
    (lambda: answering(lambda Z: None), "predictions must be an array, a list, a series or a frame; got None."),
    (lambda: answering(lambda Z: {"a": 1}), "predictions must be an array, a list, a series or a frame; got a dict."),
    (lambda: answering(lambda Z: ["a"] * len(Z)), f"predictions must be numbers; got values such as 'a'. {NUMERIC}"),
    (lambda: answering(lambda Z: ["1"] * len(Z)), f"predictions must be numbers; got values such as '1'. {NUMERIC}"),
    (
        lambda: answering(lambda Z: np.array(["1"] * len(Z), dtype=object)),
        f"predictions must be numbers; got values such as '1'. {NUMERIC}",
    ),
    (
        lambda: answering(lambda Z: np.ones(len(Z), complex)),
        f"predictions must be numbers; got values such as (1+0j). {NUMERIC}",
    ),
    (
        lambda: answering(lambda Z: [[1], [1, 2], [1], [1]]),
        "predictions must be rectangular; got a ragged list. "
        "Use a function that returns one row of numbers per row of data.",
    ),
    (
        lambda: FeatureEffect(Predictor(BINARY, NUMBERS, response_method="predict"), "age"),
        f"predictions must be numbers; got values such as 'no'. {NUMERIC}",
    ),
]


@pytest.mark.parametrize(("call", "message"), VALUES, ids=[message[:60] for _, message in VALUES])
def test_a_wrong_value_is_a_value_error_that_says_what_is_meant(call, message):
    with pytest.raises(ValueError) as caught:
        call()
    assert str(caught.value) == message


@pytest.mark.parametrize(("call", "message"), TYPES, ids=[message[:60] for _, message in TYPES])
def test_a_wrong_type_is_a_type_error_that_says_what_is_meant(call, message):
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value) == message


def test_an_unfitted_model_says_so_in_the_words_of_scikit_learn():
    with pytest.raises(NotFittedError, match="This LinearRegression instance is not fitted yet"):
        FeatureEffect(Predictor(LinearRegression(), NUMBERS), "age")


@pytest.mark.parametrize("keyword", ["respose_method", "weights", "grid"])
def test_the_predictor_takes_no_other_argument(keyword):
    with pytest.raises(TypeError, match=f"unexpected keyword argument '{keyword}'"):
        Predictor(f, X, **{keyword: 1})


@pytest.mark.parametrize("keyword", ["grid_size", "centre_at", "ice"])
def test_the_effect_takes_no_other_argument(keyword):
    with pytest.raises(TypeError, match=f"unexpected keyword argument '{keyword}'"):
        FeatureEffect(PREDICTOR, "age", **{keyword: 1})


def test_a_message_never_shows_more_than_a_line_of_a_value():
    with pytest.raises(ValueError) as caught:
        effect(grid="x" * 5000)
    assert len(str(caught.value)) < 400


def test_a_message_never_lists_more_than_ten_columns():
    wide = pd.DataFrame(np.ones((2, 500)), columns=[f"column_{j}" for j in range(500)])
    with pytest.raises(ValueError) as caught:
        FeatureEffect(Predictor(len, wide), "colum_7")
    assert "Did you mean 'column_7'?" in str(caught.value)
    assert str(caught.value).count("column_") == 11


def test_a_model_that_is_no_sum_of_trees_is_refused_with_its_reason():
    with pytest.raises(ValueError, match=r"engine='trees' needs a sum of trees: .*\. Use engine='auto'\."):
        FeatureEffect(Predictor(REGRESSION, NUMBERS, engine="trees"), "age")
