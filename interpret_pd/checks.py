"""A check: one sentence for what an argument must be, what it was instead, and a hint.

Every error of the package is built here, in one voice: **`argument` must be *what*; got *value*. [Hint.]**
The functions return the exception and the caller raises it, so that a traceback ends where the mistake was found.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

LONGEST = 200  # characters of a value that a message shows


def shown(value: object) -> str:
    """A value as a message shows it: plain Python scalars, never an endless text."""
    item = getattr(value, "item", None)
    if callable(item) and getattr(value, "ndim", None) == 0:
        value = item()
    if isinstance(value, list):
        return f"[{listed(value)}]"
    if isinstance(value, tuple):
        return f"({listed(value)},)" if len(value) == 1 else f"({listed(value)})"
    text = repr(value)
    return text if len(text) <= LONGEST else text[:LONGEST] + "..."


def listed(values: Iterable[object], most: int = 10) -> str:
    """The first values, comma by comma: 'a', 'b', ..."""
    values = list(values)
    return ", ".join([*map(shown, values[:most]), *(["..."] if len(values) > most else [])])


def suggest(value: object, options: Iterable[object]) -> str:
    """A hint that names the nearest option, or nothing."""
    texts = {str(option): option for option in options}
    near = difflib.get_close_matches(str(value)[:LONGEST], texts, n=1) or [
        text for text in texts if text.lower() == str(value).lower()
    ]
    return f" Did you mean {shown(texts[near[0]])}?" if near else ""


def must_be(argument: str, what: str, got: object, hint: str = "") -> ValueError:
    """The house's sentence, as a `ValueError`."""
    return ValueError(sentence(argument, what, shown(got), hint))


def wrong_type(argument: str, what: str, got: str, hint: str = "") -> TypeError:
    """The house's sentence, as a `TypeError`; `got` is worded by the caller."""
    return TypeError(sentence(argument, what, got, hint))


def sentence(argument: str, what: str, got: str, hint: str = "") -> str:
    """**argument** must be *what*; got *got*. Hint."""
    return f"{argument} must be {what}; got {got}." + (f" {hint.strip()}" if hint.strip() else "")


def one_of(argument: str, value: Any, options: Iterable[Any]) -> Any:
    """The value, if it is an option; else the error that lists them."""
    options = list(options)
    if isinstance(value, str) and value in options:
        return value
    raise must_be(argument, "one of " + listed(options, most=20), value, suggest(value, options))


def unknown(argument: str, what: str, value: object, options: Iterable[object]) -> ValueError:
    """The error for a name that isn't among the options: the nearest of them, then the first ten."""
    options = list(options)
    return must_be(argument, what, value, f"{suggest(value, options)} They are {listed(options)}.")


def whole_number(argument: str, value: Any, least: int) -> int:
    """The value as an int, if it is a whole number of at least `least`."""
    if isinstance(value, bool) or not hasattr(value, "__index__") or int(value) < least:
        raise must_be(argument, f"a whole number of at least {least}", value)
    return int(value)


def article(noun: str) -> str:
    """'a Series', 'an Index', 'None'."""
    if noun == "NoneType":
        return "None"
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"
