"""dalex."""

import inspect

import dalex
import numpy as np
import pandas as pd
from common import AXIS, CALLS, RNG, X, answer, by_hand, model, three_classes, version, without

frame = pd.DataFrame(X, columns=["a", "b", "c"])


class Model:
    """An object, with the function that asks it given."""


def explained(function, data=frame, **more):
    """An explainer of a function of the rows."""
    return dalex.Explainer(Model(), data, predict_function=lambda m, d: function(d), verbose=False, **more)


explainer = explained(model, y=model(X))
version("dalex")
options = {"N": None, "variables": ["a"], "verbose": False, "center": False}


def profile(kind="partial", **more):
    return explainer.model_profile(type=kind, **{**options, **more})


given = {"variable_splits": {"a": AXIS}}
answer("a plain function as the model", lambda: dalex.Explainer(model, frame, verbose=False))
answer("PD", lambda: np.allclose(profile(**given).result["_yhat_"], by_hand()))
answer("calls for 20 points", lambda: (profile(grid_points=20), len(CALLS))[1])
answer("columns", lambda: list(profile().result))
answer("type of the picture", lambda: type(profile().plot(show=False)))
answer("ICE", lambda: explainer.predict_profile(frame.head(3), variables=["a"], verbose=False).result.shape)
answer("two features", lambda: profile(variables=[("a", "b")]).result["_vname_"].unique())
answer("conditional profile (M plot)", lambda: profile("conditional").result.shape)
answer("accumulated profile", lambda: profile("accumulated", **given).result["_yhat_"].to_numpy().round(2)[:4])
tied = pd.DataFrame(
    np.random.default_rng(7).multivariate_normal([0, 0], [[1, 0.99], [0.99, 1]], 200), columns=["a", "b"]
)
product = explained(lambda d: np.asarray(d["a"] * d["b"]), tied)
answer(
    "  its ends, of a * b",
    lambda: (
        product.model_profile(type="accumulated", N=None, variables=["a"], verbose=False, center=False)
        .result["_yhat_"]
        .iloc[[0, 50, -1]]
        .round(2)
        .tolist()
    ),
)
towns = frame.assign(town=RNG.choice(["u", "v", "w"], 200))
levels = explained(lambda d: model(d[["a", "b", "c"]]), towns)
answer(
    "levels as text",
    lambda: levels.model_profile(variables=["town"], variable_type="categorical", verbose=False).result.shape,
)
answer(
    "ALE of levels",
    lambda: (
        levels.model_profile(
            type="accumulated", variables=["town"], variable_type="categorical", verbose=False
        ).result.shape
    ),
)
answer("groups", lambda: levels.model_profile(variables=["a"], groups="town", verbose=False).result["_label_"].unique())
answer(
    "weights used in the average",
    lambda: bool(
        np.ptp(
            explained(model, y=model(X), weights=np.r_[1.0, np.zeros(199)])
            .model_profile(**options, **given)
            .result["_yhat_"]
            - by_hand()
        )
        > 1e-9
    ),
)
many = explained(three_classes)
answer("three classes in a call", lambda: many.model_profile(**options).result.shape)
names = dir(dalex.Explainer)
answer(
    "H, PD importance",
    lambda: without(
        [*names, *inspect.signature(dalex.Explainer.model_profile).parameters],
        "inter",
        "h_stat",
        "ale",
        "se_",
        "conf",
        "deriv",
        "slope",
    ),
)
answer("SHAP values", lambda: explainer.predict_parts(frame.iloc[[0]], type="shap", B=2).result.shape)
answer("permutation importance", lambda: explainer.model_parts(B=2).result.shape)
answer("fairness, surrogates", lambda: [n for n in names if "fair" in n or "surrogate" in n])
answer("ALE of two features", lambda: profile("accumulated", variables=[("a", "b")]).result.shape)
answer("regions, clusters", lambda: without(names, "region", "cluster"))
