"""A model that leaves a record of where it was pickled, unpickled and asked; workers import it from here."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np


class Recorded:
    """A model of a megabyte that writes into a file wherever it is unpickled and asked."""

    def __init__(self, file, seconds=0.0):
        self.file, self.seconds, self.ballast = str(file), seconds, np.ones(2**17)

    def write(self, what):
        with Path(self.file).open("a") as file:
            file.write(f"{what} {os.getpid()}\n")

    def __setstate__(self, state):
        self.__dict__ = state
        self.write("unpacked")

    def predict(self, Z):
        self.write("asked")
        time.sleep(self.seconds)
        return np.sin(np.asarray(Z)[:, 0]) * np.asarray(Z)[:, 1] + np.asarray(Z)[:, 2]


def lines(file, what):
    """The processes that wrote so."""
    return [int(line.split()[1]) for line in file.read_text().splitlines() if line.startswith(what + " ")]
