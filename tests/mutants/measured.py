"""Which tests and documents of rules run which lines, how long each takes, and the findings in the documents."""

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import coverage


class Measured(NamedTuple):
    """A measurement without any fault.

    `lines` are those of each file, each with the numbers of the `names` that run it. `breadth` is how many lines each
    runs: few, if it is about these lines. `reported` is what comes of documents. Tests that `failed` detect nothing.
    Tests that `started` Python may run any line in a process that nothing watches.
    """

    names: Sequence[str]
    seconds: Mapping[str, float]
    lines: Mapping[str, Mapping[str, Sequence[int]]]
    breadth: Mapping[str, int]
    reported: Mapping[str, str]
    failed: Sequence[str]
    started: Sequence[str]

    def through(self, file: str, lines: Iterable[int]) -> set[str]:
        """The names that run any of these lines of a file."""
        known = self.lines.get(file, {})
        numbers = {at for line in lines for at in known.get(str(line), ())}
        return {self.names[at] for at in numbers}

    def through_file(self, file: str) -> set[str]:
        """The names that run any line of a file."""
        return self.through(file, map(int, self.lines.get(file, {})))

    def may_run(self, file: str) -> set[str]:
        """The names that run any line of a file, or may do so in another process."""
        return self.through_file(file) | ({*self.started} - {*self.failed})


def measured(path: Path) -> Measured:
    """A measurement that was saved."""
    return Measured(**json.loads(path.read_text(encoding="utf-8")))


def save(path: Path, lines: Measured) -> None:
    """Save a measurement."""
    path.write_text(json.dumps(lines._asdict()), encoding="utf-8")


def watch(files: Sequence[str]) -> coverage.Coverage:
    """A recorder of the executed lines of these files."""
    return coverage.Coverage(data_file=None, include=[os.path.realpath(file) for file in files], config_file=False)


def lines_of(watched: coverage.Coverage, files: Sequence[str], names: Sequence[str]) -> dict[str, dict[str, list[int]]]:
    """The lines of each file, each with the numbers of the names that run it."""
    data, number = watched.get_data(), {name: at for at, name in enumerate(names)}
    by_file = {}
    for file in files:
        lines = data.contexts_by_lineno(os.path.realpath(file))
        by_file[file] = {
            str(line): sorted(number[name] for name in {*run} & number.keys()) for line, run in lines.items()
        }
    return by_file


def breadths(lines: Mapping[str, Mapping[str, Sequence[int]]], names: Sequence[str]) -> dict[str, int]:
    """How many lines each name runs."""
    counts = Counter(at for run in lines.values() for numbers in run.values() for at in numbers)
    return {name: counts[at] for at, name in enumerate(names)}
