"""A pytest plugin that runs the tests that execute one module, or start Python, the fastest first.

For a fault outside functions the other tests of their files follow: what only reads a constant comes through no line.
"""

import json
import os
from pathlib import Path

import pytest

from tests.mutants.forks import end_with_parent
from tests.mutants.measured import measured


def pytest_configure() -> None:
    """End with the tool, which may be killed."""
    end_with_parent()


def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests that the measurement names for the module, or all where it names none."""
    work = json.loads(Path(os.environ["GITGPU_MUTANTS"]).read_text(encoding="utf-8"))
    known = measured(Path(work["measured"]))
    through, seconds, failed = known.may_run(work["file"]), known.seconds, set(known.failed)
    every = through.isdisjoint(known.seconds.keys() - known.reported.keys()) or not work["function"]
    kept = [item for item in items if item.nodeid not in failed and (every or item.nodeid in through)]
    items[:] = sorted(kept, key=lambda item: (item.nodeid not in through, seconds.get(item.nodeid, 0)))
