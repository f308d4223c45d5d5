"""The JSON document of findings."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from gitgpu.diagnostic import Severity
from gitgpu.report import render
from gitgpu.report.findings import Findings, Style
from tests.helping.nested import values_inside

SCHEMA = json.loads((Path(__file__).parents[3] / "schemas/report.schema.json").read_text(encoding="utf-8"))

OPTIONAL = {
    *("catalog", "rings", "sees", "type", "required", "allowed", "default", "examples", "description", "keys"),
    *("spotPrices", "restrictions", "twin", "facts", "symptoms"),
}


def envelope(findings: Findings) -> Any:
    """The parsed document."""
    return json.loads(render(findings, "json", Style()))


@pytest.mark.parametrize("which", ["tricky", "empty"])
def test_the_schema_holds(which: str, request: pytest.FixtureRequest) -> None:
    """The document matches its published schema."""
    Draft7Validator.check_schema(SCHEMA)
    assert list(Draft7Validator(SCHEMA).iter_errors(envelope(request.getfixturevalue(which)))) == []


def test_nothing_is_lost(tricky: Findings) -> None:
    """Every field of every fault is in the document, in the given order."""
    for reported, fault in zip(envelope(tricky)["results"], tricky.diagnostics, strict=True):
        assert (reported["code"], reported["severity"]) == (fault.code, fault.severity.value)
        assert (reported["message"], reported["help"]) == (fault.message, fault.help)
        assert (reported["file"], reported["pointer"]) == (fault.span.file, fault.pointer)
        assert (reported["line"] or 0, reported["column"] or 0) == fault.span[1:]
        assert tuple(reported["object"].values()) == fault.object


def test_the_summary_counts_findings_files_and_objects(tricky: Findings) -> None:
    """Scripts depend on these counts."""
    errors = tricky.number_of(Severity.ERROR)
    counts = {"errors": errors, "warnings": 2, "infos": 1, "files": 3, "objects": 5, "skipped": 0, "truncated": 0}
    assert envelope(tricky)["summary"] == counts


def test_the_schema_is_closed_and_described() -> None:
    """Every object lists its keys, and every key has a description."""
    for node in _nodes(SCHEMA):
        if "properties" in node:
            assert node["additionalProperties"] is False
            keys, required = set(node["properties"]), set(node.get("required", ()))
            assert keys >= required
            assert keys - required <= OPTIONAL or not required  # what is as in a row of the catalog has no such key
            assert all("description" in each for each in node["properties"].values())


def _nodes(schema: dict[str, Any]) -> list[dict[str, Any]]:
    return [schema, *(value for _, value in values_inside(schema) if isinstance(value, dict))]
