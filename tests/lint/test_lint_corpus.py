"""Realistic repositories give the expected findings and no others: `tests/lint_corpus/README.md`."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "tests" / "lint_corpus"
NAMES = sorted(entry.name for entry in CORPUS.iterdir() if entry.is_dir())


class Expected(NamedTuple):
    """The expected result for a repository: the arguments, whether infos count, and the findings."""

    arguments: tuple[str, ...]
    infos: bool
    findings: tuple[str, ...]


def expected(text: str) -> Expected:
    settings = dict(line[2:].split(": ", 1) for line in text.splitlines() if line.startswith("# "))
    findings = tuple(line for line in text.splitlines() if line and not line.startswith("#"))
    return Expected(tuple(settings.get("args", ".").split()), settings.get("infos") == "yes", findings)


def results(name: str, *arguments: str) -> list[dict[str, Any]]:
    """The result of the real command line for a repository, in a separate process."""
    command = [sys.executable, "-m", "gitgpu", "lint", "-o", "json", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    where = CORPUS / name / "tree"
    ran = subprocess.run(command, cwd=where, env=environment, capture_output=True, text=True, check=False)
    assert "Traceback" not in ran.stderr, ran.stderr
    assert ran.returncode in (0, 1), ran.stderr
    listed: list[dict[str, Any]] = json.loads(ran.stdout)["results"]
    return listed


def reported(listed: list[dict[str, Any]], *, infos: bool) -> list[str]:
    kept = ("error", "warning", "info") if infos else ("error", "warning")
    places = ((entry["file"], entry["line"] or 0, entry["code"]) for entry in listed if entry["severity"] in kept)
    return sorted(f"{file}:{line} {code}" for file, line, code in places)


@pytest.mark.parametrize("name", NAMES)
def test_exactly_the_expected_findings_are_reported(name: str) -> None:
    wanted = expected((CORPUS / name / "expected.txt").read_text(encoding="utf-8"))
    assert list(wanted.findings) == sorted(wanted.findings)
    assert reported(results(name, *wanted.arguments), infos=wanted.infos) == list(wanted.findings)


if __name__ == "__main__":
    for tree in sys.argv[1:]:
        want = expected((CORPUS / tree / "expected.txt").read_text(encoding="utf-8"))
        for result in results(tree, *want.arguments):
            print(f"{result['file']}:{result['line']} {result['code']}", result["severity"], result["message"])
