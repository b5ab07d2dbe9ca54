"""What the README says runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

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


def test_the_quickstart_makes_the_pictures_that_are_kept(tmp_path):
    """One script makes them all; kept and new have the same size, are not blank, and look alike."""
    root = README.parent
    command = [sys.executable, str(root / "tutorials" / "quickstart.py"), str(tmp_path)]
    environment = os.environ | {"MPLBACKEND": "Agg", "PYTHONPATH": str(root)}
    told = subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout
    assert "Pictures: temp.png" in told
    kept = sorted((root / "tutorials" / "pictures").glob("*.png"))
    assert [path.name for path in kept] == sorted(path.name for path in tmp_path.glob("*.png"))
    for path in kept:
        old, new = (np.asarray(Image.open(one).convert("L"), float) for one in (path, tmp_path / path.name))
        assert old.shape == new.shape
        assert new.std() > 10
        assert np.abs(old - new).mean() < 4
