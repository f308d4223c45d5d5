"""The `-o json` output for any fleet matches the published schema."""

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from gitgpu.cli.main import main
from gitgpu.report.reference.json_schemas import document_schema
from tests.emit.fleets import Body, cluster, fleet, pools, workload

ANSWERS = {"validate": "findings", "build": "findings", "plan": "plan", "simulate": "simulation"}
KINDS = {"findings": "Findings", "plan": "Plan", "simulation": "Simulation"}
SLIPS = (
    {"clusters": ["elsewhere"]},
    {"sku": "Standard_D4s_v5"},
    {"sku": ["Standard_ND40rs_v2", "x\u202e\x07"]},
    {"limits": {"gpus": 1}},
    {"limits": {"cpu": 1e400}},
    {"weight": "\ud800"},
    {"unknown": None},
    {"taints": [{"key": "a", "effect": "Never"}]},
)


@cache
def validator(name: str) -> Draft7Validator:
    """The schema that `gitgpu schema NAME` prints."""
    return Draft7Validator(document_schema(name))


def printed(*words: str) -> tuple[int, Any]:
    """The exit code of a command and the document that it prints."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        code = main([*words, "-o", "json"])
    return code, json.loads(out.getvalue())


@pytest.fixture
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("_here")
@pytest.mark.parametrize("command", sorted(ANSWERS))
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(pools(), st.none() | st.none() | st.sampled_from(SLIPS))
def test_every_document_fits_its_schema(command: str, gpu_pools: list[Body], slip: Body | None) -> None:
    """A command that fails prints Findings with an error, and its exit code is not 0."""
    pool, *others = gpu_pools
    changed = {**pool, "spec": {**pool["spec"], **(slip or {})}}
    uses = workload("web", [pool["metadata"]["name"]])
    documents = [fleet(), cluster(), changed, *others, uses]
    Path("fleet.yaml").write_text("\n---\n".join(map(json.dumps, documents)), "utf-8")
    code, document = printed(command)
    expected = ANSWERS[command]
    if document["kind"] == KINDS[expected]:
        assert list(validator(expected).iter_errors(document)) == []
    else:
        assert code in (1, 2)
        assert document["summary"]["errors"] > 0
        assert list(validator("findings").iter_errors(document)) == []
    assert list(validator("report").iter_errors(document)) == []
    assert code == 0 or document["kind"] != "Findings" or document["summary"]["errors"] > 0
