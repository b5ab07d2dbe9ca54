"""What a model does, seen from outside: partial dependence, ICE, ALE, importance and interactions for any model."""

from __future__ import annotations

from interpret_pd.comparison import compare
from interpret_pd.datasets import load_bike
from interpret_pd.effect import FeatureEffect
from interpret_pd.effects import FeatureEffects
from interpret_pd.importance import pd_importance
from interpret_pd.interaction import h_statistic
from interpret_pd.plots import effect_theme, plot_importance
from interpret_pd.predictor import Predictor

__all__ = [
    "FeatureEffect",
    "FeatureEffects",
    "Predictor",
    "compare",
    "effect_theme",
    "h_statistic",
    "load_bike",
    "pd_importance",
    "plot_importance",
]

__version__ = "0.1.0"
