"""What can detect a mutant in a process: documents of rules, and the tests that pytest has collected."""

import importlib
import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple
from zlib import crc32

import pytest

from tests.mutants.forks import allow
from tests.mutants.measured import Measured, breadths, lines_of, watch


class Detectors(NamedTuple):
    """Tests, and documents of rules by name, each with a function that returns a digest of the findings.

    `forget` clears the caches that earlier documents filled.
    """

    tests: Sequence[pytest.Item]
    documents: Mapping[str, Callable[[], str]]
    forget: Callable[[], None]


def detectors(tests: Sequence[pytest.Item], kinds: Sequence[str]) -> Detectors:
    """Some tests, and the documents of these kinds of rule."""
    if not kinds:
        return Detectors(tests, {}, lambda: None)
    known = importlib.import_module("tests.mutants.checks")  # what is tried may have no rules
    known.forget()  # looks for caches, which are hidden later
    return Detectors(tests, {check.name: check.run for kind in kinds for check in known.checks(kind)}, known.forget)


def within(using: Detectors, names: set[str], known: Measured, most: float) -> set[str]:
    """Those of some documents and tests that are tried, if the tests may take `most` seconds.

    These are the tests that run few other lines; of the documents any. They take less time than measured, because a
    measurement forgets what is cached.
    """
    documents = sorted(using.documents.keys() & names, key=_mixed)
    tests = sorted(names - using.documents.keys(), key=lambda name: (known.breadth[name], name))
    return {*_within(documents, known, most / 4), *_within(tests, known, most)}


def _within(names: Sequence[str], known: Measured, most: float) -> Iterator[str]:
    """The names in order that fit into the time. A slow test that does not fit leaves it to the faster ones."""
    for name in names:
        if known.seconds[name] <= most:
            most -= known.seconds[name]
            yield name


def _mixed(name: str) -> int:
    """Neighbours are alike: in another order, what differs follows sooner."""
    return crc32(name.encode())


def detected(using: Detectors, names: Collection[str], known: Measured, grace: float) -> bool:
    """Whether any of these documents and tests detects the active mutant."""
    for name in sorted(using.documents.keys() & names, key=_mixed):
        allow(grace + 5 * known.seconds[name])
        if using.documents[name]() != known.reported[name]:
            return True
    items = [item for item in using.tests if item.nodeid in names]
    items.sort(key=lambda item: known.seconds[item.nodeid])
    for item, following in _with_next(items):
        allow(grace + 5 * known.seconds[item.nodeid])
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if item.session.testsfailed:
            return True
    return False


def _spent() -> float:
    """The CPU time of this process and its children, which does not depend on other load on the machine."""
    return sum(os.times()[:4])


def _with_next(items: Sequence[pytest.Item]) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    return zip_longest(items, items[1:])


def measure(using: Detectors, files: Sequence[str]) -> Measured:
    """Runs all without a fault. Times are CPU times."""
    watched = watch(files)
    watched.start()
    seconds: dict[str, float] = {}
    reported, failed, starting = {}, [], []
    started = _noted_starts()
    for name, run in using.documents.items():
        using.forget()
        watched.switch_context(name)
        began = _spent()
        reported[name] = run()
        seconds[name] = _spent() - began
    for item, following in _with_next(using.tests):
        before, began = item.session.testsfailed, _spent()
        watched.switch_context(item.nodeid)
        earlier = len(started)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        seconds[item.nodeid] = _spent() - began
        if item.session.testsfailed > before:
            failed.append(item.nodeid)
        if len(started) > earlier:
            starting.append(item.nodeid)
    watched.stop()
    names = [name for name in seconds if name not in failed]
    lines = lines_of(watched, files, names)
    return Measured(names, seconds, lines, breadths(lines, names), reported, failed, starting)


def _noted_starts() -> list[str]:
    """A list that gets an entry for each Python process that is started from now on."""
    noted: list[str] = []

    def note(event: str, words: tuple[Any, ...]) -> None:
        if event == "subprocess.Popen" and sys.executable in (words[0], *words[1]):
            noted.append(event)

    sys.addaudithook(note)
    return noted
