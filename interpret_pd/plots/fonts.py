"""Fonts for names in any script: an installed family that has the characters which the default one lacks."""

from __future__ import annotations

from collections import UserList
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from matplotlib import font_manager
from plotnine import element_text, ggplot, options, theme

from interpret_pd import checks
from interpret_pd.door import door

LATIN = "DejaVu Sans"  # comes with matplotlib: Latin, Turkish, Cyrillic, Greek, Hebrew, Arabic
LAST_RESORT = "Last Resort High-Efficiency"  # comes with matplotlib 3.11: a frame for emoji and other signs
SIMPLIFIED, JAPANESE, KOREAN = "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans CJK KR"
FAMILIES = (
    JAPANESE,
    KOREAN,
    SIMPLIFIED,
    "Noto Sans CJK TC",
    "Noto Sans JP",
    "Noto Sans KR",
    "Noto Sans SC",
    "Malgun Gothic",
    "Apple SD Gothic Neo",
    "Microsoft YaHei",
    "PingFang SC",
    "Hiragino Sans",
    "Yu Gothic",
)


class Families(UserList[str]):
    """Families as one value: plotnine deals the items of a plain list to as many labels, one to each."""


@door
def readable_family(text: str | Iterable[str]) -> list[str]:
    """Font families that together have every character of a text, as far as they are installed.

    Parameters
    ----------
    text : str, or several
        What is to be drawn, such as the names of levels.

    Returns
    -------
    list of str
        DejaVu Sans, and where it lacks characters the first installed families that have them: Noto Sans CJK, Malgun
        Gothic, Apple SD Gothic Neo, Microsoft YaHei, PingFang SC, Hiragino Sans, Yu Gothic. For `effect_theme`.
        A font that was installed after matplotlib made its list of fonts is found once you have told matplotlib of it,
        by `matplotlib.font_manager.fontManager.addfont(path)` or by deleting the list in `matplotlib.get_cachedir()`.

    Raises
    ------
    ValueError
        If it is no text and no list of texts.

    Examples
    --------
    >>> from interpret_pd.plots import effect_theme, readable_family
    >>> readable_family("Größe, sıcaklık, температура")
    ['DejaVu Sans']
    >>> theme = effect_theme(base_family=readable_family("기온"))
    """
    whole = text if isinstance(text, str) else "".join(texts("text", "a text, or a list of texts", text, 0))
    characters = {c for c in whole if c.isprintable() and not c.isspace()}
    lacking = {c for c in characters if ord(c) not in glyphs(LATIN)}
    families = [LATIN]
    for family in preferred(lacking) if lacking else ():
        found = {c for c in lacking if ord(c) in glyphs(family)}
        if found:
            families.append(family)
            lacking -= found
    if any(not c.isalpha() for c in lacking) and LAST_RESORT in known_families():
        families.append(LAST_RESORT)
    return families


def texts(argument: str, what: str, values: Any, least: int = 1) -> list[str]:
    """Several texts as a list; raises if there are too few, or there is something else among them."""
    listed = checks.items(values)
    if listed is None or len(listed) < least or not all(isinstance(value, str) for value in listed):
        raise checks.must_be(argument, what, values)
    return listed


def preferred(characters: Iterable[str]) -> list[str]:
    """The installed families, the one made for the script first: each draws some characters in its own way."""
    codes = [ord(c) for c in characters]
    if any(0xAC00 <= code <= 0xD7A3 or 0x1100 <= code <= 0x11FF for code in codes):
        own = (KOREAN,)
    elif any(0x3040 <= code <= 0x30FF for code in codes):
        own = (JAPANESE,)
    else:
        own = (SIMPLIFIED,)
    return [family for family in dict.fromkeys((*own, *FAMILIES)) if family in installed()]


def installed() -> set[str]:
    """The families of the list that matplotlib knows. It knows for the whole process, so nothing is added to that."""
    return known_families() & set(FAMILIES)


def known_families() -> set[str]:
    """The families that matplotlib knows."""
    return {font.name for font in font_manager.fontManager.ttflist}


@lru_cache(maxsize=32)
def glyphs(family: str) -> frozenset[int]:
    """The code points that a family has."""
    path = font_manager.findfont(family, fallback_to_default=False)
    return frozenset(font_manager.get_font(path).get_charmap())


def in_readable_font(plot: ggplot, texts: Sequence[object]) -> ggplot:
    """The plot in fonts that have the characters of its texts; as it is where the user has set a theme or a family."""
    if options.current_theme is not None or options.base_family != "sans-serif":
        return plot
    written = [str(text) for text in [*texts, *vars(plot.labels).values()] if text is not None]
    if all(text.isascii() for text in written):
        return plot
    families: Any = Families(readable_family(written))
    return plot if len(families) == 1 else plot + theme(text=element_text(family=families))
