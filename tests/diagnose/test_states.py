"""The corpus of recorded states: the verdict, its evidence, and what must not be said."""

import json
from collections.abc import Callable

import pytest
from jsonschema import Draft7Validator
from syrupy.assertion import SnapshotAssertion

from gitgpu.diagnose.cause import NORMAL
from gitgpu.diagnose.diagnosis import Diagnosis
from gitgpu.diagnostic import Severity
from gitgpu.report.diagnosis.html import page
from gitgpu.report.diagnosis.json import as_json
from gitgpu.report.diagnosis.markdown import markdown
from gitgpu.report.diagnosis.text import text
from gitgpu.report.findings import Style
from tests.diagnose.states import ROOT, diagnosed, expected, files, items, of_texts, verdicts

# The verdicts on Pending pods; the others are about pods that have a node, nodes, and autoscalers.
ON_PODS = {
    "fits-now", "waiting-for-node", "stuck-node", "cloud-refused", "no-pool", "limit", "node-class-not-ready", "quota",
    "queued", "suspended", "unknown",
}  # fmt: skip

MAY_BE_NORMAL = {"not-started", "not-scaled", "not-consolidated", "rejected", "node-fault"}


@pytest.mark.parametrize("name", expected())
def test_a_state_has_its_verdicts(name: str) -> None:
    diagnosis, wanted = diagnosed(name), expected()[name]
    found, shown = verdicts(diagnosis), text(diagnosis, Style())
    assert {subject: found.get(subject) for subject in wanted.verdicts} == wanted.verdicts
    assert [part for part in wanted.says if part not in shown] == []
    assert [part for part in wanted.never if part in shown or part in as_json(diagnosis)] == []
    assert sum(fault.severity is not Severity.INFO for fault in diagnosis.unread) == wanted.unread


def test_every_state_is_expected_and_every_verdict_has_a_state() -> None:
    assert sorted(path.stem for path in files()) == sorted(expected())
    assert len(files()) >= 60
    shown = {verdict for entry in expected().values() for verdict in entry.verdicts.values()}
    assert shown >= ON_PODS


def test_what_needs_no_action() -> None:
    for name in expected():
        for group in diagnosed(name).groups:
            if group.cause.normal:
                assert group.cause.verdict in {*NORMAL, *MAY_BE_NORMAL}, name


def test_the_report_of_each_state(snapshot: SnapshotAssertion) -> None:
    assert "\n".join(f"== {name}\n{text(diagnosed(name), Style())}" for name in expected()) == snapshot


@pytest.mark.parametrize("form", [as_json, markdown, page])
def test_the_report_in_another_format(form: Callable[[Diagnosis], str], snapshot: SnapshotAssertion) -> None:
    assert form(diagnosed("sku-not-available")) == snapshot


def test_every_report_matches_its_schema() -> None:
    schema = json.loads((ROOT / "schemas/report.schema.json").read_text())
    validator = Draft7Validator(schema)
    for name in expected():
        diagnosis = diagnosed(name)
        about_nodes = diagnosis._replace(groups=(*diagnosis.groups, *diagnosis.details))  # as with --node
        report = json.loads(as_json(about_nodes))
        assert [error.message[:200] for error in validator.iter_errors(report)] == [], name


def test_the_order_of_the_objects_does_not_matter() -> None:
    for name in ("many-pods-one-cause", "sku-not-available", "drain-blocked-by-budget"):
        documents = [json.dumps(item) for item in items(name)]
        backwards = of_texts("\n".join(reversed(documents)))
        assert verdicts(backwards) == verdicts(of_texts("\n".join(documents))), name


def test_azure_announces_what_needs_no_action() -> None:
    for name in ("freeze-is-scheduled", "scheduled-events-are-unknown"):
        assert diagnosed(name).wrong == (), name
