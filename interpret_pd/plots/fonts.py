"""Fonts for names in any script: an installed family that has the characters which the default one lacks."""

from __future__ import annotations

from collections import UserList
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from matplotlib import font_manager
from plotnine import element_text, ggplot, options, theme

LATIN = "DejaVu Sans"  # comes with matplotlib: Latin, Turkish, Cyrillic, Greek, Hebrew, Arabic
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
FILES = ("notosanscjk", "notosansjp", "notosanskr", "notosanssc", "malgun", "applesdgothic", "msyh", "pingfang",
         "hiragino", "yugoth")  # fmt: skip


class Families(UserList[str]):
    """Families as one value: plotnine deals the items of a plain list to as many labels, one to each."""


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

    Examples
    --------
    >>> from interpret_pd.plots import effect_theme, readable_family
    >>> readable_family("Größe, sıcaklık, температура")
    ['DejaVu Sans']
    >>> theme = effect_theme(base_family=readable_family("기온"))
    """
    characters = {c for c in (text if isinstance(text, str) else "".join(text)) if c.isprintable() and not c.isspace()}
    lacking = {c for c in characters if ord(c) not in glyphs(LATIN)}
    families = [LATIN]
    for family in preferred(lacking) if lacking else ():
        found = {c for c in lacking if ord(c) in glyphs(family)}
        if found:
            families.append(family)
            lacking -= found
    return families


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


@lru_cache(maxsize=1)
def installed() -> frozenset[str]:
    """The families of the list that are installed, also those installed since matplotlib made its own list."""
    names = {font.name for font in font_manager.fontManager.ttflist}
    if not names & set(FAMILIES):
        for path in font_manager.findSystemFonts():
            if Path(path).stem.lower().replace("-", "").startswith(FILES):
                font_manager.fontManager.addfont(path)
        names = {font.name for font in font_manager.fontManager.ttflist}
    return frozenset(names & set(FAMILIES))


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
