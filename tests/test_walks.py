"""Following a build, a lint and a simulation, no call leads back up to a layer that has been left.

The exceptions are functions that are passed as values: what a process runs, keys, conditions, what is computed once.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROGRESS = "cli.output.progress"  # the line on a terminal that counts
CALLS_WHAT_IT_GETS = {
    ("counting", "counting"),
    ("jobs", "<genexpr>"),
    ("load.validate.compiler", "_reference"),
    ("model.size.differences", "differences"),
    ("objects.indexes", "group_by"),
    ("objects.indexes", "index_by_label"),
    ("objects.objects", "_cached"),
    ("objects.workload.placement", "<genexpr>"),
    ("objects.workload.placement", "<lambda>"),
    ("rules.object_rulebook", "<lambda>"),
}


@pytest.mark.parametrize(
    "words",
    [
        ["build", "--check", "--jobs", "1", "--cluster", "prod-swc"],
        ["lint", "overlays/prod-swc", "--jobs", "1"],
        ["simulate", "--cluster", "prod-swc"],
    ],
    ids=lambda words: words[0],
)
def test_no_call_leads_back_up(words: list[str]) -> None:
    command = [sys.executable, "-m", "tests.helping.upward_calls", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    calls = [tuple(call) for call in json.loads(done.stdout)]
    assert calls  # the line on the terminal, at least
    assert [call for call in calls if call[:2] not in CALLS_WHAT_IT_GETS and call[2] != PROGRESS] == []
