"""A plugin for pytest that runs the tests that come through one module, the fastest first."""

import json
import os
from pathlib import Path

import pytest


def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests that the measurement names for the module, and those that it does not know."""
    work = json.loads(Path(os.environ["GITGPU_MUTANTS"]).read_text(encoding="utf-8"))
    tests = json.loads(Path(work["measured"]).read_text(encoding="utf-8"))
    through = {name for names in tests["lines"].get(work["file"], {}).values() for name in names}
    seconds, failed = tests["seconds"], set(tests["failed"])
    kept = [item for item in items if item.nodeid not in failed and (not through or item.nodeid in through)]
    items[:] = sorted(kept, key=lambda item: (item.nodeid not in through, seconds.get(item.nodeid, 0)))
