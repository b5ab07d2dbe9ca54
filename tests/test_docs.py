"""What the README says runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"


def blocks():
    """The README's python blocks, in order."""
    text = README.read_text(encoding="utf-8") if README.exists() else ""
    return re.findall(r"^```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def test_the_readmes_python_runs_from_top_to_bottom(tmp_path, monkeypatch):
    if not blocks():
        pytest.skip("the README has no python yet")
    monkeypatch.chdir(tmp_path)
    names: dict = {"__name__": "__main__"}
    for number, block in enumerate(blocks(), start=1):
        exec(compile(block, f"README, block {number}", "exec"), names)


def test_the_readmes_links_lead_somewhere():
    text = README.read_text(encoding="utf-8") if README.exists() else ""
    targets = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", text)
    missing = [target for target in targets if not (README.parent / target).exists()]
    assert not missing
