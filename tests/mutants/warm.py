"""A pytest plugin that tries many mutants in one process: it collects the tests once, and forks for each mutant.

A fork replaces the code of one function by its mutated code, or the constants of a module, and runs what runs these
lines: first documents of rules (`checks.py`), then tests. That is much faster than a new process, but it does not see
what was computed before the fork, so a survivor is tried again in a process of its own (`cold.py`).
GITGPU_MUTANTS names the file with the work, which names the file for the results.
"""

import gc
import importlib
import json
import os
from collections.abc import Mapping, Sequence
from functools import partial
from inspect import unwrap
from pathlib import Path
from typing import Any

import coverage
import pytest

from tests.mutants.detectors import Detectors, detected, detectors, measure, within
from tests.mutants.forks import BUSY, end_with_parent, forked
from tests.mutants.live import Functions, constants, functions, is_constant, put, put_constants
from tests.mutants.measured import Measured, measured, save, watch
from tests.mutants.mutant import mutated

OUTCOMES = {0: "survived", 1: "killed", 3: "cold", 4: "unreached", None: "timeout"}


_IMPORTS = pytest.StashKey[coverage.Coverage]()


def _work() -> Any:
    return json.loads(Path(os.environ["GITGPU_MUTANTS"]).read_text(encoding="utf-8"))


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Start to record which lines run when modules are imported."""
    end_with_parent()
    watched = early_config.stash[_IMPORTS] = watch(_work()["files"])
    watched.start()


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Measure the tests, and then try every fault."""
    work = _work()
    for file in work["files"]:  # many modules are imported only by the test that needs them
        importlib.import_module(_module(file))
    watched = session.config.stash[_IMPORTS]
    watched.stop()
    using = detectors(session.items, work["rules"])
    live = functions()  # before the freeze, which hides objects from get_objects
    gc.freeze()
    path = Path(work["measured"])
    if not path.exists():
        forked(lambda: save(path, measure(using, work["files"])), 7200)
    known = measured(path)
    with Path(work["results"]).open("a", encoding="utf-8") as results:
        for tried in work["mutants"]:
            outcome = _try(using, {**work, **tried}, known, live)
            if outcome == "unreached" and _runs_at_import(tried, watched):
                outcome = "cold"
            results.write(json.dumps([tried["key"], outcome]) + "\n")
            results.flush()
    return True


def _module(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _try(using: Detectors, tried: Mapping[str, Any], known: Measured, live: Functions) -> str:
    """How a fault ends: `killed`, `timeout`, `survived`, `unreached`, or `cold` where a fork cannot tell."""
    reached = _names(tried, known) | _readers(tried, using.tests).difference(known.failed)
    names = within(using, reached, known, tried["within"]) | set(filter(partial(_mirrors, tried["file"]), reached))
    if not names:
        return "unreached"
    usual = sum(known.seconds[name] for name in names)

    def child() -> int:
        if not _put(tried, live):
            return 3
        using.forget()  # what was computed before the mutant
        return int(detected(using, names, known, tried["grace"] / 2))

    return OUTCOMES.get(forked(child, BUSY * (tried["grace"] + 5 * usual)), "killed")


def _runs_at_import(tried: Mapping[str, Any], watched: coverage.Coverage) -> bool:
    """Whether a line of a fault has run when its module was imported, such as in a function that makes a decorator."""
    lines = watched.get_data().lines(os.path.realpath(tried["file"])) or ()
    return not {*lines}.isdisjoint(range(tried["line"], tried["last"] + 1))


def _names(tried: Mapping[str, Any], known: Measured) -> set[str]:
    """What runs the lines of a fault; for a constant, lines of its module, or anything if none of these run."""
    if tried["function"]:
        return known.through(tried["file"], range(tried["line"], tried["last"] + 1))
    return known.through_file(tried["file"]) or {*known.names}


def _readers(tried: Mapping[str, Any], tests: Sequence[pytest.Item]) -> set[str]:
    """The tests that name a constant: they may run no line of its module."""
    if tried["function"]:
        return set()
    changed = {*constants(Path(tried["file"]).read_text(encoding="utf-8"), tried["line"])}
    functions = [(item, unwrap(item.obj)) for item in tests if isinstance(item, pytest.Function)]
    return {item.nodeid for item, function in functions if not changed.isdisjoint(function.__code__.co_names)}


def _mirrors(file: str, test: str) -> bool:
    """Is a test in the file that is named after a module, or after its folder?"""
    path = Path(file)
    return f"/test_{path.parent.name if path.stem == '__init__' else path.stem}.py::" in test


def _put(tried: Mapping[str, Any], live: Functions) -> bool:
    """Put a mutant in place, if that can be done."""
    source = Path(tried["file"]).read_text(encoding="utf-8")
    tree = mutated(source, tried["number"])
    if tried["function"]:
        return put(tree, tried["file"], tried["function"], live)
    if not is_constant(source, tried["line"]):
        return False
    put_constants(tree, importlib.import_module(_module(tried["file"])))
    return True
