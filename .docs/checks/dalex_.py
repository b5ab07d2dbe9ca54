"""dalex."""

import inspect

import dalex
import numpy as np
import pandas as pd
from common import AXIS, CALLS, RNG, X, answer, by_hand, model, three_classes, version, without

frame = pd.DataFrame(X, columns=["a", "b", "c"])
explainer = dalex.Explainer(model, frame, model(X), predict_function=lambda m, d: m(d), verbose=False)
version("dalex")
options = {"N": None, "variables": ["a"], "verbose": False, "center": False}


def profile(kind="partial", **more):
    return explainer.model_profile(type=kind, **{**options, **more})


given = {"variable_splits": {"a": AXIS}}
answer("PD of a plain function", lambda: np.allclose(profile(**given).result["_yhat_"], by_hand()))
answer("calls for 20 points", lambda: (profile(grid_points=20), len(CALLS))[1])
answer("columns", lambda: list(profile().result))
answer("type of the picture", lambda: type(profile().plot(show=False)))
answer("ICE", lambda: explainer.predict_profile(frame.head(3), variables=["a"], verbose=False).result.shape)
answer("two features", lambda: profile(variables=[("a", "b")]).result["_vname_"].unique())
answer("groups", lambda: list(profile(groups="g").result) if "g" in frame else inspect.signature(explainer.model_profile))
answer("conditional profile (M plot)", lambda: profile("conditional").result.shape)
answer("accumulated profile", lambda: profile("accumulated", **given).result["_yhat_"].to_numpy().round(2)[:4])
two = RNG.normal(size=200)
tied = pd.DataFrame({"a": two, "b": two + RNG.normal(scale=0.1, size=200)})
product = dalex.Explainer(model, tied, predict_function=lambda m, d: np.asarray(d["a"] * d["b"]), verbose=False)
answer("  its ends, of a * b", lambda: product.model_profile(type="accumulated", N=None, variables=["a"], verbose=False, center=False).result["_yhat_"].iloc[[0, 50, -1]].round(2).tolist())
towns = frame.assign(town=RNG.choice(["u", "v", "w"], 200))
levels = dalex.Explainer(model, towns, predict_function=lambda m, d: m(d[["a", "b", "c"]]), verbose=False)
answer("levels as text", lambda: levels.model_profile(variables=["town"], variable_type="categorical", verbose=False).result.shape)
answer("ALE of levels", lambda: levels.model_profile(type="accumulated", variables=["town"], variable_type="categorical", verbose=False).result.shape)
answer("groups", lambda: levels.model_profile(variables=["a"], groups="town", verbose=False).result["_label_"].unique())
answer("weights used in the average", lambda: bool(
    np.ptp(dalex.Explainer(model, frame, model(X), predict_function=lambda m, d: m(d), verbose=False,
                           weights=np.r_[1.0, np.zeros(199)]).model_profile(**options, **given).result["_yhat_"] - by_hand()) > 1e-9))
many = dalex.Explainer(three_classes, frame, predict_function=lambda m, d: m(d), verbose=False)
answer("three classes in a call", lambda: many.model_profile(**options).result.shape)
names = dir(dalex.Explainer)
answer("H, PD importance", lambda: without([*names, *inspect.signature(dalex.Explainer.model_profile).parameters], "inter", "h_stat", "ale", "se_", "conf"))
answer("SHAP values", lambda: explainer.predict_parts(frame.iloc[[0]], type="shap", B=2).result.shape)
answer("permutation importance", lambda: explainer.model_parts(B=2).result.shape)
answer("fairness, surrogates", lambda: [n for n in names if "fair" in n or "surrogate" in n])
