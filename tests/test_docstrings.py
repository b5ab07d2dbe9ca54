"""Docstrings: every public name says what it takes, gives and raises, where it is from, and shows it."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import textwrap
from pathlib import Path

import pytest

import interpret_pd
from interpret_pd import plots

REFERENCE = Path(__file__).parent.parent / ".docs" / "reference"
HEADING = re.compile(r"^(\w[\w ]*)\n(-{3,})$", flags=re.MULTILINE)
FIELD = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: : (.+))?$", flags=re.MULTILINE)
PLUMBING = {  # methods between the rooms of the house, which the reference leaves out
    *("FeatureEffect.hold", "Predictor.answer", "Predictor.ask", "Predictor.chosen", "Predictor.feature"),
    *("Predictor.present_features", "Predictor.selection"),
}
PAPERS = {
    "FeatureEffect": ("Friedman", "Goldstein", "Apley"),
    "FeatureEffect.derivative": ("Goldstein", "Savitzky"),
    "FeatureEffect.pooled": ("Molnar",),
    "Predictor": ("Molnar",),
    "h_statistic": ("Friedman",),
    "load_bike": ("Fanaee",),
    "pd_importance": ("Greenwell",),
}


def everything():
    """The public names, the classes' methods and properties, and the pictures behind `plot`, by their names."""
    found = {name: getattr(interpret_pd, name) for name in interpret_pd.__all__}
    for name, one in list(found.items()):
        if inspect.isclass(one):
            members = {f"{name}.{member}": value for member, value in vars(one).items() if not member.startswith("_")}
            found |= {member: value for member, value in members.items() if member not in PLUMBING}
    return found | {
        f"plots.{name}": getattr(plots, name) for name in ("plot_effect", "plot_effects", "readable_family")
    }


EVERYTHING = {name: one for name, one in everything().items() if inspect.getdoc(one)}
PUBLIC = {name: EVERYTHING[name] for name in interpret_pd.__all__}


def function(one):
    """The function behind a method or a property; a class as it is."""
    one = getattr(one, "fget", None) or getattr(one, "func", None) or one
    return getattr(one, "__func__", one)


def is_called(one):
    return inspect.isclass(one) or not (isinstance(one, property) or hasattr(one, "func"))


CALLED = {name: one for name, one in EVERYTHING.items() if is_called(one)}


def sections(one):
    """The text under each heading."""
    text = inspect.cleandoc(inspect.getdoc(function(one)) or "")
    heads = [head for head in HEADING.finditer(text) if len(head[1]) == len(head[2])]
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return {head[1]: text[head.end() : end].strip("\n") for head, end in zip(heads, ends, strict=True)}


def taken(name, one):
    """The names of the arguments that a user gives, in order; the first of a method is the object itself."""
    arguments = list(inspect.signature(one if inspect.isclass(one) else function(one)).parameters.values())
    bound = "." in name and not name.startswith("plots.") and not isinstance(one, staticmethod)
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    return [stars.get(argument.kind, "") + argument.name for argument in arguments[bound:]]


def raises(one):
    """Whether its body raises, or hands its arguments to what checks them."""
    source = function(one.__init__ if inspect.isclass(one) else one)
    tree = ast.parse(textwrap.dedent(inspect.getsource(source)))
    calls = [ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    checking = [call for call in calls if call.startswith("checks.") or call in ("check_predictor", "needs_model")]
    return bool(checking) or any(isinstance(node, ast.Raise) for node in ast.walk(tree))


def test_what_is_public_has_a_docstring():
    assert set(everything()) == set(EVERYTHING)


@pytest.mark.parametrize("name", CALLED)
def test_parameters_are_told_in_order_and_with_their_types(name):
    arguments = taken(name, CALLED[name])
    fields = FIELD.findall(sections(CALLED[name]).get("Parameters", ""))
    told = [argument for names, _ in fields for argument in names.split(", ")]
    assert told == arguments
    assert [names for names, kind in fields if not kind and not names.startswith("*")] == []


@pytest.mark.parametrize("name", [name for name, one in CALLED.items() if not inspect.isclass(one)])
def test_functions_tell_what_they_return(name):
    assert sections(CALLED[name]).get("Returns")


@pytest.mark.parametrize("name", [name for name, one in EVERYTHING.items() if raises(one)])
def test_errors_are_told(name):
    told = sections(EVERYTHING[name]).get("Raises", "")
    assert re.match(r"(TypeError|ValueError|KeyError)\n {4}\S", told)


@pytest.mark.parametrize("name", PAPERS)
def test_what_a_paper_defines_names_it(name):
    told = sections(EVERYTHING[name]).get("References", "")
    assert [author for author in PAPERS[name] if author not in told] == []


@pytest.mark.parametrize("name", PUBLIC)
def test_public_names_have_an_example_that_runs(name):
    one, flags = PUBLIC[name], doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    test = doctest.DocTestParser().get_doctest(inspect.getdoc(one), {name: one}, name, None, None)
    said = []
    result = doctest.DocTestRunner(optionflags=flags, verbose=False).run(test, out=said.append)
    assert result.attempted > 0 and "Examples" in sections(one)
    assert not result.failed, "".join(said)


SKIPPED = {  # what numpydoc's validator asks for, and why we don't do it
    "ES01": "not everything needs more than a line",
    "EX01": "what is public has examples (see above), not each verb of it",
    "PR01": "checked above: of a verb it would want the effect itself, too",
    "SA01": "the reference has one page, and the sections link to each other",
    "SS05": "it takes Friedman's for a verb",
}
EXCEPTIONS = {("Predictor.n_rows", "SS02")}  # it is about n


@pytest.mark.parametrize("name", EVERYTHING)
def test_numpydoc_finds_nothing(name):
    validate = pytest.importorskip("numpydoc.validate").validate
    found = {code: text for code, text in validate(f"interpret_pd.{name}")["errors"] if code not in SKIPPED}
    assert {code: text for code, text in found.items() if (name, code) not in EXCEPTIONS} == {}


def test_the_reference_has_every_public_name_and_leaves_out_the_plumbing():
    text = "".join(page.read_text(encoding="utf-8") for page in REFERENCE.glob("*.rst"))
    if not text:
        pytest.skip("the site's sources are not in this copy")
    assert set(re.findall(r"\.\. auto(?:class|function):: (\w+)$", text, flags=re.MULTILINE)) == set(
        interpret_pd.__all__
    )
    left_out = re.findall(r":exclude-members: (.+)", text)
    assert {name for names in left_out for name in names.split(", ")} == {name.split(".")[1] for name in PLUMBING}
