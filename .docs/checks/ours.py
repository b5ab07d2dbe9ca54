"""interpret_pd itself, asked the same questions."""

import numpy as np
import pandas as pd
from common import AXIS, CALLS, RNG, X, answer, by_hand, model, three_classes, version, without
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.inspection import partial_dependence

import interpret_pd
from interpret_pd import FeatureEffect, FeatureEffects, Predictor, h_statistic, pd_importance

version("interpret-pd")
frame = pd.DataFrame(X, columns=["a", "b", "c"])
towns = frame.assign(town=RNG.choice(["u", "v", "w"], 200))
plain = Predictor(model, frame)
text = Predictor(lambda rows: rows["a"] * (rows["town"] == "u"), towns)
answer("PD of a plain function", lambda: np.allclose(FeatureEffect(plain, "a", grid=AXIS).values[0], by_hand()))


def counted():
    FeatureEffect(plain, "a", grid=20)
    return len(CALLS)


answer("calls for 20 points", counted)
answer("columns", lambda: list(FeatureEffect(plain, "a", method="pdp+ice").results))
answer("picture", lambda: type(FeatureEffect(plain, "a").plot()))
answer("ICE", lambda: FeatureEffect(plain, "a", method="ice").values.shape)
answer("anchor", lambda: FeatureEffect(plain, "a", method="cice", center_at=0.5).anchor)
answer("slopes", lambda: FeatureEffect(plain, "a", method="ice").derivative().method)
answer("two features", lambda: FeatureEffect(plain, ("a", "b"), grid=5).values.shape)
answer("three features", lambda: FeatureEffect(plain, ("a", "b", "c"), grid=5).values.shape)
answer("levels as text", lambda: FeatureEffect(text, "town").values.shape)
answer("ALE", lambda: FeatureEffect(plain, "a", method="ale").values.shape)
answer("ALE of levels", lambda: FeatureEffect(text, "town", method="ale").values.shape)
answer("ALE of a pair", lambda: FeatureEffect(plain, ("a", "b"), method="ale").values.shape)
answer("PD importance", lambda: pd_importance(plain)["importance"].tolist())
answer("  of curves, of pairs", lambda: [len(pd_importance(plain, method=m, grid=5)) for m in ("ice", "pairwise")])
answer("H", lambda: [len(h_statistic(plain, kind=kind, n_max=50)) for kind in ("overall", "pairwise", "total")])
answer("three classes in a call", lambda: FeatureEffect(Predictor(three_classes, X), 0).values.shape)
heavy = Predictor(model, frame, sample_weight=np.r_[1.0, np.zeros(199)])
answer("weights", lambda: np.allclose(FeatureEffect(heavy, "a", grid=AXIS).values[0], AXIS**2 * X[0, 1] + X[0, 2]))
answer("standard error", lambda: FeatureEffect(plain, "a").se.shape)
answer("support", lambda: FeatureEffect(plain, "a").support.shape)
answer("groups", lambda: FeatureEffect(text, "a", by="town").outputs)
holes = frame.assign(a=frame["a"].where(RNG.random(200) > 0.1))
answer(
    "missing as a point",
    lambda: FeatureEffect(Predictor(lambda r: r["a"].isna() * 1.0, holes), "a", missing=True).values[0, -1],
)
answer("read off at new rows", lambda: FeatureEffect(plain, "a").predict([0.0, 0.5]).shape)
answer("all features", lambda: len(FeatureEffects(plain)))
tied = pd.DataFrame(
    np.random.default_rng(7).multivariate_normal([0, 0], [[1, 0.99], [0.99, 1]], 200), columns=["a", "b"]
)
product = Predictor(lambda rows: rows["a"] * rows["b"], tied)
answer(
    "  ALE's ends, of a * b",
    lambda: FeatureEffect(product, "a", method="ale", grid=50).values[0, [0, 25, 50]].round(2).tolist(),
)
trees = GradientBoostingRegressor().fit(frame, model(X))
walked = FeatureEffect(Predictor(trees, frame, engine="trees"), "a", grid=AXIS)
brute = partial_dependence(trees, frame, ["a"], custom_values={"a": AXIS}, method="brute")["average"][0]
answer("trees: engine, brute's curve", lambda: (walked.engine, np.allclose(walked.values[0], brute)))


def polars_frame():
    import polars as pl

    return FeatureEffect(Predictor(lambda rows: rows["a"], pl.DataFrame(frame.to_dict("list"))), "a").values.shape


answer("polars", polars_frame)
answer("SHAP, regions, permutation", lambda: without(dir(interpret_pd), "shap", "region", "permut", "counterf"))


def untouched():
    own = frame.copy()
    FeatureEffects(Predictor(model, own), method="pdp+ice")
    return own.equals(frame)


answer("the caller's data are as before", untouched)
