"""alibi."""

import inspect

import numpy as np
from alibi import explainers
from alibi.explainers import ALE, PartialDependence, PartialDependenceVariance, TreePartialDependence
from common import AXIS, CALLS, X, answer, by_hand, model, three_classes, version, without
from sklearn.ensemble import GradientBoostingRegressor

version("alibi")
given = {"features": [0], "grid_points": {0: AXIS}}
answer(
    "PD of a plain function",
    lambda: np.allclose(PartialDependence(model).explain(X, **given).pd_values[0][0], by_hand()),
)


def counted():
    made = PartialDependence(model)
    CALLS.clear()
    made.explain(X, features=[0], grid_resolution=20)
    return len(CALLS)


answer("calls for 20 points", counted)
answer("ICE", lambda: PartialDependence(model).explain(X, kind="both", **given).ice_values[0].shape)
answer("centred, in", lambda: inspect.signature(explainers.plot_pd).parameters["center"])
answer(
    "two features", lambda: PartialDependence(model).explain(X, features=[(0, 1)], grid_resolution=5).pd_values[0].shape
)
answer("three classes in a call", lambda: PartialDependence(three_classes).explain(X, **given).pd_values[0].shape)
grouped = np.c_[X, np.random.default_rng(2).integers(0, 3, 200)]
names = {3: ["u", "v", "w"]}
answer(
    "levels as whole numbers",
    lambda: PartialDependence(lambda r: r[:, 3], categorical_names=names).explain(grouped, features=[3]).pd_values[0],
)
answer("ALE", lambda: ALE(model).explain(X, features=[0]).ale_values[0].shape)
answer(
    "ALE of levels, two features",
    lambda: list(inspect.signature(ALE.__init__).parameters) + list(inspect.signature(ALE.explain).parameters),
)
answer("ALE of a pair", lambda: ALE(model).explain(X, features=[(0, 1)]).ale_values[0].shape)
answer("PD importance", lambda: PartialDependenceVariance(model).explain(X, features=[0, 1, 2]).feature_importance)
answer(
    "PD interaction",
    lambda: (
        PartialDependenceVariance(model)
        .explain(X, features=[(0, 1)], method="interaction", grid_resolution=5)
        .feature_interaction
    ),
)
trees = GradientBoostingRegressor().fit(X, model(X))
follow = TreePartialDependence(trees).explain(X, features=[0], grid_resolution=20).pd_values[0][0]
brute = PartialDependence(trees.predict).explain(X, features=[0], grid_resolution=20).pd_values[0][0]
answer("trees: brute's curve, centred", lambda: np.allclose(follow - follow.mean(), brute - brute.mean()))
answer(
    "weights, errors",
    lambda: without(
        [*inspect.signature(PartialDependence.explain).parameters, *PartialDependence(model).explain(X, **given).data],
        "weight",
        "se_",
        "std",
        "conf",
    ),
)
answer(
    "three features",
    lambda: PartialDependence(model).explain(X, features=[(0, 1, 2)], grid_resolution=5).pd_values[0].shape,
)
answer(
    "H, slopes", lambda: without(explainers.__all__, "deriv", "slope", "region", "h_stat", "friedman", "interaction")
)
answer(
    "SHAP, anchors, counterfactuals",
    lambda: [n for n in explainers.__all__ if "Shap" in n or "Anchor" in n or "Counter" in n],
)
answer(
    "permutation importance",
    lambda: (
        explainers.PermutationImportance(
            model, loss_fns={"loss": lambda y_true, y_pred: np.mean((y_true - y_pred) ** 2)}
        )
        .explain(X, model(X) + 0.1, method="difference", n_repeats=2)
        .data["feature_importance"]
    ),
)


def drawn():
    import matplotlib

    matplotlib.use("Agg")
    return type(explainers.plot_pd(PartialDependence(model).explain(X, **given)).ravel()[0].figure)


answer("picture", drawn)
answer("regions, clusters", lambda: without(explainers.__all__, "region", "cluster"))
