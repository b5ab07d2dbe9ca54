"""Names and levels in any language are drawn in letters, not in boxes."""

from __future__ import annotations

import io
import warnings

import matplotlib as mpl
import numpy as np
import pandas as pd
import plotnine as pn
import pytest
from matplotlib import font_manager

mpl.use("Agg")

from interpret_pd import FeatureEffect, Predictor, compare
from interpret_pd.plots import effect_theme, fonts, plot_effects, plot_importance, readable_family
from interpret_pd.plots.text import breadth, lines

N = 60
LANGUAGES = {
    "Turkish": ("Sıcaklık (öğle)", "mevsim", ["kış", "ilkbahar", "güz"]),
    "Russian": ("Температура", "время года", ["зима", "весна", "осень"]),
    "Korean": ("기온", "계절", ["겨울", "봄", "가을"]),
    "Japanese": ("気温の変化", "きせつ", ["ふゆ", "春", "アキ"]),
    "Chinese": ("温度", "季节", ["冬", "春天", "秋"]),
}
if not fonts.installed():  # matplotlib's list may be older than the fonts
    for path in font_manager.findSystemFonts():
        if "cjk" in path.lower():
            font_manager.fontManager.addfont(path)
needs_cjk = pytest.mark.skipif(not fonts.installed(), reason="no Chinese, Japanese or Korean font is installed")
languages = pytest.mark.parametrize(
    "language", [pytest.param(name, marks=needs_cjk if name[0] in "KJC" else ()) for name in LANGUAGES]
)


def predictor(language):
    """A number and a category, both named in the language."""
    number, level, levels = LANGUAGES[language]
    rng = np.random.default_rng(0)
    X = pd.DataFrame({number: rng.normal(size=N), level: np.resize(levels, N), "b": rng.normal(size=N)})
    return Predictor(lambda X: X[number].to_numpy() + (X[level] == levels[0]).to_numpy(), X)


def saved(plot, kind="png"):
    """The picture's bytes; a missing glyph is an error."""
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plot.save(out, format=kind, verbose=False, dpi=60)
    return out.getvalue()


def families(plot):
    """The families that a plot's texts ask for."""
    family = plot.theme.themeables["text"].properties["family"] if plot.theme else None
    return [family] if isinstance(family, str) else list(family or [])


@languages
def test_names_and_levels_are_drawn_without_a_missing_glyph(language):
    number, level, _ = LANGUAGES[language]
    model = predictor(language)
    for plot in (
        FeatureEffect(model, number, "pdp+ice").plot(color=level),
        FeatureEffect(model, level).plot(),
        FeatureEffect(model, (number, level)).plot(),
        FeatureEffect(model, number, by=level).plot(),
    ):
        assert saved(plot)


@languages
@pytest.mark.parametrize("kind", ["svg", "pdf"])
def test_vector_files_have_the_letters_too(language, kind):
    number, level, _ = LANGUAGES[language]
    plot = FeatureEffect(predictor(language), number, by=level).plot()
    assert saved(plot, kind)[:4] in (b"<?xm", b"%PDF")


@needs_cjk
def test_figures_of_all_features_rankings_and_comparisons_find_the_font_too():
    number, level, _ = LANGUAGES["Korean"]
    model = predictor("Korean")
    effects = [FeatureEffect(model, name) for name in (number, level)]
    table = pd.DataFrame({"feature": [number, level], "importance": [2.0, 1.0]})
    for plot in (plot_effects(effects), plot_importance(table), compare({"하나": effects[0], "둘": effects[0]})):
        assert "Noto Sans CJK KR" in families(plot) or len(families(plot)) == 2
        assert saved(plot)


def test_a_font_is_looked_for_only_where_a_letter_needs_it():
    assert readable_family("Größe, Sıcaklık, Температура, Ωμέγα") == ["DejaVu Sans"]
    for language in ("Turkish", "Russian"):
        assert families(FeatureEffect(predictor(language), LANGUAGES[language][0]).plot()) != ["DejaVu Sans"]


@needs_cjk
def test_each_script_gets_a_family_that_has_all_its_letters():
    for language in ("Korean", "Japanese", "Chinese"):
        number, level, levels = LANGUAGES[language]
        text = number + level + "".join(levels)
        found = readable_family([number, level, *levels])
        assert found[0] == "DejaVu Sans"
        assert all(any(ord(c) in fonts.glyphs(family) for family in found) for c in text if not c.isspace())


@needs_cjk
def test_a_theme_or_family_of_the_users_is_left_alone():
    number, _, _ = LANGUAGES["Korean"]
    effect = FeatureEffect(predictor("Korean"), number)
    family = readable_family(number)
    assert families(effect.plot()) == family
    pn.options.base_family = "DejaVu Serif"
    try:
        assert families(effect.plot()) != family
    finally:
        pn.options.base_family = "sans-serif"
    assert saved(effect.plot() + effect_theme(base_family=family))
    assert families(effect.plot() + effect_theme(base_family="DejaVu Serif")) == ["DejaVu Serif"]


def test_without_a_font_the_plot_is_as_it_was(monkeypatch):
    monkeypatch.setattr(fonts, "installed", set)
    number, _, _ = LANGUAGES["Chinese"]
    assert readable_family(number) == ["DejaVu Sans"]
    assert "Noto Sans CJK SC" not in families(FeatureEffect(predictor("Chinese"), number).plot())


def test_wide_letters_take_the_room_of_two():
    assert breadth("abc") == 3 and breadth("温度") == 4
    assert lines("温度温度温度", 4) == ["温度", "温度", "温度"]
    assert all(breadth(line) <= 10 for line in lines("계절 x 温度の変化と湿度", 10))
