"""Texts that nobody should trust, data that carry them everywhere, and what a page or a picture makes of them."""

from __future__ import annotations

import copy
from html.parser import HTMLParser

import matplotlib as mpl
import numpy as np
import pandas as pd

mpl.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.cbook import is_math_text
from matplotlib.text import Text

from interpret_pd import Predictor

TEXTS = {
    "mathematics": "$x^2$",
    "a dollar": "cost $",
    "dollars that are no mathematics": "$ \\frac{ $$ a_b^c \\$5",
    "a link in mathematics": "$\\href{javascript:a()}{x}$",
    "backslashes": "C:\\new\\table\\alpha",
    "an underscore first": "_nolegend_",
    "line breaks": "one\ntwo\r\nthree\tfour",
    "control characters": "nul\x00 \x1b[31mred\x07",
    "half of a pair": "lone\ud800end",
    "backwards": "\u202eevil\u200f",
    "marks on letters": "z\u0301\u0302\u0303a\u0308",
    "formats": "%s %d {x} {0} {}",
    "a script": "<script>a()</script>",
    "an image": "<img src=x onerror=a()>",
    "entities": "&amp; &lt;b&gt; &#60;",
    "quotes": "\"' onerror='a()' x=\"",
    "ends of elements": "</style></td></title>",
    "Markdown": "**b** [x](y) `c` # h",
    "a formula": "=1+1|'cmd'!A1",
    "not a number": "nan",
    "None": "None",
    "a blank": "  ",
    "nothing": "",
}
EMOJI = "to the moon \U0001f680"
LONG = "x" * 10_000
SEVEN = [TEXTS[name] for name in (
    "mathematics", "dollars that are no mathematics", "an underscore first", "line breaks", "formats", "a script",
    "half of a pair",
)]  # fmt: skip
N = 84


class Page(HTMLParser):
    """What a browser makes of a page: its elements with their attributes' names, its text, its attributes' values."""

    def __init__(self, page):
        super().__init__()
        self.elements, self.text, self.values = [], "", []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, *(name for name, _ in attrs)))
        self.values += [value for _, value in attrs]

    def handle_endtag(self, tag):
        self.elements.append(f"/{tag}")

    def handle_data(self, data):
        self.text += data

    def handle_comment(self, data):
        self.elements.append("comment")


def table(names, levels, seed=0):
    """A number, levels, another number and two groups under these four names; text stays Python's own."""
    rng = np.random.default_rng(seed)
    columns = [rng.normal(size=N), np.resize(np.array(levels, dtype=object), N), rng.normal(size=N)]
    columns.append(np.resize(np.array(["u", "v"], dtype=object), N))
    frame = pd.DataFrame(
        {i: pd.Series(column, dtype=getattr(column, "dtype", None)) for i, column in enumerate(columns)}
    )
    return frame.set_axis(pd.Index(names, dtype=object), axis=1)


class Model:
    """A model that goes by position; with labels it has a column for each."""

    def __init__(self, level, labels=()):
        self.level, self.labels = level, labels

    def predict(self, Z):
        number, level, other, group = (Z.iloc[:, i].to_numpy() for i in range(4))
        score = number.astype(float) * (1 + (level == self.level)) + other.astype(float) ** 2 * (group == "u")
        if not self.labels:
            return score
        answer = pd.DataFrame({i: score * (i + 1) for i in range(len(self.labels))})
        return answer.set_axis(pd.Index(self.labels, dtype=object), axis=1)


def predictor(names, levels, labels=(), called="Model"):
    """A predictor whose names, levels, labels and model's class are these."""
    X = table(names, levels)
    X.index = pd.Index([f"{names[0]}{i}" for i in range(N)], dtype=object)
    return Predictor(type(called, (Model,), {})(levels[0], labels), X)


def drawn(plot):
    """The plot's figure, drawn and closed."""
    figure = copy.deepcopy(plot).draw()
    try:
        figure.canvas.draw()
    finally:
        plt.close(figure)
    return figure


def on(figure):
    """The texts on a figure as they are seen, without blanks; none is read as mathematics."""
    seen = []
    for text in figure.findobj(Text):
        lines = text.get_text().split("\n")
        assert not any(is_math_text(line) for line in lines), lines
        seen.append("".join("".join(lines).replace(r"\$", "$").split()))
    return seen


def visible(text):
    """What can be seen of a text."""
    return "".join(c for c in text if c.isprintable() and not c.isspace())
