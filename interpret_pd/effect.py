"""An effect: what the model does along one feature, or two, as values on a grid, a tidy frame and a picture."""

from __future__ import annotations

import copy
import html
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd

from interpret_pd import checks, plots, verbs
from interpret_pd.curves.pooling import pooled
from interpret_pd.door import door
from interpret_pd.evaluate import Values
from interpret_pd.frames.base import Rows
from interpret_pd.grid import Spec
from interpret_pd.methods import METHODS, Method
from interpret_pd.methods.computing import compute
from interpret_pd.plots.text import brief, plain
from interpret_pd.predictor import Predictor
from interpret_pd.predictor.stopping import Stop
from interpret_pd.predictor.support import support
from interpret_pd.windows import record, request, wording
from interpret_pd.windows.tidy import tidy

NO_MATH = "tex2jax_ignore mathjax_ignore"  # what MathJax leaves alone
SHOWN = 50  # characters of a column's name in a notebook
NORMAL = 1.959963984540054  # the 0.975 quantile of the normal distribution


class FeatureEffect:
    """What a model does along one feature, or two.

    Partial dependence (PD) is the average prediction when the feature is set to a value in every row of the background
    data; an individual conditional expectation (ICE) curve is one row's own prediction; a centred one (cICE) is the
    change from its value at the anchor::

        PD(x)     = sum_i w_i f(x, rest_i) / sum_i w_i
        ICE_i(x)  = f(x, rest_i)
        cICE_i(x) = ICE_i(x) - ICE_i(anchor)

    An accumulated local effect (ALE) adds up what small moves along the feature do to the rows that are there, and so
    asks the model about no impossible combinations of features; of two features it is what neither does by itself. See
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
        A numeric feature (or date) with at most `grid` distinct values gets exactly those, otherwise `grid` points;
        levels are all taken. Values given are kept as they are, in their order and outside the range too; but a text
        that is a level of the data but for case and spaces is taken for a slip.
        For an ALE: the number of bins between quantiles, or their edges; levels given are passed in that order.
    spacing : {"uniform", "quantile"}, default "uniform"
        How points are laid out between the ends; an ALE's edges are quantiles always.
    percentiles : pair of floats, default (0.0, 1.0)
        The shares of the data between which the points lie.
    center_at : value or level, optional
        The anchor; it joins the grid if it isn't there. By default the first point, for centred methods.
    ice_rows : int, optional
        Keep the curves of so many rows only, drawn at random; the average is still over all. Curves that would take
        more than 2 GiB (8 bytes per output, row and point) are refused.
    random_state : int, optional
        Seed of that draw.
    within_support : bool, default False
        Average at each point only the rows that the data support there (see `support_`): a conditional-style average,
        which is not the partial dependence, and is labelled so.
    by : feature, optional
        A feature with levels: the partial dependence of the rows of each level, side by side in one result.
    missing : bool, default False
        Whether a missing value is the last point of the axis: what the model does when the feature is not known.
    tolerance : float, optional
        Only as many background rows as needed, for an expensive model: they join in random order (`random_state`), in
        blocks, until every point's standard error is at most so large a share of the curve's range; `provenance` says
        how many rows and calls it took. Of a curve that is flat all rows are used. By default all rows are averaged.

    Attributes
    ----------
    values : float array of shape (K, G1[, G2]), or (K, k, G1) for methods with ICE curves
        The effect; K outputs, k curves, G points.
    layers : dict
        The arrays by type: `"pdp"`, `"ice"`, `"ale"`.
    grid : Grid
        The axes.
    results : DataFrame
        Tidy: the feature(s), [`output_`], `type_`, [`id_`], `value_`, [`se_`, `lower_`, `upper_`], `support_`,
        [`supported_`], [`n_`]. `id_` is the row's index label, `lower_` to `upper_` a 95 % band, `support_` how well
        the data cover the point, `supported_` whether the row is plausible there, `n_` an ALE's counts: 0 marks a bin,
        level or cell without data.
    se : float array of shape (K, G1[, G2]), or None
        The standard error that the average has because the background data are a sample of rows, of an ALE for given
        edges; not the model's own uncertainty. It is against the population that the rows are from, also where n of
        N rows were drawn (`Predictor(..., rows=n)`); against the average over those N it is sqrt(1 - n / N) times that.
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

    Goldstein, A., Kapelner, A., Bleich, J. and Pitkin, E. (2015). Peeking inside the black box. Journal of
    Computational and Graphical Statistics 24(1), 44-65. doi:10.1080/10618600.2014.907095.

    Apley, D. W. and Zhu, J. (2020). Visualizing the effects of predictor variables in black box supervised learning
    models. Journal of the Royal Statistical Society B 82(4), 1059-1086. doi:10.1111/rssb.12377.

    Examples
    --------
    >>> from interpret_pd import FeatureEffect, Predictor, load_bike
    >>> predictor = Predictor(lambda X: 100 * X["temp"] + X["hum"], load_bike()[["temp", "hum"]])
    >>> effect = FeatureEffect(predictor, "temp", grid=[0, 10, 20])
    >>> effect.results[["temp", "type_", "value_", "se_"]].round(1)
       temp type_  value_  se_
    0   0.0   pdp    62.8  0.5
    1  10.0   pdp  1062.8  0.5
    2  20.0   pdp  2062.8  0.5
    >>> effect.centered(at=10).values
    array([[-1000.,     0.,  1000.]])
    """

    @door
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
        within_support: bool = False,
        by: Any = None,
        missing: bool = False,
        tolerance: float | None = None,
    ) -> None:
        request.check_predictor(predictor)
        self.recorded: dict[str, Any] = {}  # the provenance of an effect that was read from JSON
        self.predictor, self.spec = predictor, Spec(grid, spacing, percentiles)
        self.method = checks.one_of("method", method, METHODS)
        chosen = request.chosen_features(predictor, features, self.method)
        self.features = tuple(feature.name for feature in chosen)
        request.check_options(self.method, self.features, within_support, missing)
        self.tolerance = request.tolerance(tolerance, self.method)
        self.within_support, self.missing = bool(within_support), bool(missing)
        self.by = request.grouping(predictor, by, self.method, self.features, center_at, self.within_support)
        rows = request.drawn_rows(predictor.n_rows, ice_rows, random_state)
        self.rows = rows if self._recipe.curves else np.empty(0, int)
        self.seed = random_state if len(self.rows) < predictor.n_rows and self._recipe.curves else None
        self.seed = self.seed if self.tolerance is None else request.seeded(random_state)
        self.grid = request.asked_grid(predictor, chosen, self.spec, center_at, self._recipe, self.missing)
        centred = self._recipe.centred or center_at is not None
        self._compute(request.place_of(self.grid.axes[0], center_at) if centred else None)

    def _compute(self, anchor: int | None) -> None:
        """Sets everything that asking the model gives; curves are 0 at the anchor's place if there is one."""
        stop = None if self.tolerance is None else Stop(self.tolerance, self.seed)
        found = compute(self.predictor, self.method, self.grid, self.rows, anchor, self.within_support, self.by, stop)
        self.rows_used = request.rows_averaged(self.predictor, self.method) if stop is None else stop.used
        self.hold(found.layers, found.se)
        self.outputs, self.engine = found.outputs, found.engine
        self.calls, self.seconds, self.scale = found.calls, found.seconds, self.predictor.value_label
        self.quantile = NORMAL
        for derived in ("counts", "left_out", "support", "supported"):
            self.__dict__.pop(derived, None)
        self.anchor: Any = None if anchor is None else self.grid.axes[0].values.iloc[anchor]

    def hold(self, layers: dict[str, Values], se: Values | None) -> None:
        """Sets the values, which nobody can overwrite."""
        self.layers, self.se = layers, se
        for values in (*layers.values(), *([] if se is None else [se])):
            values.flags.writeable = False

    @property
    def _recipe(self) -> Method:
        """How the values, or those that they are slopes of, were computed."""
        return METHODS[self.method.removeprefix("d-")]

    @property
    def values(self) -> Values:
        """The curves, (K, k, G1), if the method keeps any, else the average, (K, G1[, G2])."""
        return self.layers.get("ice", next(iter(self.layers.values())))

    @property
    def value_label(self) -> str:
        """What the values are, for an axis."""
        return wording.value_label(self)

    @cached_property
    def weights(self) -> Values | None:
        """The weights of the background rows, (n,), if there are any."""
        return self.predictor.weights

    @cached_property
    def row_labels(self) -> pd.Index:
        """The index labels of the rows with curves, (k,)."""
        return self.predictor.table.labels().take(self.rows)

    @cached_property
    def counts(self) -> Rows | None:
        """The rows behind each value of an ALE, (G1[, G2]): in the bin that ends there, at the level, in the cell."""
        return None if self._recipe.counts is None else self._recipe.counts(self.predictor, self.grid)[0]

    @cached_property
    def left_out(self) -> int:
        """The rows that an ALE leaves out: with a missing or infinite value, or outside its edges or levels."""
        return 0 if self._recipe.counts is None else self._recipe.counts(self.predictor, self.grid)[1]

    @cached_property
    def support(self) -> Values:
        """How well the data cover the rows that the average invents at each point, 0 to 1, (G1[, G2])."""
        shares = support(self.predictor, self.grid).shares(self.predictor.weights).reshape(self.grid.shape)
        shares.flags.writeable = False
        return shares

    @cached_property
    def supported(self) -> Values:
        """Whether each row with a curve is plausible at each point, (k, G1); NaN for rows that weren't looked at."""
        found = support(self.predictor, self.grid)
        whole = np.full((self.predictor.n_rows, found.supported.shape[1]), np.nan)
        whole[found.rows] = found.supported
        return whole[self.rows]

    @cached_property
    def results(self) -> pd.DataFrame:
        """The values as a tidy frame, one row per value."""
        return tidy(self)

    @property
    def provenance(self) -> dict[str, Any]:
        """Where the numbers come from: model, response, scale, rows, sample, weights, grid, engine, calls, seconds."""
        return record.provenance(self)

    @door
    def plot(self, **options: Any) -> Any:
        """The picture, as a plotnine `ggplot`: add themes, labels, scales and layers to it.

        Parameters
        ----------
        **options
            `interpret_pd.plots.plot_effect` says more about each:

            * `rug`: what to show of the data, True (ticks, counts, a veil), "histogram" or False.
            * `support`: True, whether lines turn pale and dotted, points hollow, curves faint and maps veiled where the
              data don't support the rows that are averaged.
            * `fan`: "auto", True or False, whether curves are drawn as ribbons of 90 % and 50 % of them; "auto" does
              above 1,000 curves.
            * `color`: a feature that colours the curves; its levels get their mean curves on top.
            * `outputs`: "facets" or "lines", several outputs or groups in a panel each or in one; by default facets for
              outputs and lines for the groups of `by=`.
            * `max_curves`: 1000, the most curves to draw.

        Returns
        -------
        ggplot
            Its data have the columns `x_`, `value_` and, as needed, `output_`, `id_`.

        Raises
        ------
        ValueError
            If an option is none of these, or has no meaning for the effect: no curves to colour, no data to colour by.

        Examples
        --------
        >>> from interpret_pd import FeatureEffect, Predictor, load_bike
        >>> predictor = Predictor(lambda X: X["temp"] * (X["workingday"] == "no"), load_bike())
        >>> plot = FeatureEffect(predictor, "temp", method="ice").plot(color="workingday")
        """
        return plots.plot_effect(self, **options)

    # the verbs; each leaves this effect as it is
    centered = verbs.centered
    averaged = verbs.averaged
    derivative = verbs.derivative
    predict = verbs.predict
    bands = verbs.bands
    rows_at = verbs.rows_at

    pooled = staticmethod(pooled)
    to_json = record.to_json
    from_json = classmethod(record.from_json)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.hold(self.layers, self.se)  # a pickle forgets that nobody can overwrite them
        if "support" in state:
            self.support.flags.writeable = False

    def __repr__(self) -> str:
        return wording.summary(self)

    def _repr_html_(self) -> str:
        """The summary and the first rows of the results, for notebooks, which are to read no `$` as mathematics."""
        frame = self.results.head(8)
        short = partial(brief, width=SHOWN)
        texts: list[Any] = [None if pd.api.types.is_numeric_dtype(kind) else short for kind in frame.dtypes]
        table = frame.set_axis([*map(short, frame)], axis=1).to_html(index=False, escape=True, formatters=texts)
        return f"<div class='{NO_MATH}'><p><code>{html.escape(plain(repr(self)))}</code></p>{table}</div>"

    @property
    def _names(self) -> tuple[Any, ...] | None:
        """The names of an array's columns."""
        return None if self.predictor is None else self.predictor.feature_names

    def _average(self) -> Values:
        """The average layer, or the mean of the curves, (K, G1[, G2])."""
        kind = next(iter(self.layers))
        if kind != "ice":
            return self.layers[kind]
        weights = None if self.weights is None else self.weights[self.rows]
        return np.average(self.layers["ice"], axis=1, weights=weights)

    def _copy(self) -> FeatureEffect:
        """A copy without its tidy frame."""
        effect = copy.copy(self)
        effect.__dict__.pop("results", None)
        return effect
