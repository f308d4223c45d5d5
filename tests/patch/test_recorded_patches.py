"""Realistic fleets with patches and values: every finding with its location, and the resulting objects."""

from collections.abc import Iterable, Iterator
from difflib import unified_diff
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion

from tests.patch.fleets import Result, compiled, under

DEPTHS = {"stack": 3, "defaults": 2, "cluster": 1, "pool": 1, "workload": 1}


@cache
def cases() -> list[dict[str, Any]]:
    """The fleets of the file."""
    text = Path(__file__).with_name("recorded.yaml").read_text(encoding="utf-8")
    return list(yaml.load_all(text, yaml.CSafeLoader))


def made(case: dict[str, Any], *left_out: str) -> Result:
    """The result of compiling a case without some keys of its documents."""
    lines = {}
    for name, depth in DEPTHS.items():
        keys = {key: value for key, value in case.get(name, {}).items() if key not in left_out}
        lines[name] = "\n".join(under(key, value, depth) for key, value in keys.items())
    fleet = "\n".join(filter(None, (lines.pop("stack"), lines.pop("defaults"))))
    return compiled(fleet, **lines, **case.get("how", {}))


def shown(case: dict[str, Any]) -> Iterator[str]:
    """The findings, then the lines of the objects that differ without the patches and values; with errors, none."""
    result = made(case)
    [spec] = result.made.checked.texts
    for finding in result.findings:
        source = spec.content.splitlines()[finding.span.line - 1][finding.span.column - 1 :]
        yield f"{finding.severity} {finding.code} {finding.pointer} `{source}`: {finding.message}; {finding.help}"
    before = made(case, "patches", "values").files
    for path, after in sorted(result.files.items()):
        lines = unified_diff(before.get(path, "").splitlines(), after.splitlines(), n=0, lineterm="")
        yield from _different(path, lines)


def _different(path: str, lines: Iterable[str]) -> Iterator[str]:
    changed = [line for line in lines if not line.startswith(("---", "+++", "@@"))]
    if changed:
        yield path
        yield from (f"  {line}" for line in changed)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["title"])
def test_patches_and_values(case: dict[str, Any], snapshot: SnapshotAssertion) -> None:
    assert "\n".join(shown(case)) == snapshot
