"""Quickstart: what does a forest do with the weather when it predicts bike rentals?

Run it with `python tutorials/quickstart.py`. It fits a random forest on two years of daily bike rentals, prints what
the model does with temperature, and writes the pictures beside this file.
"""

from pathlib import Path

from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

from interpret_pd import FeatureEffect, Predictor, load_bike

PICTURES = Path(__file__).parent / "output"
LEVELS = ["season", "workingday", "weather"]

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
print("A day of 25 °C instead of 5 °C:", (effect.predict([25]) - effect.predict([5])).round()[0], "more bikes", end="\n\n")

# Pictures: the curve, every day's own curve, the change from freezing, levels, pairs.
pictures = {
    "temp": effect,
    "temp_ice": FeatureEffect(predictor, "temp", method="pdp+ice"),
    "temp_centred": FeatureEffect(predictor, "temp", method="pdp+cice", center_at=0),
    "season": FeatureEffect(predictor, "season"),
    "season_ice": FeatureEffect(predictor, "season", method="pdp+ice"),
    "temp_hum": FeatureEffect(predictor, ("temp", "hum")),
    "temp_season": FeatureEffect(predictor, ("temp", "season")),
    "season_weather": FeatureEffect(predictor, ("season", "weather")),
}
PICTURES.mkdir(exist_ok=True)
for name, one in pictures.items():
    one.plot().save(PICTURES / f"{name}.png", dpi=150, verbose=False)
print(f"Pictures: {', '.join(f'{name}.png' for name in pictures)} in {PICTURES}")
