"""Runs pytest on mutants: all of them in forks of one process, and those that a fork cannot decide in new processes."""

import ast
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.mutants.mutant import mutated
from tests.mutants.plan import Tried

PLUGINS = ("-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov")
BROWSER = ("test_nothing_is_wider_than_the_window", "test_a_browser_draws_it", "test_a_browser_prints_it")
# A browser needs more memory than a fork may take, and then waits for two minutes.
LEFT_OUT = tuple(f"--deselect=tests/report/simulation/test_html.py::{name}" for name in BROWSER)
PYTEST = (sys.executable, "-m", "pytest", "-x", "-q", "--hypothesis-seed=0", *PLUGINS, *LEFT_OUT)
START = 20  # seconds to start pytest and to collect, at most
NO_TESTS = 5  # the exit status of pytest that found nothing to run


class Run(NamedTuple):
    """The copy of the checkout, the tests to run in it, the modules that are watched, and a folder for notes.

    `grace` are the seconds that the tests of one fault may take beyond five times what they usually take.
    """

    copy: Path
    tests: Sequence[str]
    modules: Sequence[str]
    folder: Path
    grace: float = 20

    @property
    def measured(self) -> Path:
        """The file that says which tests run which lines."""
        return self.folder / "measured.json"

    @property
    def work(self) -> Path:
        """The file with the instructions for the plugins."""
        return self.folder / "work.json"


def outcomes(run: Run, faults: Sequence[Tried], *, fast: bool) -> list[str]:
    """How each fault ends: killed, timeout or survived."""
    results = run.folder / "results.jsonl"
    rows = [{"key": at, "file": one.file, **one.fault._asdict()} for at, one in enumerate(faults)]
    asked: dict[str, Any] = {
        "measured": str(run.measured),
        "results": str(results),
        "files": [*run.modules],
        "mutants": rows,
    }
    asked["grace"] = run.grace
    run.work.write_text(json.dumps(asked), encoding="utf-8")
    _pytest(run, ("-p", "tests.mutants.warm", *run.tests), None)
    measured = json.loads(run.measured.read_text(encoding="utf-8"))
    if measured["failed"]:
        print(f"these tests fail without any fault and are left out: {', '.join(measured['failed'])}", file=sys.stderr)
    ended: dict[int, str] = dict(json.loads(line) for line in results.read_text(encoding="utf-8").splitlines())
    for at, fault in enumerate(faults):
        if ended[at] == "cold" or (ended[at] == "survived" and not fast):
            work = {"measured": str(run.measured), "file": fault.file, "function": fault.fault.function}
            run.work.write_text(json.dumps(work), encoding="utf-8")
            limit = run.grace + START + 5 * sum(measured["seconds"].values())
            ended[at] = _alone(run, fault, _through(measured, fault.file) or run.tests, limit)
    return [ended[at] for at in range(len(faults))]


def _through(measured: Mapping[str, Any], file: str) -> list[str]:
    """The files of the tests that run lines of a module."""
    lines = measured["lines"].get(file, {})
    return sorted({name.partition("::")[0] for names in lines.values() for name in names})


def _alone(run: Run, one: Tried, tests: Sequence[str], limit: float) -> str:
    """How a fault ends in a process that has read it from disk."""
    path = run.copy / one.file
    source = path.read_text(encoding="utf-8")
    try:
        _write(path, ast.unparse(mutated(source, one.fault.number)))
        status = _pytest(run, ("-p", "tests.mutants.cold", *tests), limit)
    finally:
        _write(path, source)
    return {0: "survived", NO_TESTS: "survived", None: "timeout"}.get(status, "killed")


def _write(path: Path, text: str) -> None:
    """Write a module that Python compiles anew, which it only does when the second of the last change is another."""
    before = path.stat().st_mtime
    path.write_text(text, encoding="utf-8")
    os.utime(path, (before + 2, before + 2))


def _pytest(run: Run, words: Sequence[str], seconds: float | None) -> int | None:
    """The exit status of pytest in the copy; None when it took too long."""
    command = [*PYTEST, f"--basetemp={run.folder / 'temporary'}", *words]
    environment = {**os.environ, "GITGPU_MUTANTS": str(run.work), "PYTHONPATH": str(run.copy)}
    with (run.folder / "pytest.txt").open("w", encoding="utf-8") as out:
        process = subprocess.Popen(
            command,
            cwd=run.copy,
            env=environment,
            stdout=out,
            stderr=out,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            return None
