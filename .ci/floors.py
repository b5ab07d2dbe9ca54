"""Prints the oldest version of each core dependency that pyproject.toml admits, as requirements."""

import pathlib
import re
import tomllib

project = tomllib.loads(pathlib.Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
print(" ".join(re.sub(r">=([\d.]+).*", r"==\1", requirement) for requirement in project["dependencies"]))
