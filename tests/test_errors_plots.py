"""The errors of pictures: every argument, what is wrong with it, and the whole message, before anything is drawn."""

from __future__ import annotations

import pytest
from error_table import (
    ALE,
    ALL,
    ICE,
    NAMES,
    NAN,
    NO_COUNT,
    NO_FLAG,
    NO_NAME,
    NO_NUMBER,
    PAIR,
    PD,
    PREDICTOR,
    STREAM,
    TABLE,
    THING,
    X,
    check,
    refuses,
    rows,
    told,
)

from interpret_pd import FeatureEffect, FeatureEffects, compare, plots

KINDS = [(None, "None"), (3, "an int"), ("a", "a str"), ([], "a list"), (X, "a DataFrame"), (THING, "an object")]
NO_RUG = [*NO_FLAG[:1], *NO_FLAG[2:], ("yes", "'yes'"), ("histgram", "'histgram'. Did you mean 'histogram'?")]
EFFECTS = "a mapping from names to effects; got .... Use {'forest': effect, ...}."
THE_TABLE = "table must be a data frame as pd_importance returns it; got ...."
LACKING = "table must have the columns 'feature' and 'importance'; got .... Use pd_importance(predictor)."
NUMBERS = "table must be of numbers in its column '{}'; got values such as 'a'."
SEVERAL = "effect must be a FeatureEffect; got a FeatureEffects. Use effects[feature], or effects.plot()."
UNLIKE = "effects must be of one method and the same outputs; got 'pdp' of (0,) and 'ale' of (0,)."
FAMILY = "base_family must be None, the name of a font family, or a list of names; got ...."
NO_FAMILY = [
    (3, "3"),
    ([], "[]"),
    (["a", 3], "['a', 3]"),
    (THING, "an object"),
    (True, "True"),
    (STREAM, "a generator"),
]
NO_TEXT = [
    (None, "None"),
    (3, "3"),
    (["a", 3], "['a', 3]"),
    (THING, "an object"),
    (NAN, "nan"),
    ({3}, "{3}"),
]
COLOR = f"color must be a column of the data; got ... {NAMES}"

ROWS = [
    *(
        row
        for name in (
            "FeatureEffect.plot",
            "FeatureEffects.plot",
            "plots.plot_effect",
            "plots.plot_effects",
            "plots.plot_ale_pd",
            "plots.compare_plot",
            "compare",
        )
        for row in rows(name, "rug", "rug must be True, False or 'histogram'; got ....", *NO_RUG)
    ),
    *(
        row
        for name in (
            "FeatureEffect.plot",
            "FeatureEffects.plot",
            "plots.plot_effect",
            "plots.plot_effects",
            "plots.compare_plot",
            "compare",
        )
        for row in rows(name, "support", "support must be True or False; got ....", *NO_FLAG)
    ),
    *(
        row
        for name in ("FeatureEffect.plot", "FeatureEffects.plot", "plots.plot_effect", "plots.plot_effects")
        for row in rows(
            name,
            "max_curves",
            "max_curves must be a whole number of at least 1; got ....",
            (None, "None"),
            (0, "0"),
            *NO_COUNT,
        )
    ),
    *(
        row
        for name in ("FeatureEffects.plot", "plots.plot_effects")
        for row in rows(name, "ncol", "ncol must be a whole number of at least 1; got ....", (0, "0"), *NO_COUNT)
    ),
    *(
        row
        for name in ("FeatureEffect.plot", "plots.plot_effect")
        for row in (
            *rows(
                name,
                "outputs",
                "outputs must be 'facets' or 'lines'; got ....",
                (1, "1"),
                (True, "True"),
                ([], "[]"),
                (THING, "an object"),
                ("line", "'line'. Did you mean 'lines'?"),
            ),
            *rows(name, "fan", "fan must be True, False or 'auto'; got ....", *NO_FLAG),
            *rows(name, "color", COLOR, *NO_NAME, ("sexx", "'sexx'. Did you mean 'sex'?")),
        )
    ),
    *rows("plots.plot_effect", "effect", "effect must be a FeatureEffect; got ....", *KINDS, error=TypeError),
    *rows("plots.plot_effect", "effect", SEVERAL, (ALL, ""), error=TypeError),
    *rows(
        "plots.plot_effects",
        "effects",
        "effects must be a list of FeatureEffect; got ....",
        (None, "None"),
        (PD, "a FeatureEffect"),
        (3, "an int"),
        ("a", "a str"),
        error=TypeError,
    ),
    *rows(
        "plots.plot_effects",
        "effects",
        "each of the effects must be a FeatureEffect; got ....",
        ([3], "an int"),
        (["a"], "a str"),
        ({"a": PD}, "a str"),
        error=TypeError,
    ),
    *rows("plots.plot_effects", "effects", "effects must be at least one effect; got none.", ([], ""), ({}, "")),
    *rows(
        "plots.plot_effects", "effects", "effects must have one feature each; got ('age', 'fare').", ([PD, PAIR], "")
    ),
    *rows("plots.plot_effects", "effects", UNLIKE, ([PD, ALE], "")),
    *rows("plots.plot_ale_pd", "ale", "ale must be a FeatureEffect; got ....", *KINDS, error=TypeError),
    *rows("plots.plot_ale_pd", "ale", "the methods must be 'ale' and 'pdp'; got 'pdp' and 'pdp'.", (PD, "")),
    *rows("plots.plot_ale_pd", "pdp", "pdp must be a FeatureEffect; got ....", *KINDS, error=TypeError),
    *rows("plots.plot_ale_pd", "pdp", "the methods must be 'ale' and 'pdp'; got 'ale' and 'pdp+ice'.", (ICE, "")),
    *rows(
        "plots.compare_plot",
        "effects",
        "effects must be a mapping from names to effects; got ....",
        *KINDS,
        error=TypeError,
    ),
    *rows("compare", "effects", "effects must be " + EFFECTS, *KINDS, ({"a": 3}, "an int for 'a'"), error=TypeError),
    *rows("compare", "effects", "effects must be at least two effects; got ....", ({}, "[]"), ({"one": PD}, "['one']")),
    *rows(
        "compare", "effects", "effects must be alike in their method, 'pdp'; got 'ale'.", ({"one": PD, "two": ALE}, "")
    ),
    *(
        row
        for name in ("effect_theme", "plots.effect_theme")
        for row in (
            *rows(
                name,
                "base_size",
                "base_size must be a number above 0; got ....",
                (None, "None"),
                (0, "0"),
                (-1, "-1"),
                *NO_NUMBER,
            ),
            *rows(name, "base_family", FAMILY, *NO_FAMILY),
        )
    ),
    *rows("plots.readable_family", "text", "text must be a text, or a list of texts; got ....", *NO_TEXT),
    *(
        row
        for name in ("plot_importance", "plots.plot_importance")
        for row in (
            *rows(
                name,
                "table",
                THE_TABLE,
                (None, "None"),
                ([], "a list"),
                (TABLE["importance"], "a Series"),
                (THING, "an object"),
                error=TypeError,
            ),
            *rows(
                name,
                "table",
                LACKING,
                (X, "'age', 'fare', 'sex'"),
                (TABLE[["feature"]], "'feature'"),
                (X[[]], "no columns"),
            ),
            *rows(name, "table", "table must have at least one row; got none.", (TABLE.head(0), "")),
            *rows(name, "table", NUMBERS.format("importance"), (TABLE.assign(importance="a"), ""), error=TypeError),
            *rows(name, "table", NUMBERS.format("se"), (TABLE.assign(se="a"), ""), error=TypeError),
        )
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=told)
def test_a_wrong_argument_is_an_error_that_says_what_is_meant(row):
    check(row)


OTHER = [  # what has no meaning for the effect
    (lambda: PAIR.plot(outputs="lines"), "outputs must be 'facets' for two features; got 'lines'."),
    (
        lambda: PAIR.plot(fan=True),
        "fan must be False for method 'pdp', which keeps no curves; got True. Curves are of one feature.",
    ),
    (
        lambda: PAIR.plot(color="sex"),
        "color must be None for method 'pdp', which keeps no curves; got 'sex'. Curves are of one feature.",
    ),
    (
        lambda: PD.plot(color="sex"),
        "color must be None for method 'pdp', which keeps no curves; got 'sex'. Use method='pdp+ice'.",
    ),
    (lambda: ICE.plot(color="sex", fan=True), "fan must be False where color= is given; got True."),
    (lambda: ICE.plot(color="sex", outputs="lines"), "outputs must be 'facets' where color= is given; got 'lines'."),
    (
        lambda: FeatureEffect.from_json(ICE.to_json()).plot(color="sex"),
        "color must be None for an effect read from JSON, which has no data; got 'sex'. "
        "Colour the effect before it is written.",
    ),
    (
        lambda: FeatureEffects(PREDICTOR, [("age", "fare")], grid=2).plot(rug="no"),
        "rug must be True, False or 'histogram'; got 'no'.",
    ),
    (
        lambda: FeatureEffects(PREDICTOR, [("age", "fare")], grid=2).plot(ncol=0),
        "ncol must be a whole number of at least 1; got 0.",
    ),
    (
        lambda: compare({"one": PD, "two": FeatureEffect(PREDICTOR, "fare")}),
        "effects must be alike in their features, ('age',); got ('fare',).",
    ),
    (
        lambda: compare({"one": PAIR, "two": FeatureEffect(PREDICTOR, ("age", "fare"), grid=3)}),
        "effects must be of one grid and one output for two features; got FeatureEffect(('age', 'fare'), method='pdp': "
        "3 x 3 points, 4 rows, 'Prediction', engine='brute'). Use grid={...} with its values for all, and target=.",
    ),
    (
        lambda: plots.plot_ale_pd(ALE, FeatureEffect(PREDICTOR, "fare")),
        "both effects must be of the same one feature and outputs; got ('age',) and ('fare',).",
    ),
]


@pytest.mark.parametrize(("call", "message"), OTHER, ids=[message[:60] for _, message in OTHER])
def test_what_has_no_meaning_for_the_effect_is_a_value_error(call, message):
    refuses(call, message)
