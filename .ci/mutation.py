"""Mutation testing: which changes of the code does no test notice?

    python .ci/mutation.py                            # all of [tool.mutmut] in pyproject.toml: an hour on two cores
    python .ci/mutation.py "interpret_pd.grid.*"      # some mutants
    python .ci/mutation.py --seconds 20 --survivors   # those that survived, again, with more tests for each

mutmut makes the mutants and finds out which tests reach which function. Its own runner starts pytest once more for each
mutant and takes the tests in any order, which is many hours for this suite. So the mutants are run here: one session
collects the tests, and each mutant is a fork of it that runs the tests that reach it, the cheapest first, up to the
first that fails. The verdicts are kept where mutmut keeps its own: `mutmut results` lists the survivors, `mutmut show
NAME` shows one, `mutmut run NAME` runs one again with every test that reaches it.

A mutant has survived when the tests named after its module and other tests worth `--seconds` have passed, so the share
of the killed that is printed is a lower bound.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import fnmatch
import gc
import importlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

WORKERS = min(2, os.cpu_count() or 1)
SURVIVED, KILLED, TIMEOUT, NO_TESTS = 0, 1, 36, 33  # as mutmut numbers them
FIRST = "interpret_pd.methods.recursion.x__refusal__mutmut_1"  # a cheap one, to have mutmut make them all
LATE = ["joblib.parallel", "scipy.spatial", "sklearn.ensemble", "sklearn.inspection", "lightgbm", "xgboost"]
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "Agg"}  # no threads: forks follow


class Mutants:
    """A pytest plugin that runs the session's tests once per mutant."""

    def __init__(self, asked: argparse.Namespace) -> None:
        self.asked, self.verdicts = asked, {}

    def pytest_runtestloop(self, session) -> bool:
        """Instead of running the tests once."""
        for name in LATE:  # imported once here, not in every fork
            importlib.import_module(name)
        gc.collect()
        gc.freeze()
        work, running = self.plan({item.nodeid: item for item in session.items}), {}
        for number, (name, items) in enumerate(work):
            if number % 100 == 0:
                print(f"{number} of {len(work)} mutants", file=sys.stderr)
            while len(running) >= WORKERS:
                self.hear(running)
            running[fork(name, items)] = name
        while running:
            self.hear(running)
        return True

    def hear(self, running: dict[int, str]) -> None:
        """Waits for one mutant's end; one that crashed is killed."""
        pid, status = os.wait()
        if pid in running:
            code = os.waitstatus_to_exitcode(status)
            self.verdicts[running.pop(pid)] = code if code in (SURVIVED, TIMEOUT) else KILLED

    def plan(self, items: dict) -> list[tuple[str, list]]:
        """Each mutant asked for and the tests for it."""
        told = json.loads(Path("mutmut-stats.json").read_text())
        seconds, reaching = told["duration_by_test"], told["tests_by_mangled_function_name"]
        work = []
        for name, verdict in mutants().items():
            wanted = verdict not in (KILLED, TIMEOUT) or not self.asked.survivors
            if wanted and any(fnmatch.fnmatch(name, pattern) for pattern in self.asked.patterns):
                tests = [test for test in reaching.get(name.rpartition("__mutmut_")[0], []) if test in items]
                chosen = cheapest(name, tests, seconds, self.asked.seconds)
                if chosen:
                    work.append((name, [items[test] for test in chosen]))
                else:
                    self.verdicts[name] = NO_TESTS
        return work


def mutants() -> dict[str, int | None]:
    """The names of all mutants with their last verdicts, read in the directory that mutmut has made."""
    found = {}
    for meta in sorted(Path().rglob("*.meta")):
        found.update(json.loads(meta.read_text())["exit_code_by_key"])
    return found


def cheapest(name: str, tests: list[str], seconds: dict[str, float], budget: float) -> list[str]:
    """The tests named after the mutant's module and then others that fit the budget, each the cheapest first."""
    near = tuple(f"tests/test_{part}" for part in name.split(".")[1:-1])
    tests = sorted(tests, key=seconds.get)
    chosen, spent = [test for test in tests if test.startswith(near)], 0.0
    for test in tests:
        spent += 0.0 if test.startswith(near) else seconds[test]
        chosen += [test] if not test.startswith(near) and spent <= budget else []
    return chosen


def fork(name: str, items: list) -> int:
    """Starts a mutant's tests; returns the process."""
    pid = os.fork()
    if pid == 0:
        code = KILLED  # whatever else ends it
        with contextlib.suppress(BaseException):
            code = run(name, items)
        os._exit(code)
    return pid


def run(name: str, items: list) -> int:
    """Runs the tests up to the first that fails."""
    from _pytest.runner import runtestprotocol
    from mutmut.mutation.trampoline import set_mutant_under_test

    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    set_mutant_under_test(name)
    for late in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(late, lambda *_: os._exit(TIMEOUT))
    for item, following in zip(items, [*items[1:], None], strict=True):
        signal.setitimer(signal.ITIMER_REAL, 60)  # waits for ever
        signal.setitimer(signal.ITIMER_PROF, 20)  # runs for ever
        if any(report.failed for report in runtestprotocol(item, nextitem=following, log=False)):
            return KILLED
    return SURVIVED


def kept(verdicts: dict[str, int]) -> None:
    """Writes the verdicts where mutmut finds them, and prints what came of each file."""
    from mutmut.mutation.data import SourceFileMutationData

    total = collections.Counter()
    for meta in sorted(Path("mutants").rglob("*.meta")):
        data = SourceFileMutationData(path=meta.relative_to("mutants").with_suffix(""))
        data.load()
        data.exit_code_by_key.update({name: verdicts[name] for name in data.exit_code_by_key if name in verdicts})
        data.save()
        found = collections.Counter(verdicts[name] for name in data.exit_code_by_key if name in verdicts)
        total += found
        if found:
            print(f"{data.path}: {told(found)}")
    print(f"all: {told(total)}")


def told(found: collections.Counter) -> str:
    """How many mutants there were, and how many are dead."""
    dead, all_of_them = found[KILLED] + found[TIMEOUT], found.total()
    return f"{all_of_them} mutants, {dead} killed ({dead / max(all_of_them, 1):.1%})"


def main(words: list[str]) -> None:
    """Has mutmut make the mutants, runs them and tells the verdicts."""
    import pytest

    parser = argparse.ArgumentParser(description="Which changes of the code does no test notice?")
    parser.add_argument("patterns", nargs="*", default=["*"], help="names of mutants")
    parser.add_argument("--seconds", type=float, default=10.0, help="of tests not named after the mutant's module")
    parser.add_argument("--survivors", action="store_true", help="those that survived the last time only")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # pytest ends the session, and the verdicts are kept
    os.environ.update(ENVIRONMENT)
    begin, plugin = time.perf_counter(), Mutants(parser.parse_args(words))
    mutmut = [sys.executable, "-m", "mutmut", "run", "--max-children", str(WORKERS), FIRST]
    subprocess.run(mutmut, check=True)  # noqa: S603  (our own words)
    from mutmut.configuration import config

    options = ["-q", "--capture=sys", "--tb=native", "--assert=plain", *config().pytest_add_cli_args]
    with contextlib.chdir("mutants"):
        os.environ["MUTANT_UNDER_TEST"] = ""
        pytest.main([*options, *config().pytest_add_cli_args_test_selection], plugins=[plugin])
    kept(plugin.verdicts)
    print(f"{time.perf_counter() - begin:.0f} seconds")


if __name__ == "__main__":
    main(sys.argv[1:])
