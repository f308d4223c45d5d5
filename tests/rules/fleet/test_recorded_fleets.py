"""Complete fleets with several related mistakes: all findings, with locations and remedies.

A file in `recorded/` is a fleet. A comment in its first line can list dates; the findings are recorded for each.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.load.configuration.fleet_options import FleetOptions
from gitgpu.load.text import Text
from gitgpu.runs.validate import validate_texts

RECORDED = Path(__file__).with_name("recorded")
DAY = re.compile(r"\d{4}-\d\d-\d\d")


def reported(text: str, day: str) -> Iterator[str]:
    """The findings of a fleet on a date, as lines."""
    yield f"on {day or 'no day'}:"
    for diagnostic in validate_texts([Text("fleet.yaml", text, "fleet.yaml")], FleetOptions(today=day)).diagnostics:
        owner = f"{diagnostic.object.kind} {diagnostic.object.name}" if diagnostic.object.kind else "-"
        span, pointer = diagnostic.span, diagnostic.pointer or "/"
        yield f"{diagnostic.code} {diagnostic.severity} {span.line}:{span.column} {pointer} {owner}"
        yield f"  {diagnostic.message}"
        yield f"  {diagnostic.help}"


@pytest.mark.parametrize("path", sorted(RECORDED.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_fleet(path: Path, snapshot: SnapshotAssertion) -> None:
    text = path.read_text(encoding="utf-8")
    days = DAY.findall(text.partition("\n")[0])
    assert "\n".join(line for day in ("", *days) for line in reported(text, day)) == snapshot
