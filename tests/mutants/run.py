"""Runs pytest on mutants: all of them in forks of one process, and those that a fork cannot decide in new processes."""

import ast
import json
import math
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.mutants.forks import BUSY
from tests.mutants.measured import Measured, measured
from tests.mutants.mutant import mutated
from tests.mutants.plan import Tried

PLUGINS = ("-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov")
BROWSER = ("test_nothing_is_wider_than_the_window", "test_a_browser_draws_it", "test_a_browser_prints_it")
# A browser needs more memory than a fork may use, and would then wait for two minutes.
LEFT_OUT = tuple(f"--deselect=tests/report/simulation/test_html.py::{name}" for name in BROWSER)
PYTEST = (sys.executable, "-m", "pytest", "-x", "-q", "--hypothesis-seed=0", *PLUGINS, *LEFT_OUT)
START = 20  # seconds to start pytest and to collect, at most
UNNOTICED, DETECTED = ("survived", "unreached"), ("killed", "timeout")
NO_TESTS = 5  # the exit status of pytest if it collects no test


class Run(NamedTuple):
    """The copy of the checkout, the tests to run in it, the modules that are watched, and a folder for notes.

    `grace` are the seconds that the tests of one fault may take beyond five times what they usually take. In forks,
    `within` are the seconds of tests that are tried, and `rules` the kinds of rule whose documents are tried first.
    """

    copy: Path
    tests: Sequence[str]
    modules: Sequence[str]
    folder: Path
    grace: float = 20
    within: float = math.inf
    rules: Sequence[str] = ()

    @property
    def measured(self) -> Path:
        """The file that says which tests run which lines."""
        return self.folder / "measured.json"

    @property
    def work(self) -> Path:
        """The file with the input of the plugins."""
        return self.folder / "work.json"


def outcomes(run: Run, faults: Sequence[Tried], *, fast: bool) -> list[str]:
    """How each fault ends: killed, timeout, survived, unreached where nothing runs its lines, or cold: not tried."""
    results = run.folder / "results.jsonl"
    asked: dict[str, Any] = {
        "measured": str(run.measured),
        "results": str(results),
        "files": [*run.modules],
        "mutants": [{"key": at, "file": tried.file, **tried.fault._asdict()} for at, tried in enumerate(faults)],
        "grace": run.grace,
        "within": run.within,
        "rules": [*run.rules],
    }
    run.work.write_text(json.dumps(asked), encoding="utf-8")
    _pytest(run, ("-p", "tests.mutants.warm", *run.tests), None)
    if not run.measured.exists():
        raise ChildProcessError((run.folder / "pytest.txt").read_text(encoding="utf-8"))
    known = measured(run.measured)
    if known.failed:
        print(f"these tests fail without any fault and are omitted: {', '.join(known.failed)}", file=sys.stderr)
    ended: dict[int, str] = dict(json.loads(line) for line in results.read_text(encoding="utf-8").splitlines())
    for at, fault in enumerate(faults):
        if ended[at] not in DETECTED and not fast:
            work = {"measured": str(run.measured), "file": fault.file, "function": fault.fault.function}
            run.work.write_text(json.dumps(work), encoding="utf-8")
            limit = BUSY * (run.grace + START + 5 * sum(known.seconds.values()))
            ended[at] = _alone(run, fault, _through(known, fault.file) or run.tests, limit)
    return [ended[at] for at in range(len(faults))]


def _through(known: Measured, file: str) -> list[str]:
    """The files of the tests that may run lines of a module."""
    return sorted({name.partition("::")[0] for name in known.may_run(file) if name not in known.reported})


def _alone(run: Run, tried: Tried, tests: Sequence[str], limit: float) -> str:
    """How a fault ends in a process that has read it from disk."""
    path = run.copy / tried.file
    source = path.read_text(encoding="utf-8")
    try:
        _write(path, ast.unparse(mutated(source, tried.fault.number)))
        status = _pytest(run, ("-p", "tests.mutants.cold", *tests), limit)
    finally:
        _write(path, source)
    return {0: "survived", NO_TESTS: "survived", None: "timeout"}.get(status, "killed")


def _write(path: Path, text: str) -> None:
    """Write a module that Python compiles again, which it only does when the second of the last change is another."""
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
