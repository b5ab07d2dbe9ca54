"""A check: one sentence for what an argument must be, what it was instead, and a hint.

Every error of the package is built here, in one voice: **`argument` must be *what*; got *value*. [Hint.]**
The functions return the exception and the caller raises it, so that a traceback ends where the mistake was found; the
`door` then ends it at the public function that was called with the mistake.
"""

from __future__ import annotations

import difflib
import math
import operator
from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

LONGEST = 200  # characters of a value that a message shows
MOST = 10  # values of a list that a message shows
MARK = "_said_by_interpret_pd"  # on the errors that are built here
E = TypeVar("E", bound=Exception)


def shown(value: object) -> str:
    """A value as a message shows it: plain Python scalars, one line, never an endless text."""
    item = getattr(value, "item", None)
    if callable(item) and getattr(value, "ndim", None) == 0:
        value = item()
    if isinstance(value, list | tuple):
        more = ", ..." if len(value) > MOST else "," if isinstance(value, tuple) and len(value) == 1 else ""
        inside = ", ".join(map(shown, value[:MOST])) + more
        return f"[{inside}]" if isinstance(value, list) else f"({inside})"
    if isinstance(value, type):
        return f"the class {cut(value.__name__)}"
    text = repr(value)
    if " at 0x" in text and not isinstance(value, str):  # an address says nothing
        return article(type(value).__name__)
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and shape and ("\n" in text or shape[0] > MOST):  # of an array or a frame
        return f"{article(type(value).__name__)} of shape {shape}"
    return cut(text)


def cut(text: str, most: int = LONGEST) -> str:
    """A text on one line, its middle left out if it is endless."""
    text = text if text.isprintable() else repr(text)[1:-1]
    return text if len(text) <= most else f"{text[: most - 20]} ... {text[-15:]}"


def listed(values: Iterable[object], most: int = MOST) -> str:
    """The first values, comma by comma, and how many there are besides: 'a', 'b' and 5 more."""
    values = list(values)
    more = f" and {len(values) - most} more" if len(values) > most else ""
    return ", ".join(map(shown, values[:most])) + more


def suggest(value: object, options: Iterable[object]) -> str:
    """A hint that names the nearest option, or nothing."""
    if value is None or isinstance(value, bool | np.bool_):
        return ""
    texts = {str(option): option for option in options}
    near = difflib.get_close_matches(str(value)[:LONGEST], texts, n=1) or [
        text for text in texts if text.lower() == str(value).lower()
    ]
    return f" Did you mean {shown(texts[near[0]])}?" if near else ""


def must_be(argument: str, what: str, got: object, hint: str = "") -> ValueError:
    """The house's sentence, as a `ValueError`."""
    return refused(sentence(argument, what, shown(got), hint))


def wrong_type(argument: str, what: str, got: str, hint: str = "") -> TypeError:
    """The house's sentence, as a `TypeError`; `got` is worded by the caller."""
    return marked(TypeError(sentence(argument, what, got, hint)))


def refused(text: str) -> ValueError:
    """A sentence of another form, as a `ValueError`."""
    return marked(ValueError(text))


def marked(error: E) -> E:
    """The error, known as one that says all there is to say."""
    error.__dict__[MARK] = True
    return error


def sentence(argument: str, what: str, got: str, hint: str = "") -> str:
    """**argument** must be *what*; got *got*. Hint."""
    return f"{argument} must be {what}; got {got}." + (f" {hint.strip()}" if hint.strip() else "")


def one_of(argument: str, value: Any, options: Iterable[Any]) -> Any:
    """The value, if it is an option; else the error that lists them."""
    options, value = list(options), scalar(value)
    if isinstance(value, str) and value in options:
        return value
    raise must_be(argument, "one of " + listed(options, most=20), value, suggest(value, options))


def unknown(argument: str, what: str, value: object, options: Iterable[object]) -> ValueError:
    """The error for a name that isn't among the options: the nearest of them, then the first ten."""
    options = list(options)
    return must_be(argument, what, value, f"{suggest(value, options)} They are {listed(options)}.")


def whole_number(argument: str, value: Any, least: int) -> int:
    """The value as an int, if it is a whole number of at least `least`."""
    whole = index(value)
    if whole is None or whole < least:
        raise must_be(argument, f"a whole number of at least {least}", value)
    return whole


def index(value: Any) -> int | None:
    """The value as an int, if it is a whole number; a truth is none, nor is an array of one."""
    if isinstance(value, bool | np.bool_) or getattr(value, "ndim", None):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def scalar(value: Any) -> Any:
    """The value, out of an array without dimensions."""
    return value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value


def finite(value: Any) -> bool:
    """Whether a value is a finite number that a float can hold; a truth is none."""
    value = scalar(value)
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    try:
        return number and math.isfinite(value)
    except OverflowError:
        return False


def items(values: Any) -> list[Any] | None:
    """The items of a list or the like; None for a text and whatever else is one value."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable) or getattr(values, "ndim", None) == 0:
        return None
    return list(values)


def several(values: Any) -> list[Any]:
    """The items of a list or the like; whatever is one value as a list of one."""
    found = items(values)
    return [values] if found is None else found


def numbers(values: Any) -> NDArray[np.float64] | None:
    """Values as floats of shape (m,), if they are a flat list of numbers, and one at least; truths are none."""
    try:
        array = np.asarray(values)
    except ValueError:  # a ragged list
        return None
    return array.astype(float) if array.ndim == 1 and array.dtype.kind in "iuf" and len(array) else None


def generator(argument: str, seed: Any) -> np.random.Generator:
    """The random numbers of a seed."""
    entropy: Any = "a truth is no seed" if isinstance(seed, bool | np.bool_) else scalar(seed)
    try:
        return np.random.default_rng(entropy)
    except (TypeError, ValueError):
        raise must_be(argument, "None, a seed or a numpy Generator", seed) from None


def flag(argument: str, value: Any) -> bool:
    """The value as a bool, if it is one."""
    if not isinstance(scalar(value), bool | np.bool_):
        raise must_be(argument, "True or False", value)
    return bool(value)


def article(noun: str) -> str:
    """'a Series', 'an Index', 'None'."""
    if noun in ("NoneType", "ndarray"):
        return {"NoneType": "None", "ndarray": "an array"}[noun]
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {cut(noun)}"
