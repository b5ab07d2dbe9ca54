"""A data set: real data that comes with the package, so that every example runs offline."""

from __future__ import annotations

from importlib import resources

import pandas as pd

LEVELS = {
    "season": ["winter", "spring", "summer", "fall"],
    "month": ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
    "weekday": ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
    "weather": ["clear", "mist", "rain"],
}


def load_bike() -> pd.DataFrame:
    """Daily bike rentals in Washington, D.C., in 2011 and 2012.

    The hourly records of the source, made into days: `temp`, `hum` and `windspeed` are the day's means,
    `cnt` is its sum, `weather` is the day's most frequent class.

    Returns
    -------
    DataFrame of shape (731, 13)
        `date` (datetime); `season`, `month`, `weekday`, `weather` (ordered categoricals, in calendar order or from
        mild to bad); `year` (int); `holiday`, `workingday` ("no", "yes"); `temp` (degrees Celsius), `hum` (relative
        humidity, percent), `windspeed` (km/h); `days_since_2011`; and `cnt`, the number of bikes rented, which is the
        usual target.

    References
    ----------
    Fanaee-T, H. and Gama, J. (2013). Event labeling combining ensemble detectors and background knowledge.
    Progress in Artificial Intelligence 2, 113-127. doi:10.1007/s13748-013-0040-3. Data: UCI Machine Learning
    Repository, Bike Sharing Dataset, doi:10.24432/C5W894, licence CC BY 4.0.

    Examples
    --------
    >>> from interpret_pd import load_bike
    >>> bike = load_bike()
    >>> bike.shape
    (731, 13)
    >>> list(bike["weather"].cat.categories)
    ['clear', 'mist', 'rain']
    """
    with (resources.files(__name__) / "bike.csv").open(encoding="utf-8") as file:
        bike = pd.read_csv(file, parse_dates=["date"])
    ordered = {name: pd.CategoricalDtype(levels, ordered=True) for name, levels in LEVELS.items()}
    return bike.astype(ordered)
