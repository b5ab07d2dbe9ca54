"""An effect: what the model does along one feature, or two, as values on a grid, a tidy frame and a picture."""

from __future__ import annotations

import copy
import html
from collections.abc import Hashable
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from interpret_pd import checks, plots, readoff
from interpret_pd.engine import run
from interpret_pd.evaluate import Values
from interpret_pd.features import Feature
from interpret_pd.frames import as_table
from interpret_pd.frames.base import Rows
from interpret_pd.grid import Grid, Spec, as_points
from interpret_pd.methods import METHODS, Layers, Method
from interpret_pd.predictor import Predictor
from interpret_pd.slope import slopes
from interpret_pd.tidy import tidy


class FeatureEffect:
    """What a model does along one feature, or two.

    Partial dependence (PD) is the average prediction when the feature is set to a value in every row of the background
    data; an individual conditional expectation (ICE) curve is one row's own prediction; a centred one (cICE) is the change
    from its value at the anchor:

        PD(x) = sum_i w_i f(x, rest_i) / sum_i w_i,     ICE_i(x) = f(x, rest_i),     cICE_i(x) = ICE_i(x) - ICE_i(anchor).

    An accumulated local effect (ALE) adds up what small moves along the feature do to the rows that are there, and so asks
    the model about no impossible combinations of features; of two features it is what neither does by itself. See
    `interpret_pd.methods.ale`.

    The constructor computes at once; every verb returns a new effect.

    Parameters
    ----------
    predictor : Predictor
        The model with its background data.
    features : name, or pair of names
        The column(s). For an array an integer is a position; in a frame it is a label.
    method : str, default "pdp"
        `"pdp"`, `"ice"`, `"pdp+ice"`, `"cice"`, `"pdp+cice"`, `"ale"`.
    grid : int, "unique", values, or mapping from features to these, default 20
        A numeric feature (or date) with at most `grid` distinct values gets exactly those, otherwise `grid` points; levels
        are all taken. Values given are kept as they are, in their order and outside the range too.
        For an ALE: the number of bins between quantiles, or their edges; levels given are passed in that order.
    spacing : {"uniform", "quantile"}, default "uniform"
        How points are laid out between the ends; an ALE's edges are quantiles always.
    percentiles : pair of floats, default (0.0, 1.0)
        The shares of the data between which the points lie.
    center_at : value or level, optional
        The anchor; it joins the grid if it isn't there. By default the first point, for centred methods.
    ice_rows : int, optional
        Keep the curves of so many rows only, drawn at random; the average is still over all.
    random_state : int, optional
        Seed of that draw.

    Attributes
    ----------
    values : float array of shape (K, G1[, G2]), or (K, k, G1) for methods with ICE curves
        The effect; K outputs, k curves, G points.
    layers : dict
        The arrays by type: `"pdp"`, `"ice"`, `"ale"`.
    grid : Grid
        The axes.
    results : DataFrame
        Tidy: <feature>[, <feature2>][, output_], type_, [id_], value_, [n_]. `id_` is the row's index label, `n_` an
        ALE's counts: 0 marks a bin, level or cell without data.
    counts : int array of shape (G1[, G2]), or None
        For an ALE the rows in the bin that ends at the point (0 at the first), at the level, or in the cell.
    left_out : int
        The rows that an ALE leaves out: with a missing or infinite value, or outside the edges or levels given.
    outputs : tuple
        The names of the K outputs.
    engine : str
        `"brute"` or `"trees"`: how the numbers were obtained. They are the same.
    anchor : value or None
        Where centred curves are 0.

    Raises
    ------
    ValueError
        For a feature, method or value that can't be; the message names the nearest that can.

    References
    ----------
    Friedman, J. H. (2001). Greedy function approximation: a gradient boosting machine. Annals of Statistics 29(5),
    1189-1232, section 8.2. doi:10.1214/aos/1013203451.
    Goldstein, A., Kapelner, A., Bleich, J. and Pitkin, E. (2015). Peeking inside the black box. Journal of Computational
    and Graphical Statistics 24(1), 44-65. doi:10.1080/10618600.2014.907095.
    Apley, D. W. and Zhu, J. (2020). Visualizing the effects of predictor variables in black box supervised learning
    models. Journal of the Royal Statistical Society B 82(4), 1059-1086. doi:10.1111/rssb.12377.

    Examples
    --------
    >>> from interpret_pd import FeatureEffect, Predictor, load_bike
    >>> predictor = Predictor(lambda X: 100 * X["temp"] + X["hum"], load_bike()[["temp", "hum"]])
    >>> effect = FeatureEffect(predictor, "temp", grid=[0, 10, 20])
    >>> effect.results.round(1)
       temp type_  value_
    0   0.0   pdp    62.8
    1  10.0   pdp  1062.8
    2  20.0   pdp  2062.8
    >>> effect.centered(at=10).values
    array([[-1000.,     0.,  1000.]])
    """

    def __init__(
        self,
        predictor: Predictor,
        features: Any,
        method: str = "pdp",
        *,
        grid: Any = 20,
        spacing: str = "uniform",
        percentiles: tuple[float, float] = (0.0, 1.0),
        center_at: Any = None,
        ice_rows: int | None = None,
        random_state: Any = None,
    ) -> None:
        if not isinstance(predictor, Predictor):
            got = checks.article(type(predictor).__name__)
            raise checks.wrong_type("predictor", "a Predictor", got, "Use Predictor(model, X).")
        self.predictor, self.spec = predictor, Spec(grid, spacing, percentiles)
        self.method = checks.one_of("method", method, METHODS)
        chosen = _features(predictor, features, self.method)
        self.features = tuple(feature.name for feature in chosen)
        rows = _rows(predictor.n_rows, ice_rows, random_state)
        self.rows = rows if METHODS[method].curves else np.empty(0, int)
        self.grid = _grid(predictor, chosen, self.spec, center_at, METHODS[method])
        self.layers, self.engine = self._computed()
        self.outputs = predictor.outputs
        self.anchor: Any = None
        if METHODS[method].centred or center_at is not None:
            anchor = self._place(center_at)
            self._center(anchor)
        for values in self.layers.values():
            values.flags.writeable = False

    @property
    def values(self) -> Values:
        """The curves, (K, k, G1), if the method keeps any, else the average, (K, G1[, G2])."""
        return self.layers.get("ice", next(iter(self.layers.values())))

    @property
    def value_label(self) -> str:
        """What the values are, for an axis."""
        label = self.predictor.value_label
        around = self._recipe.labels[len(self.features) - 1]
        if around != "{}":
            return around.format(label[0].lower() + label[1:])
        if self.anchor is None:
            return label
        return f"Change in {label[0].lower()}{label[1:]} from {self.features[0]} = {_text(self.anchor)}"

    @property
    def weights(self) -> Values | None:
        """The weights of the background rows, (n,), if there are any."""
        return self.predictor.weights

    @property
    def _recipe(self) -> Method:
        """How the values, or those that they are slopes of, were computed."""
        return METHODS[self.method.removeprefix("d-")]

    @cached_property
    def _support(self) -> tuple[Rows | None, int]:
        """The rows behind each value, and how many are left out."""
        support = self._recipe.support
        return (None, 0) if support is None else support(self.predictor, self.grid)

    @property
    def counts(self) -> Rows | None:
        """The rows behind each value of an ALE, (G1[, G2]): in the bin that ends there, at the level, in the cell."""
        return self._support[0]

    @property
    def left_out(self) -> int:
        """The rows that an ALE leaves out: with a missing or infinite value, or outside its edges or levels."""
        return self._support[1]

    @cached_property
    def results(self) -> pd.DataFrame:
        """The values as a tidy frame, one row per value."""
        labels = self.predictor.table.labels().take(self.rows)
        return tidy(self.layers, self.grid, self.outputs, labels, self.counts)

    def centered(self, at: Any = None) -> FeatureEffect:
        """The change from the value at an anchor.

        Parameters
        ----------
        at : value or level, optional
            The anchor, by default the first point. One that isn't on the grid joins it, which asks the model again.

        Returns
        -------
        FeatureEffect
            Every curve minus its own value at the anchor.
        """
        if len(self.features) == 2:
            raise ValueError("centered() takes an effect of one feature; got " + checks.shown(self.features) + ".")
        if "ale" in self.layers:
            raise ValueError("centered() takes a PD or ICE; got an ALE, whose mean over the data is 0 already.")
        anchored = _grid(self.predictor, (self.grid.axes[0].feature,), Spec(self._points()), at, self._recipe)
        effect = copy.copy(self)
        effect.__dict__.pop("results", None)
        if len(anchored.axes[0]) > len(self.grid.axes[0]):
            effect.grid = anchored
            effect.layers = self._recipe.compute(self.predictor, anchored, self.rows)
        effect._center(effect._place(at))
        return effect

    def averaged(self) -> FeatureEffect:
        """The average alone: of all rows where the method has it, else of the rows with curves.

        Returns
        -------
        FeatureEffect
            With method `"pdp"`; an ALE is an average as it is.
        """
        effect = copy.copy(self)
        effect.__dict__.pop("results", None)
        kind = "ale" if "ale" in self.layers else "pdp"
        effect.method = f"d-{kind}" if self.method.startswith("d-") else kind
        effect.rows, effect.layers = np.empty(0, int), {kind: self._average()}
        return effect

    def derivative(self, smooth: int | None = None) -> FeatureEffect:
        """The slope of every curve, per unit of the feature (per day for dates): d-ICE for ICE curves.

        Parameters
        ----------
        smooth : int, optional
            Slopes of parabolas through so many neighbouring points (odd; needs equidistant points). By default the
            difference of each point's two neighbours. A tree ensemble is a step function: its slopes are noise unless the
            grid is coarse or `smooth` is large.

        Returns
        -------
        FeatureEffect
            With the method's name prefixed by "d-"; its plot shows below the slopes how much they differ, which is
            where the feature interacts with others.

        References
        ----------
        Goldstein et al. (2015), section 3.3. Savitzky, A. and Golay, M. J. E. (1964). Analytical Chemistry 36, 1627-1639.
        """
        axis = self.grid.axes[0]
        if len(self.features) == 2 or axis.feature.levels is not None or len(np.unique(axis.points)) < 2:
            hint = "It needs one numeric feature with two points or more."
            raise ValueError(f"derivative() has no meaning for {checks.shown(self.features)} here. {hint}")
        effect = copy.copy(self)
        effect.__dict__.pop("results", None)
        effect.method = f"d-{self.method}"
        effect.layers = {kind: slopes(values, axis.points, smooth) for kind, values in self.layers.items()}
        return effect

    def predict(self, X_new: Any, *, extrapolate: bool = False) -> Values:
        """The effect read off at new rows: linear between points, by table at levels, bilinear on a surface.

        Parameters
        ----------
        X_new : data frame, or array-like of shape (n,) for one feature
            A frame with the effect's feature(s), or the feature's values.
        extrapolate : bool, default False
            Whether values outside the grid take the nearest edge's effect; NaN otherwise, as for a missing value or a level
            that isn't on the grid.

        Returns
        -------
        float array of shape (n,), or (n, K) for several outputs
            The average effect where the method has one, else the mean of the curves.
        """
        if not isinstance(extrapolate, bool | np.bool_):
            raise checks.must_be("extrapolate", "True or False", extrapolate)
        at = [
            readoff.places_of(axis.feature, column)
            for axis, column in zip(self.grid.axes, self._columns(X_new), strict=True)
        ]
        read = readoff.read_off(self._average(), self.grid, at, extrapolate)  # (K, n)
        return read[0] if len(self.outputs) == 1 else read.T

    def plot(self, **options: Any) -> Any:
        """The picture, as a plotnine `ggplot`: add themes, labels, scales and layers to it.

        Parameters
        ----------
        **options
            `rug` (True, False or "histogram"), `outputs` ("facets" or "lines") and `max_curves` (1000); see
            `interpret_pd.plots.plot_effect`.

        Returns
        -------
        ggplot
        """
        return plots.plot_effect(self, **options)

    def __repr__(self) -> str:
        names = checks.shown(self.features if len(self.features) == 2 else self.features[0])
        size = " x ".join(map(str, self.grid.shape)) + " points"
        size += f", {len(self.rows)} curves" if "ice" in self.layers else ""
        size += f", {len(self.outputs)} outputs" if len(self.outputs) > 1 else ""
        rows = f"{self.predictor.n_rows} rows"
        return f"FeatureEffect({names}, method={self.method!r}: {size}, {rows}, {self.value_label!r}, engine={self.engine!r})"

    def _repr_html_(self) -> str:
        """The summary and the first rows of the results, for notebooks."""
        return f"<p><code>{html.escape(repr(self))}</code></p>{self.results.head(8).to_html(index=False, escape=True)}"

    def _computed(self) -> tuple[Layers, str]:
        """The layers on the grid, and the engine that made them."""
        method = METHODS[self.method]
        rows = len(self.rows) if self.method in ("ice", "cice") else self.predictor.n_rows
        predictions = rows * (2 if self.method == "ale" else int(np.prod(self.grid.shape)))
        return run(self.predictor, predictions, lambda settled: method.compute(settled, self.grid, self.rows))

    def _average(self) -> Values:
        """The average layer, or the mean of the curves, (K, G1[, G2])."""
        kind = next(iter(self.layers))
        if kind != "ice":
            return self.layers[kind]
        weights = None if self.weights is None else self.weights[self.rows]
        return np.average(self.layers["ice"], axis=1, weights=weights)

    def _points(self) -> list[Any]:
        """The axis's points as the user would give them."""
        return self.grid.axes[0].values.tolist()

    def _place(self, anchor: Any) -> int:
        """Where on the axis the anchor is; the first point for None."""
        axis = self.grid.axes[0]
        if anchor is None:
            return 0
        if axis.feature.levels is not None:
            return int(np.flatnonzero(axis.points == axis.feature.levels.index(anchor))[0])
        return int(np.flatnonzero(axis.points == as_points(axis.feature, [anchor], "center_at")[0])[0])

    def _center(self, place: int) -> None:
        """Subtracts from every layer its own value at that place of the axis."""
        self.layers = {kind: values - values[..., [place]] for kind, values in self.layers.items()}
        self.anchor = self.grid.axes[0].values.iloc[place]

    def _columns(self, X_new: Any) -> list[Any]:
        """The columns of the effect's features in new data, in the features' order."""
        what = f"a data frame with {checks.listed(self.features)}"
        if not hasattr(type(X_new), "columns") and len(getattr(X_new, "shape", "1")) < 2:  # no frame, no 2-D array
            if len(self.features) == 2:
                raise checks.must_be("X_new", what, X_new)
            if isinstance(X_new, str | dict) or not hasattr(X_new, "__len__"):
                raise checks.must_be("X_new", what + " or a list of values", X_new)
            return [X_new]
        p = len(self.predictor.feature_names)
        names = self.predictor.feature_names if isinstance(X_new, np.ndarray) and X_new.shape[1:] == (p,) else None
        table = as_table(X_new, names)
        if not set(self.features) <= set(table.names):
            raise ValueError(checks.sentence("X_new", what, f"the columns {checks.listed(table.names)}"))
        return [table.read(name) for name in self.features]


def _features(predictor: Predictor, features: Any, method: str) -> tuple[Feature, ...]:
    """The one or two features that are asked for."""
    asked = list(features) if isinstance(features, list | tuple | np.ndarray | pd.Index) else [features]
    if not 1 <= len(asked) <= 2:
        raise checks.must_be("features", "one name or two", features)
    chosen = tuple(predictor.feature(name) for name in asked)
    if len(asked) > METHODS[method].max_features:
        names = checks.shown(tuple(feature.name for feature in chosen))
        raise ValueError(f"method {method!r} takes one feature; got {names}. Use method='pdp' for their joint effect.")
    if len({feature.name for feature in chosen}) < len(chosen):
        raise ValueError(f"features must differ; got {checks.shown(tuple(feature.name for feature in chosen))}.")
    return chosen


def _grid(predictor: Predictor, features: tuple[Feature, ...], spec: Spec, anchor: Any, method: Method) -> Grid:
    """The grid of the features, with the anchor on it."""
    if anchor is not None and len(features) == 2:
        raise checks.must_be("center_at", "None for two features", anchor)
    asked = spec.of(tuple(feature.name for feature in features), predictor.table.resolve)
    axes = (method.axis(predictor, feature, one, spec, anchor) for feature, one in zip(features, asked, strict=True))
    return Grid(tuple(axes))


def _rows(n: int, ice_rows: int | None, random_state: Any) -> Rows:
    """The rows whose curves are kept: all, or so many drawn at random, in the order of the data."""
    try:
        generator = np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise checks.must_be("random_state", "None, a seed or a numpy Generator", random_state) from error
    if ice_rows is None or checks.whole_number("ice_rows", ice_rows, 1) >= n:
        return np.arange(n)
    return np.sort(generator.choice(n, ice_rows, replace=False))


def _text(anchor: Any) -> str:
    """An anchor in an axis title: numbers to six digits, dates without a time of midnight."""
    if isinstance(anchor, float):
        return f"{anchor:.6g}"
    return str(anchor.date()) if isinstance(anchor, pd.Timestamp) and anchor == anchor.normalize() else str(anchor)
