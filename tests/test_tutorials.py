"""The course runs: every notebook from top to bottom, with its solutions, and with warnings as errors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TUTORIALS = Path(__file__).parent.parent / "tutorials"
NOTEBOOKS = sorted(TUTORIALS.glob("[0-9]*.ipynb"))
STRICT = """
import warnings

warnings.simplefilter("error")
warnings.filterwarnings("ignore", module="ipykernel")  # what the kernel says of itself when it ends
"""


def solutions(text):
    """The code in the collapsed solutions of a text cell."""
    hidden = re.findall(r"(?s)<details>.*?</details>", text)
    return [code for part in hidden for code in re.findall(r"(?s)```python\n(.*?)```", part)]


def with_solutions(cells):
    """The code of a notebook as a student runs it who tries every solution where it stands."""
    for cell in cells:
        if cell["cell_type"] == "code":
            yield cell["source"]
        else:
            yield from solutions(cell["source"])


def test_the_course_is_there():
    assert [path.name[:2] for path in NOTEBOOKS] == [f"{number:02}" for number in range(1, 9)]
    syllabus = (TUTORIALS / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in NOTEBOOKS if path.name not in syllabus] == []


@pytest.mark.filterwarnings("default")  # those of the notebook are errors in its own process
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path):
    nbclient = pytest.importorskip("nbclient", reason="running notebooks needs nbclient")
    nbformat = pytest.importorskip("nbformat", reason="running notebooks needs nbformat")
    pytest.importorskip("ipykernel", reason="running notebooks needs ipykernel")
    if path.stem == "07_any_model":
        pytest.importorskip("lightgbm", reason="notebook 7 explains a model of LightGBM")
        pytest.importorskip("polars", reason="notebook 7 takes data from polars")
    cells = [STRICT, *with_solutions(nbformat.read(path, as_version=4).cells)]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    folder = {"metadata": {"path": str(path.parent)}}
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources=folder).execute()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_small_and_kept_with_its_outputs(path):
    nbformat = pytest.importorskip("nbformat", reason="reading notebooks needs nbformat")
    code = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    outputs = [output for cell in code for output in cell.outputs]
    assert path.stat().st_size < 500_000
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert any("image/png" in output.get("data", {}) for output in outputs)
    assert not [output for output in outputs if output.output_type == "error" or output.get("name") == "stderr"]
