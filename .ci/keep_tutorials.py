"""Run the notebooks of the course and keep their outputs, with large pictures squeezed to a palette.

    python .ci/keep_tutorials.py [NAME ...]

NAME is the beginning of a notebook's name, such as 03; by default all are run. It needs the packages of the extras
`test` and `tutorials`, and torch for notebook 07.
"""

import base64
import io
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from PIL import Image

TUTORIALS = Path(__file__).parent.parent / "tutorials"
LARGE = 80_000  # characters of base64; smaller pictures stay as they are
COLOURS = 128  # hundreds of curves drawn over one another look the same with so many, in half the bytes


def main(names: list[str]) -> None:
    """Runs the notebooks whose names begin with one of these."""
    for path in sorted(TUTORIALS.glob("[0-9]*.ipynb")):
        if path.name.startswith(tuple(names) or ""):
            notebook = nbformat.read(path, as_version=4)
            keep(notebook)
            path.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")
            print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


def keep(notebook: nbformat.NotebookNode) -> None:
    """Runs a notebook in place; what differs from machine to machine and isn't a result is left out."""
    folder = {"metadata": {"path": str(TUTORIALS)}}
    NotebookClient(notebook, timeout=300, kernel_name="python3", record_timing=False, resources=folder).execute()
    notebook.metadata["language_info"] = {"name": "python"}
    for cell in notebook.cells:
        if cell.cell_type == "code":  # what goes to stderr are progress bars: the tests run with warnings as errors
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data:
                data["image/png"] = squeezed(data["image/png"])
            if data.get("text/plain", "").startswith("<plotnine."):
                data["text/plain"] = "<a plotnine picture>"


def squeezed(encoded: str) -> str:
    """A large PNG in base64 with few colours, if that is smaller."""
    if len(encoded) < LARGE:
        return encoded
    picture = Image.open(io.BytesIO(base64.b64decode(encoded))).convert("RGB")
    file = io.BytesIO()
    picture.quantize(COLOURS, kmeans=4, dither=Image.Dither.NONE).save(file, "png", optimize=True)
    return min(encoded, base64.b64encode(file.getvalue()).decode(), key=len)


if __name__ == "__main__":
    main(sys.argv[1:])
