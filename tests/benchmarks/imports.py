"""Import time: `import interpret_pd` against plotnine plus scikit-learn, in fresh interpreters.

    python tests/benchmarks/imports.py [--repeats 15]

Each round starts one interpreter per line of the table, in turn, so that a slow moment meets all of them.
CPU time of the import alone, without the interpreter's own start; the ratio is the median of the rounds' ratios.
interpret_pd imports no scikit-learn until a model needs it, so the third line imports both, like for like.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys

FLOOR = "plotnine, sklearn"
IMPORTS = (FLOOR, "interpret_pd", "interpret_pd, sklearn", "plotnine", "sklearn")
COMPILED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}  # as installed


def seconds(names: str) -> float:
    """The CPU time that a fresh interpreter takes for the import."""
    code = f"import time; begin = time.process_time(); import {names}; print(time.process_time() - begin)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=COMPILED)
    return float(done.stdout)


def rounds(repeats: int) -> dict[str, list[float]]:
    """The times of each import, one per round; a first round, which fills the disk's cache, is thrown away."""
    times = [{names: seconds(names) for names in IMPORTS} for _ in range(repeats + 1)][1:]
    return {names: [one[names] for one in times] for names in IMPORTS}


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=15)
    times = rounds(parser.parse_args().repeats)
    print("| import | CPU seconds | ratio | lowest to highest ratio |")
    print("|---|---|---|---|")
    for names, taken in times.items():
        ratios = [own / floor for own, floor in zip(taken, times[FLOOR], strict=True)]
        middle = f"{statistics.median(taken):.2f} | {statistics.median(ratios):.2f}"
        print(f"| {names} | {middle} | {min(ratios):.2f} to {max(ratios):.2f} |")


if __name__ == "__main__":
    main()
