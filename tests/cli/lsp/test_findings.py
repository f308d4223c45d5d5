"""Findings while somebody types: of the whole fleet, with what is not saved."""

import pytest
from lsprotocol.types import DiagnosticSeverity

from tests.cli.lsp.conftest import EXAMPLE, Editor, applied, at

pytestmark = pytest.mark.asyncio


async def test_the_example_fleet_has_no_finding(editor: Editor) -> None:
    assert await editor.show("fleet.yaml", EXAMPLE) == []


async def test_a_finding_has_a_range_a_code_a_link_and_what_it_is_about(editor: Editor) -> None:
    text = EXAMPLE.replace("pools: [t4-lab]", "pools: [t4-labs]")
    [found] = await editor.show("fleet.yaml", text)
    assert (found.range.start, found.range.end) == (at(text, "t4-labs"), at(text, "t4-labs", 7))
    assert (found.code, found.severity, found.source) == ("LNK005", DiagnosticSeverity.Error, "gitgpu")
    assert found.code_description
    assert found.code_description.href.endswith("/faults.md")
    [about] = found.related_information or []
    assert (about.message, about.location.range.start) == ("in GpuWorkload rerank", at(text, "name: rerank", 6))


async def test_a_safe_fix_is_applied(editor: Editor) -> None:
    text = EXAMPLE.replace("  limits: {gpus: 2}\n  driver: managed", "  limit: {gpus: 2}\n  driver: managed")
    found = next(each for each in await editor.show("fleet.yaml", text) if each.code == "SHP003")
    fix, *_ = await editor.actions("fleet.yaml", found)
    assert fix.edit
    assert fix.edit.changes
    assert applied(text, list(fix.edit.changes[editor.uri("fleet.yaml")])) == EXAMPLE
