"""A pytest plugin that tries many mutants in one process: it collects the tests once, and forks for each mutant.

A fork replaces the code of one function by its mutated code and runs the tests that run these lines. That is much
faster than a new process, but it does not see what was computed before the fork, so a survivor is tried again in a
process of its own (`cold.py`). GITGPU_MUTANTS names the file with the work, which names the file for the results.
"""

import gc
import importlib
import json
import os
import resource
import signal
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import coverage
import pytest

from tests.mutants.mutant import mutated

MEMORY = 3 << 30
Functions = Mapping[tuple[str, str], Sequence[FunctionType]]


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Measure the tests, and then try every fault."""
    work = json.loads(Path(os.environ["GITGPU_MUTANTS"]).read_text(encoding="utf-8"))
    for file in work[
        "files"
    ]:  # many modules are imported by the test that needs them, and a fork sees only live functions
        importlib.import_module(file.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    functions = _functions()  # before the freeze, which hides objects from get_objects
    gc.freeze()
    measured = Path(work["measured"])
    if not measured.exists():
        _forked(lambda: _measure(session, measured, work["files"]), 3600)
    tests = json.loads(measured.read_text(encoding="utf-8"))
    with Path(work["results"]).open("a", encoding="utf-8") as results:
        for tried in work["mutants"]:
            outcome = _try(session, {**tried, "grace": work["grace"]}, tests, functions)
            results.write(json.dumps([tried["key"], outcome]) + "\n")
            results.flush()
    return True


def _try(session: pytest.Session, tried: Mapping[str, Any], tests: Mapping[str, Any], functions: Functions) -> str:
    """How a fault ends: `killed`, `timeout`, `survived`, or `cold` where a fork cannot tell."""
    lines = tests["lines"].get(tried["file"], {})
    through = {name for line in range(tried["line"], tried["last"] + 1) for name in lines.get(str(line), ())}
    live = functions.get((os.path.realpath(tried["file"]), tried["function"]), ())
    if not through or not live:
        return "cold"
    chosen = [item for item in session.items if item.nodeid in through]
    chosen.sort(key=lambda item: tests["seconds"][item.nodeid])
    usual = sum(tests["seconds"][item.nodeid] for item in chosen)

    def child() -> int:
        source = Path(tried["file"]).read_text(encoding="utf-8")
        code = compile(mutated(source, tried["number"]), tried["file"], "exec")
        found = [one for one in _codes(code) if one.co_qualname == tried["function"]]
        if len(found) != 1 or any(found[0].co_freevars != one.__code__.co_freevars for one in live):
            return 3
        for one in live:
            one.__code__ = found[0]
        return _run(session, chosen)

    ended = _forked(child, tried["grace"] + 5 * usual)
    return {0: "survived", 1: "killed", 3: "cold", None: "timeout"}.get(ended, "killed")


def _run(session: pytest.Session, items: Sequence[pytest.Item]) -> int:
    for item, following in zip(items, [*items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return 1
    return 0


def _measure(session: pytest.Session, into: Path, files: Sequence[str]) -> int:
    """Which tests come through which lines, and how long each takes."""
    watched = coverage.Coverage(data_file=None, include=[os.path.realpath(file) for file in files], config_file=False)
    watched.start()
    seconds: dict[str, float] = {}
    failed = []
    for item, following in zip(session.items, [*session.items[1:], None], strict=True):
        before, began = session.testsfailed, time.perf_counter()
        watched.switch_context(item.nodeid)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        seconds[item.nodeid] = time.perf_counter() - began
        if session.testsfailed > before:
            failed.append(item.nodeid)
    watched.stop()
    data, lines = watched.get_data(), {}
    for file in files:
        found = data.contexts_by_lineno(os.path.realpath(file))
        lines[file] = {line: sorted({*names} - {"", *failed}) for line, names in found.items()}
    into.write_text(json.dumps({"seconds": seconds, "lines": lines, "failed": failed}), encoding="utf-8")
    return 0


def _functions() -> Functions:
    found: dict[tuple[str, str], list[FunctionType]] = {}
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__module__ and one.__module__.startswith("gitgpu."):
            key = os.path.realpath(one.__code__.co_filename), one.__code__.co_qualname
            found.setdefault(key, []).append(one)
    return found


def _codes(code: CodeType) -> list[CodeType]:
    inner = [const for const in code.co_consts if isinstance(const, CodeType)]
    return [code, *(found for one in inner for found in _codes(one))]


def _forked(work: Any, seconds: float) -> int | None:
    """Run something in a copy of this process; its exit status (1 for an exception), or None when it took too long."""
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        status = 1
        try:
            status = work()
        finally:
            os._exit(status)
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None
