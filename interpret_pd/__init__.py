"""What a model does, seen from outside: partial dependence, ICE, ALE, importance and interactions for any model."""

from __future__ import annotations

from interpret_pd.datasets import load_bike
from interpret_pd.effect import FeatureEffect
from interpret_pd.predictor import Predictor

__all__ = ["FeatureEffect", "Predictor", "load_bike"]

__version__ = "0.1.0"
