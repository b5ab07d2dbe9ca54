"""The house's rules, read off its source: who may import whom, how long things are, what importing it does."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import interpret_pd

HOUSE = Path(interpret_pd.__file__).parent
README = HOUSE.parent / "README.md"
FILES = sorted(path for path in HOUSE.rglob("*.py"))

FLOORS = {  # a room, which is a module or a package, and its floor
    **dict.fromkeys(["checks", "door", "frames", "trees", "datasets"], 0),
    **dict.fromkeys(["features", "grid", "predictor"], 1),
    **dict.fromkeys(["evaluate"], 2),
    **dict.fromkeys(["methods", "curves", "windows", "plots"], 3),
    **dict.fromkeys(["effect", "verbs", "effects", "importance", "interaction", "comparison", "report", "cli"], 4),
}
HALL = 4  # the floor of every room that isn't listed, and the only one that may import `effect` and `plots`
SEES_FRAMES_LIBRARIES, SEES_PLOTNINE = "frames", "plots"


def room(path):
    """The room that a file belongs to; None for the front door, the package's own __init__."""
    parts = path.relative_to(HOUSE).with_suffix("").parts
    return None if parts == ("__init__",) else parts[0]


def imports(path):
    """Every module that a file imports, by its full name, wherever in the file; not those for types only."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for_types = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def own_rooms(path):
    """The rooms of this house that a file imports."""
    names = [name.split(".") for name in imports(path) if name.split(".")[0] == "interpret_pd"]
    return {parts[1] for parts in names if len(parts) > 1}


def libraries(path):
    return {name.split(".")[0] for name in imports(path)} - {"interpret_pd"}


def named(path):
    return path.relative_to(HOUSE).as_posix()


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_room_imports_only_from_its_own_floor_and_below(path):
    floor = FLOORS.get(room(path), HALL)
    above = {name for name in own_rooms(path) if FLOORS.get(name, HALL) > floor}
    assert not above


def test_no_rooms_import_each_other_in_a_ring():
    needs = {}
    for path in FILES:
        needs.setdefault(room(path), set()).update(own_rooms(path) - {room(path)})
    TopologicalSorter(needs).prepare()  # raises CycleError, which names the ring


@pytest.mark.parametrize("path", FILES, ids=named)
def test_the_ground_floor_imports_nothing_of_the_house_but_itself_and_the_words_of_errors(path):
    if FLOORS.get(room(path)) == 0:
        assert own_rooms(path) <= {room(path), "checks"}


@pytest.mark.parametrize("path", FILES, ids=named)
def test_nothing_below_the_hall_imports_the_effect_or_the_plots(path):
    if FLOORS.get(room(path), HALL) < HALL and room(path) != "plots":
        assert not own_rooms(path) & {"effect", "plots"}


@pytest.mark.parametrize("path", FILES, ids=named)
def test_the_plots_import_plotnine_and_their_own_modules_only(path):
    if room(path) == SEES_PLOTNINE:
        assert own_rooms(path) <= {"plots", "checks", "door"}
    else:
        assert "plotnine" not in libraries(path)


@pytest.mark.parametrize("path", FILES, ids=named)
def test_only_the_frames_know_the_data_frame_libraries(path):
    if room(path) != SEES_FRAMES_LIBRARIES:
        assert not libraries(path) & {"narwhals", "polars", "pyarrow"}


@pytest.mark.parametrize("path", FILES, ids=named)
def test_only_the_trees_know_the_compiler_and_the_ensembles_of_others(path):
    if room(path) != "trees":
        assert not libraries(path) & {"numba", "treelite", "lightgbm", "xgboost"}


def bodies(path):
    """Each function's name and its number of lines without signature and docstring."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            yield node.name, body[-1].end_lineno - body[0].lineno + 1 if body else 0


def docstring_lines(path):
    """How many lines of a file are docstrings."""
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, owners)]
    texts = [node.body[0] for node in nodes if ast.get_docstring(node) is not None]
    return sum(text.end_lineno - text.lineno + 1 for text in texts)


def test_no_function_has_more_than_45_lines():
    long = {f"{named(path)}: {name}": lines for path in FILES for name, lines in bodies(path) if lines > 45}
    assert not long


def test_nine_functions_in_ten_have_at_most_25_lines():
    lines = [lines for path in FILES for _, lines in bodies(path)]
    assert sum(count <= 25 for count in lines) >= 0.9 * len(lines)


@pytest.mark.parametrize("path", FILES, ids=named)
def test_no_file_has_more_than_250_lines_beside_its_docstrings(path):
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines - docstring_lines(path) <= 250


def test_the_public_names_are_those_of_the_readme():
    text = README.read_text(encoding="utf-8") if README.exists() else ""
    section = re.search(r"^## Public names$(.*?)(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL)
    if section is None:
        pytest.skip("the README has no list of public names yet")
    names = re.findall(r"^\s*(?:[-*|]\s*)`(\w+)", section.group(1), flags=re.MULTILINE)
    assert set(names) == set(interpret_pd.__all__)


def test_every_public_name_is_there_and_documented():
    for name in interpret_pd.__all__:
        assert getattr(interpret_pd, name).__doc__, name


def fresh(code):
    """What a new interpreter prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


HEAVY = [
    *("sklearn", "joblib", "scipy.stats", "numba", "treelite", "polars", "pyarrow"),
    *("lightgbm", "xgboost", "matplotlib.pyplot"),
]


def test_importing_the_package_imports_nothing_heavy():
    # what pandas and plotnine import by themselves is not ours to blame
    code = (
        "import sys, pandas, plotnine; before = set(sys.modules); import interpret_pd;"
        f"print([name for name in {HEAVY} if name in set(sys.modules) - before])"
    )
    assert fresh(code) == "[]"


def test_importing_the_package_changes_no_setting():
    code = (
        "import random, warnings, numpy as np, pandas, plotnine, matplotlib as mpl;"
        "look = lambda: (list(warnings.filters), random.getstate(), np.random.get_state()[1].tolist(), np.geterr(),"
        " dict(mpl.rcParams), mpl.rcParams._get_backend_or_none());"
        "before = look(); import interpret_pd; print(look() == before)"
    )
    assert fresh(code) == "True"


@pytest.mark.parametrize("path", FILES, ids=named)
def test_every_module_opens_with_what_it_is(path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", FILES, ids=named)
def test_every_room_has_a_floor(path):
    assert room(path) is None or room(path) in FLOORS


def places(found):
    """The (file, function) of every node for which `found` is true; the innermost function, None at the top."""
    for path in FILES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        owner = {id(inner): name for name, node in functions_of(tree) for inner in ast.walk(node)}
        yield from ((named(path), owner.get(id(node))) for node in ast.walk(tree) if found(node))


def functions_of(tree):
    """A tree's functions with their names, the outer before the inner."""
    return [(node.name, node) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def called(node, *names):
    """Whether a node is a call of one of these functions, written so."""
    return isinstance(node, ast.Call) and ast.unparse(node.func) in names


def test_nothing_is_asserted_in_the_package():
    assert not list(places(lambda node: isinstance(node, ast.Assert)))  # python -O would leave it out


CAUGHT = {  # where any exception is caught, and why that is right
    ("evaluate/calling.py", "call"): "an error of the model is an answer too: it is raised where the answers are heard",
    ("evaluate/together.py", "_outcome"): "the other features go on; the error is raised, or kept by name",
    ("evaluate/together.py", "_run"): "an interrupt in a thread: raised where the caller waits",
    ("methods/computing.py", "compute"): "raised again, or the cause of what is raised",
    ("methods/computing.py", "_missing_is_refused"): "whether the model fails is the question",
    ("cli.py", "_model"): "a file that is loaded may raise anything; it is the cause of what is raised",
}
PASSED = {  # where an exception ends in nothing, and why that is right
    ("evaluate/together.py", "_run"): "the end of a computation whose answers will not come, raised for that",
    ("evaluate/sending.py", "_removed"): "a file for the moment that the system still holds: it is removed later",
}


def of_anything(node):
    """Whether a node catches any exception."""
    if not isinstance(node, ast.ExceptHandler):
        return False
    kinds = {"bare"} if node.type is None else set(re.findall(r"\w+", ast.unparse(node.type)))
    return bool(kinds & {"bare", "Exception", "BaseException"})


def test_any_exception_is_caught_in_a_few_places_only():
    assert not list(places(lambda node: isinstance(node, ast.ExceptHandler) and node.type is None))
    assert set(places(of_anything)) <= set(CAUGHT)


def test_no_exception_is_swallowed():
    def swallows(node):
        passes = isinstance(node, ast.ExceptHandler) and all(isinstance(line, ast.Pass) for line in node.body)
        return passes or called(node, "contextlib.suppress", "suppress")

    assert set(places(swallows)) <= set(PASSED)


def test_only_the_command_line_prints():
    assert {file for file, _ in places(lambda node: called(node, "print"))} <= {"cli.py"}


def test_a_warning_points_at_the_line_of_the_caller():
    def without(node):
        return called(node, "warnings.warn", "warn") and "stacklevel" not in {word.arg for word in node.keywords}

    assert not list(places(without))


def test_filters_of_warnings_are_changed_for_a_moment_only():
    for path in FILES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        inside = {
            id(inner)
            for node in ast.walk(tree)
            if isinstance(node, ast.With) and any("catch_warnings" in ast.unparse(item) for item in node.items)
            for inner in ast.walk(node)
        }
        filters = ("warnings.simplefilter", "warnings.filterwarnings", "simplefilter", "filterwarnings")
        outside = [node for node in ast.walk(tree) if called(node, *filters) and id(node) not in inside]
        assert not outside, named(path)


OWN_WORDS = {  # where an error is raised that `checks` hasn't built: it is caught in the same room
    ("features.py", "measured"): "the caller says what the values must be",
    ("predictor/response.py", "_as_floats"): "the handler below says it",
    ("predictor/response.py", "_from_objects"): "as above",
    ("predictor/__init__.py", "_numbers"): "the caller says what weights must be",
    ("windows/record.py", "_restore"): "the caller says what the text must be",
    ("effects.py", "__getitem__"): "a KeyError, as a mapping raises it",
}


def test_the_words_of_errors_are_built_in_one_room():
    def raises(node):
        return isinstance(node, ast.Raise) and called(node.exc, "ValueError", "TypeError", "KeyError", "RuntimeError")

    assert set(places(raises)) <= set(OWN_WORDS)
