"""Texts that come from the user's data: names, levels, class labels, numbers; made fit to be drawn.

matplotlib reads `$...$` as mathematics, draws control characters as boxes and never wraps a line. Whatever is drawn
passes through here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

WIDE = frozenset("MW@%")
LONGEST = 1000  # characters of a text that are looked at: far more than any place has room for


def plain(value: Any) -> str:
    """The text of a name or level on one line: whole floats without .0, midnights without the clock.

    What has no picture is a blank (line breaks, control characters, halves of a surrogate pair) or left out (marks that
    turn the direction of writing, and their like); of an endless text both ends are left.
    """
    if isinstance(value, float | np.floating) and float(value).is_integer():
        value = int(value)
    text = shortened(str(value), LONGEST)
    if not text.isprintable():
        text = "".join(c if c.isprintable() else "" if unicodedata.category(c) == "Cf" else " " for c in text)
    return text.removesuffix(" 00:00:00")


def escape(text: str) -> str:
    r"""The text with `\$` for `$`, which matplotlib draws as the dollar it is."""
    return text.replace("$", r"\$")


def breadth(text: str) -> float:
    """The room of a text in characters; those of Chinese, Japanese and Korean take two, the widest Latin ones more."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1.5 if c in WIDE else 1 for c in text)


def head(text: str, width: int) -> int:
    """How many of the text's characters fit, at least one."""
    room = 0.0
    for i, c in enumerate(text):
        room += breadth(c)
        if room > width and i:
            return i
    return len(text)


def pieces(text: str) -> list[str]:
    """The text cut after blanks, `_`, `/` and `-`: where a line may end."""
    return re.findall(r".+?(?:[\s_/-]+|$)", text)


def lines(text: str, width: int) -> list[str]:
    """The text in lines of at most width characters, a piece broken only if it alone is too long."""
    out = [""]
    for piece in pieces(text):
        if out[-1] and breadth(out[-1] + piece.rstrip()) > width:
            out.append("")
        out[-1] += piece
        while breadth(out[-1].rstrip()) > max(width, 1) and len(out[-1]) > 1:
            end = head(out[-1], width)
            out[-1:] = [out[-1][:end], out[-1][end:]]
    return [line.rstrip() for line in out]


def wrap(value: Any, width: int, most: int = 3) -> str:
    """The value's text, wrapped to at most `most` lines (then an ellipsis) and escaped."""
    got = lines(plain(value), width)
    if len(got) > most:
        got = [*got[: most - 1], got[most - 1][: head(got[most - 1], width - 1)] + "…"]
    return escape("\n".join(got))


def shortened(text: str, width: int) -> str:
    """The text with its middle left out if it is longer: names in a list differ at their ends."""
    return text if len(text) <= width else f"{text[: width // 2]}…{text[-(width - width // 2 - 1) :]}"


def brief(value: Any, width: int) -> str:
    """A name or level on one line of so many characters."""
    return shortened(plain(value), width)


def distinct(texts: Sequence[str]) -> list[str]:
    """The texts, with a number behind those that came before: an axis needs each level to be its own."""
    seen: dict[str, int] = {}
    out: dict[str, None] = {}
    for text in texts:
        new = text
        while new in out:  # also where a level is called "a (2)"
            seen[text] = seen.get(text, 1) + 1
            new = f"{text} ({seen[text]})"
        out[new] = None
    return list(out)


def names(values: Iterable[Any], width: int = 24, most: int = 2) -> list[str]:
    """Different texts for levels or outputs, wrapped and escaped."""
    return distinct([wrap(value, width, most) for value in values])


def sentence(*parts: str, width: int = 100) -> str | None:
    """A caption out of sentences, wrapped and escaped; None if there is nothing to say."""
    text = " ".join(part for part in parts if part)
    return escape("\n".join(lines(text, width))) or None


def numbers(values: np.ndarray) -> list[str]:
    """Numbers with thousands separators and as many decimals as their spread calls for; three digits of vast ones."""
    finite = values[np.isfinite(values)]
    if (largest := float(np.max(np.abs(finite), initial=0.0))) >= 1e15 or 0 < largest < 1e-6:
        return [f"{value:.3g}" for value in values]
    spread = float(np.ptp(finite)) if finite.size else 0.0
    spread = spread or largest or 1.0
    decimals = int(np.clip(1 - np.floor(np.log10(spread)), 0, 12))
    return [f"{value:{comma(finite)}.{decimals}f}" for value in np.round(values, decimals) + 0.0]


def rounded(values: np.ndarray) -> list[str]:
    """Round numbers, those of ticks and contours, as they are."""
    near_zero = 1e-12 * np.max(np.abs(values), initial=0.0)
    return [f"{value:{comma(values)}.10g}" for value in np.where(np.abs(values) < near_zero, 0.0, values)]


def comma(values: np.ndarray) -> str:
    """The separator of thousands where there are any of five digits: a year has none."""
    return "," if np.max(np.abs(values), initial=0.0) >= 10_000 else ""
