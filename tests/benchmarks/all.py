"""All benchmarks in one go, and one markdown file with their tables.

    python tests/benchmarks/all.py [--quick] [benchmarks.md]

Each runs in a process of its own. `--quick` takes smaller sizes, to see that everything runs.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
TITLES = {  # script: what it is about, and its arguments for a quick run
    "brute": ("Brute force against the floor, scikit-learn beside it", ["--repeats", "1", "--sizes", "200"]),
    "trees": ("The tree engine against the floor", ["0.05"]),
    "plots": ("Pictures", ["--repeats", "1"]),
    "memory": ("Memory", ["--rows", "20000", "--points", "20"]),
    "scaling": ("Scaling and workers", ["--repeats", "1"]),
    "imports": ("Import time against plotnine plus scikit-learn", ["--repeats", "2"]),
}
PACKAGES = ("numpy", "pandas", "scikit-learn", "joblib", "numba", "lightgbm", "xgboost", "plotnine")


def versions() -> str:
    """The installed packages that matter."""
    found = []
    for name in PACKAGES:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return ", ".join(found)


def head() -> str:
    """When and on what: ratios hold elsewhere, times do not."""
    machine = f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}, Python {platform.python_version()}"
    return f"# Benchmarks\n\n{datetime.date.today()}; {machine}; {versions()}.\n"


def run(name: str, quick: bool) -> str:
    """One benchmark's section."""
    title, smaller = TITLES[name]
    begin = time.perf_counter()
    script = [sys.executable, str(HERE / f"{name}.py"), *(smaller if quick else [])]
    done = subprocess.run(script, capture_output=True, text=True)
    table = done.stdout.strip() if done.returncode == 0 else f"It failed:\n\n```\n{done.stderr.strip()[-2000:]}\n```"
    print(f"{name}: {time.perf_counter() - begin:.0f} s", file=sys.stderr, flush=True)
    return f"## {title}\n\n{table}\n"


def main() -> None:
    """Writes the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", default="benchmarks.md")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    sections = [head(), *(run(name, options.quick) for name in TITLES)]
    Path(options.file).write_text("\n".join(sections), encoding="utf-8")


if __name__ == "__main__":
    main()
