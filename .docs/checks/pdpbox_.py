"""PDPbox."""

import inspect

import numpy as np
import pandas as pd
from common import AXIS, CALLS, RNG, X, answer, by_hand, model, three_classes, version, without
from pdpbox import info_plots, pdp
from sklearn.linear_model import LinearRegression

frame = pd.DataFrame(X, columns=["a", "b", "c"])
names = list(frame)
version("PDPbox")


class Counting:
    """The function as an object with predict."""

    n_features_in_ = 3

    def predict(self, rows):
        return model(rows)


def isolate(feature="a", data=frame, **more):
    """One PD; the frame is a copy, because PDPbox writes into it."""
    options = {"n_classes": 0, "cust_grid_points": list(AXIS), **more}
    return pdp.PDPIsolate(Counting(), data.copy(), names, feature, str(feature), **options)


answer("PD", lambda: np.allclose(isolate().results[0].pdp, by_hand()))
answer(
    "a plain function",
    lambda: (
        pdp.PDPIsolate(
            None,
            frame.copy(),
            names,
            "a",
            "a",
            pred_func=lambda m, d: model(d),
            n_classes=0,
            cust_grid_points=list(AXIS),
        )
        .results[0]
        .pdp.shape
    ),
)
answer("calls for 20 points", lambda: (isolate(), len(CALLS))[1])
answer("ICE", lambda: isolate().results[0].ice_lines.shape)
answer("anchor, in", lambda: inspect.signature(pdp.PDPIsolate.plot).parameters["center"])
answer("what a result holds", lambda: sorted(vars(isolate().results[0])))
answer("picture", lambda: [type(part) for part in isolate().plot()][:1])
answer("picture, matplotlib", lambda: [type(part) for part in isolate().plot(engine="matplotlib")][:1])
answer("clusters of curves", lambda: len(isolate().plot(plot_lines=True, cluster=True, n_cluster_centers=3)))
answer(
    "two features",
    lambda: (
        pdp.PDPInteract(Counting(), frame.copy(), names, ["a", "b"], ["a", "b"], n_classes=0, num_grid_points=5)
        .results[0]
        .pdp.shape
    ),
)
hot = frame.assign(u=(X[:, 0] > 0) * 1, v=(X[:, 0] <= 0) * 1)[["b", "c", "u", "v"]]
linear = LinearRegression().fit(hot, X[:, 0])
answer(
    "levels as one-hot columns",
    lambda: pdp.PDPIsolate(linear, hot.copy(), list(hot), ["u", "v"], "side", n_classes=0).results[0].pdp,
)
towns = frame.assign(town=RNG.choice(["u", "v", "w"], 200))
answer(
    "levels as text",
    lambda: (
        pdp.PDPIsolate(
            Counting(),
            towns.copy(),
            [*names, "town"],
            "town",
            "town",
            n_classes=0,
            pred_func=lambda m, d: m.predict(d[names]),
        )
        .results[0]
        .pdp
    ),
)
answer(
    "three classes in a call",
    lambda: len(
        pdp.PDPIsolate(
            None, frame.copy(), names, "a", "a", pred_func=lambda m, d: three_classes(d), n_classes=3
        ).results
    ),
)
answer("weights", lambda: without(inspect.signature(pdp.PDPIsolate.__init__).parameters, "weight"))
answer(
    "ALE, H, importance, SHAP",
    lambda: without(
        [*dir(pdp), *dir(info_plots)], "ale", "h_stat", "friedman", "import", "shap", "deriv", "slope", "region"
    ),
)


def touched():
    own = frame.copy()
    pdp.PDPIsolate(Counting(), own, names, "a", "a", n_classes=0)
    return [*own.columns]


answer("columns of the caller's frame", touched)
