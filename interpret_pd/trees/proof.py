"""A proof: the trees that were read predict what the model itself predicts."""

from __future__ import annotations

import numpy as np

from interpret_pd.trees.columns import Floats
from interpret_pd.trees.ensemble import Ensemble
from interpret_pd.trees.refusal import NotExact


def prove(ensemble: Ensemble, X: Floats, predictions: Floats) -> None:
    """Refuse an ensemble that does not reproduce the model's own predictions of some rows.

    Parameters
    ----------
    ensemble : Ensemble
        What a reader made of the model.
    X : ndarray of shape (n, p)
        Rows, encoded.
    predictions : ndarray of shape (n, K)
        What the model itself predicts for them.

    Raises
    ------
    NotExact
        If any prediction differs by more than rounding.
    """
    ours = ensemble.predict(X)
    if ours.shape != predictions.shape:
        raise NotExact(f"{ensemble.name} returns an array of shape {predictions.shape}, its trees {ours.shape}")
    # rounding has the size of what is added up, which may cancel
    added = np.abs(ensemble.table.values).max() if ensemble.link.is_identity else abs(ensemble.link.shift)
    scale = max(float(np.abs(predictions).max(initial=0.0)), float(added))
    worst = float(np.abs(ours - predictions).max(initial=0.0))
    if not worst <= ensemble.tolerance * scale:
        raise NotExact(f"the trees read from {ensemble.name} do not reproduce its predictions (off by {worst:.3g})")
