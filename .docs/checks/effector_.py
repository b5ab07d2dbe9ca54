"""effector."""

import inspect

import effector
import numpy as np
from common import AXIS, CALLS, X, answer, by_hand, model, three_classes, version, without

version("effector")
answer("PD of a plain function", lambda: np.allclose(effector.PDP(X, model).eval(0, AXIS, centering=False), by_hand()))


def counted():
    pdp = effector.PDP(X, model)
    CALLS.clear()
    pdp.eval(0, AXIS)
    return len(CALLS), f"rows {sum(CALLS)}"


answer("calls for 20 points", counted)
answer("a data frame", lambda: effector.from_dataframe)


def drawn():
    import matplotlib

    matplotlib.use("Agg")
    return [type(part) for part in effector.PDP(X, model).plot(0, heterogeneity="ice", show_plot=False)]


answer("picture with ICE", drawn)
answer("ICE: what eval_heter gives", lambda: effector.PDP(X, model).eval_heter(0, AXIS).shape)
answer("errors: what fit leaves", lambda: sorted(effector.PDP(X, model).payload(0)))
answer("ALE", lambda: effector.ALE(X, model).eval(0, AXIS).shape)
answer("RHALE", lambda: effector.RHALE(X, model).eval(0, AXIS).shape)
answer("derivative PD", lambda: effector.DerPDP(X, model).eval(0, AXIS).shape)
answer("SHAP dependence", lambda: effector.ShapDP(X[:50], model, nof_instances=20).eval(0, AXIS).shape)
answer("importance", lambda: effector.PDP(X, model).importances())
signs = np.random.default_rng(1).uniform(-1, 1, (500, 3))
answer(
    "regional effects",
    lambda: [
        str(region)
        for region in effector.PDP(signs, lambda rows: rows[:, 0] * np.where(rows[:, 1] > 0, 1, -1))
        .find_regions(0)
        .regions
    ],
)
answer("two features", lambda: effector.PDP(X, model).eval((0, 1), AXIS))
answer("three classes in a call", lambda: effector.PDP(X, three_classes).eval(0, AXIS).shape)
answer("weights", lambda: without(inspect.signature(effector.PDP.__init__).parameters, "weight"))
answer("H", lambda: without(dir(effector), "h_stat", "friedman", "interaction", "permut", "counterf"))
grouped = np.c_[X, np.random.default_rng(2).integers(0, 3, 200)]
schema = {"feature_types": ["continuous"] * 3 + ["nominal"]}
for name in ("PDP", "ALE"):
    made = getattr(effector, name)
    answer(
        f"levels as whole numbers, {name}",
        lambda made=made: (
            made(grouped, lambda r: r[:, 0] * (r[:, 3] == 1) + r[:, 3], schema=schema)
            .eval(3, np.array([0.0, 1, 2]))
            .round(3)
        ),
    )
answer("schema", lambda: inspect.signature(effector.Schema))
answer("groups, by a mask", lambda: effector.PDP(X, model).eval(0, AXIS, mask=X[:, 1] > 0).round(1)[[0, -1]])
answer("groups, by a rule", lambda: effector.PDP(X, model).eval(0, AXIS, rule="x_1 > 0").round(1)[[0, -1]])
answer("ALE of two features", lambda: effector.ALE(X, model).eval((0, 1), AXIS))
