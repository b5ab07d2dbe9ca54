"""A door: a public function, at which the traceback of a wrong argument ends."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import TracebackType
from typing import Any, ParamSpec, TypeVar

from interpret_pd import checks

OURS = "interpret_pd"
P = ParamSpec("P")
R = TypeVar("R")


def door(public: Callable[P, R]) -> Callable[P, R]:
    """The public function, at which the traceback of a wrong argument ends.

    Whoever reads it has called the door, not the rooms behind it: two frames of ours are left, this one and the public
    function's, whose line says what was being looked at. Only an error that was built here is cut, and only where every
    frame behind the door is ours: errors of a model, and mistakes of this package, keep all of theirs. An argument that
    the function doesn't have is answered with the nearest that it has.
    """

    @functools.wraps(public)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return public(*args, **kwargs)
        except (ValueError, TypeError) as error:
            inside = error.__traceback__.tb_next if error.__traceback__ else None
            if inside is None and (text := _unknown_keyword(public, kwargs)):
                raise checks.marked(TypeError(text)) from None
            if inside is not None and hasattr(error, checks.MARK) and _ours(inside):
                inside.tb_next = None
            raise

    return call


def _unknown_keyword(public: Callable[..., Any], kwargs: dict[str, Any]) -> str:
    """The sentence for the first keyword that a function doesn't take; nothing if it takes them all."""
    known = inspect.signature(public).parameters
    strange = [name for name in kwargs if name not in known]
    if not strange or any(one.kind is one.VAR_KEYWORD for one in known.values()):
        return ""
    text = f"{public.__qualname__}() got an unexpected keyword argument {strange[0]!r}."
    return text + checks.suggest(strange[0], known)


def _ours(frames: TracebackType | None) -> bool:
    """Whether all frames of a traceback are of this package."""
    while frames is not None:
        if frames.tb_frame.f_globals.get("__name__", "").partition(".")[0] != OURS:
            return False
        frames = frames.tb_next
    return True
