"""Quickstart: what does a forest do with the weather when it predicts bike rentals?

    python tutorials/quickstart.py [FOLDER]

It fits a random forest on two years of daily bike rentals, prints what the model does with each feature, and writes the
pictures to FOLDER, by default `output` beside this file.
"""

import sys
from pathlib import Path

from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

from interpret_pd import (
    FeatureEffect,
    FeatureEffects,
    Predictor,
    h_statistic,
    load_bike,
    pd_importance,
    plot_importance,
)

PICTURES = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "output"
LEVELS = ["season", "workingday", "weather"]


def main() -> None:
    """Fits, prints, draws."""
    # A model. Nothing below knows what it is.
    bike = load_bike()
    X = bike[["temp", "hum", "windspeed", "days_since_2011", *LEVELS]]
    encode = make_column_transformer((OrdinalEncoder(), LEVELS), remainder="passthrough")
    forest = make_pipeline(encode, RandomForestRegressor(300, min_samples_leaf=3, random_state=0)).fit(X, bike["cnt"])

    # The model with its background data: the rows that every effect is averaged over.
    predictor = Predictor(forest, X)
    print(predictor, end="\n\n")

    # One curve: the average prediction if every day had this temperature.
    effect = FeatureEffect(predictor, "temp")
    print(effect, end="\n\n")
    print(effect.results.round(1).to_string(index=False), end="\n\n")
    more = effect.predict([25])[0] - effect.predict([5])[0]
    print(f"A day of 25 °C instead of 5 °C: {more:+.0f} bikes.\n")

    # Which features matter, and which of them act together?
    ranking = pd_importance(predictor)
    print("Importance: the spread of each partial dependence, in bikes.")
    print(ranking.round(1).to_string(index=False), end="\n\n")
    interactions = h_statistic(predictor, n_max=200, random_state=0)
    print("Friedman's H: the share of interactions.")
    print(interactions.round(3).to_string(index=False), end="\n\n")

    # Pictures: the curve, every day's own curve, the change from freezing, levels, pairs, everything.
    pictures = {
        "temp": effect.plot(),
        "temp_ice": FeatureEffect(predictor, "temp", method="pdp+ice").plot(),
        "temp_centred": FeatureEffect(predictor, "temp", method="pdp+cice", center_at=0).plot(),
        "season": FeatureEffect(predictor, "season").plot(),
        "season_ice": FeatureEffect(predictor, "season", method="pdp+ice").plot(),
        "temp_hum": FeatureEffect(predictor, ("temp", "hum")).plot(),
        "temp_season": FeatureEffect(predictor, ("temp", "season")).plot(),
        "season_weather": FeatureEffect(predictor, ("season", "weather")).plot(),
        "importance": plot_importance(ranking),
        "all_features": FeatureEffects(predictor).plot(),
    }
    PICTURES.mkdir(exist_ok=True, parents=True)
    for name, picture in pictures.items():
        picture.save(PICTURES / f"{name}.png", dpi=150, verbose=False)
    print(f"Pictures: {', '.join(f'{name}.png' for name in pictures)} in {PICTURES}")


if __name__ == "__main__":
    main()
