"""How the site is built: `python -m sphinx -W -b html .docs build/docs`."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

import interpret_pd

project = "interpret_pd"
author = "the interpret_pd developers"
version = release = interpret_pd.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",  # sections of the docstrings
    "myst_nb",  # Markdown, and notebooks with the outputs that they keep
]

# pages; `tutorials` is a link to the folder of the course, so that nothing is copied
root_doc = "index"
exclude_patterns = ["tutorials/README.md", "tutorials/data", "tutorials/output", "**/.ipynb_checkpoints", "checks"]
nb_execution_mode = "off"  # the notebooks are run in the tests; the site shows what they printed
myst_enable_extensions = ["attrs_block", "dollarmath"]
myst_heading_anchors = 3

# the reference
default_role = "py:obj"  # `name` in a docstring is code, and a link where it is known
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings say types and shapes in words
autosummary_generate = False
numpydoc_show_class_members = False  # autodoc lists them
numpydoc_class_members_toctree = False
python_maximum_signature_line_length = 88

# the look
smartquotes = False  # "pdp" is typed as it stands
highlight_language = "none"  # formulas; code says its language
html_math_renderer = "mathml"
html_static_path = ["look"]
html_css_files = ["look.css"]
html_theme = "furo"
html_title = f"interpret_pd {release}"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
pygments_style = "friendly"


LINK = re.compile(r"(?<!!)\[([^\[\]]+)\]\((?!\w+:|#)([^()\s]+)\)")  # a link to a file, not a picture
PAGES = {"tutorials/README.md": "course", ".docs/compare.md": "compare", "README.md": "index"}


def _link(link: re.Match[str], folder: Path) -> str:
    """A link in the repository, as one of this site: to a page where the file is one, else to the file."""
    path = os.path.normpath(folder / link[2].partition("#")[0]).replace(os.sep, "/")
    if path in PAGES or path.endswith(".ipynb"):
        return f"{{doc}}`{link[1].replace('`', '')} </{PAGES.get(path, path.removesuffix('.ipynb'))}>`"
    return f"[{link[1]}](../{path})"


def _as_page(_app: Any, path: Path, _parent: str, content: list[str]) -> None:
    """The links in what is included, which are relative to where it is."""
    folder = Path(os.path.normpath(Path(".docs") / path)).parent
    content[0] = LINK.sub(lambda link: _link(link, folder), content[0])


def _formula(writer: Any, node: nodes.Element) -> None:
    """A formula as MathML, which browsers draw by themselves: the site loads nothing from elsewhere."""
    block = isinstance(node, nodes.math_block)
    formula = str(tex2mathml(node.astext().replace(r"\dots", r"\ldots"), as_block=block))
    writer.body.append(f'<div class="formula">{formula}</div>' if block else formula)
    raise nodes.SkipNode


def setup(app: Any) -> None:
    """Lets the README and the syllabus be included as they are, and formulas be drawn."""
    app.connect("include-read", _as_page)
    app.add_html_math_renderer("mathml", inline_renderers=(_formula, None), block_renderers=(_formula, None))
