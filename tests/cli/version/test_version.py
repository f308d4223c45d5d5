"""`version`: its facts, as text and in JSON."""

import json
from pathlib import Path

from gitgpu.load.read import data_root
from tests.cli.conftest import Run


def test_the_versions_are_those_of_the_program_and_of_its_newest_row(run: Run) -> None:
    reported = json.loads(run("version", "-o", "json").out)
    assert reported["version"] == run("--version").out.split()[-1]
    days = [
        line.split()[1].strip("\"'")
        for path in Path(data_root(), "catalog").rglob("*.yaml")
        for line in path.read_text("utf-8").splitlines()
        if line.startswith("verified:")
    ]
    assert reported["catalog"] == max(days)
    assert reported["version"] in run("version").out
    age = reported["evidence"]
    line = f"evidence of {age['median']} (median), oldest {age['oldest']}, newest {age['newest']}"
    assert f"catalog   {line}; prices of {age['prices']}\n" in run("version").out
