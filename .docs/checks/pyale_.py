"""PyALE."""

import inspect

import numpy as np
import pandas as pd
import PyALE
from common import CALLS, RNG, X, answer, model, version, without
from PyALE import ale


class Model:
    """The function as an object with predict."""

    def predict(self, rows):
        return model(rows)


frame = pd.DataFrame(X, columns=["a", "b", "c"])
version("PyALE")
answer("a plain function", lambda: ale(frame, model, ["a"], plot=False).shape)
answer("ALE, its columns", lambda: list(ale(frame, Model(), ["a"], plot=False)))
answer("calls", lambda: (ale(frame, Model(), ["a"], plot=False, include_CI=False), len(CALLS))[1])
answer("two features", lambda: ale(frame, Model(), ["a", "b"], grid_size=5, plot=False).shape)
towns = frame.assign(town=RNG.choice(["u", "v", "w"], 200))


class Text:
    """A model that reads the text itself."""

    def predict(self, rows):
        return np.asarray(rows["a"] * (rows["town"] == "u"), float)


answer(
    "levels as text, no encode_fun",
    lambda: ale(towns, Text(), ["town"], feature_type="discrete", predictors=["a", "b", "c", "town"], plot=False).shape,
)


def drawn():
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    ale(frame, Model(), ["a"])
    return [type(plt.figure(number)) for number in plt.get_fignums()]


answer("picture", drawn)
answer("public names", lambda: [n for n in dir(PyALE) if not n.startswith("_")])
answer("weights, classes", lambda: without(inspect.signature(ale).parameters, "weight", "class", "target"))
