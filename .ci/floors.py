"""Prints the oldest version of each dependency that pyproject.toml admits, as requirements; also those of extras named.

python .ci/floors.py [trees test ...]
"""

import pathlib
import re
import sys
import tomllib

project = tomllib.loads(pathlib.Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
extras = project["optional-dependencies"]


def requirements(names: list[str]) -> list[str]:
    """Those of the core, and of the extras named with the extras that they name."""
    found = list(project["dependencies"])
    for name in names:
        for requirement in extras[name]:
            inner = re.match(r"interpret-pd\[(.*)\]", requirement)
            found += requirements(inner[1].split(","))[len(project["dependencies"]) :] if inner else [requirement]
    return found


print(*dict.fromkeys(re.sub(r">=([\d.]+).*", r"==\1", requirement) for requirement in requirements(sys.argv[1:])))
