"""Every tool, called by the client of the SDK."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from gitgpu.cli.mcp.tools import TOOLS
from tests.cli.mcp.client import ROOT, Server, serving, text

if TYPE_CHECKING:
    from mcp import ClientSession
    from mcp_types import CallToolResult

SAMPLE: dict[str, dict[str, Any]] = {
    "lint": {"paths": ["overlays/prod-swc"]},
    "validate": {},
    "simulate": {"cluster": ["prod-swc"]},
    "plan": {"cluster": ["prod-swc"]},
    "diagnose": {"paths": ["docs/samples/diagnose/sku-not-available.yaml"]},
    "explain": {"effective": "cluster/prod-swc"},
    "sku_search": {"model": "A100", "sort": "price", "mig": True},
    "sku_compare": {"sizes": ["Standard_NC24ads_A100_v4", "Standard_NC40ads_H100_v5"]},
    "rule": {"code": "NPL010"},
    "advisories": {"all": True},
}
BROKEN = """\
apiVersion: v1
kind: Pod
metadata: {name: broken, namespace: default}
spec:
  containers:
  - name: main
    image: nginx:1.29
    resources: {requests: {nvidia.com/gpu: 2}, limits: {nvidia.com/gpu: 1}}
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server for the example fleet."""
    with serving(ROOT) as running:
        yield running


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Server]]:
    """A directory, and a server for it."""
    directory = tmp_path_factory.mktemp("elsewhere")
    with serving(directory) as running:
        yield directory, running


def test_each_tool_answers_for_the_example_fleet_in_the_published_form(server: Server) -> None:
    assert SAMPLE.keys() == {tool.name for tool in TOOLS}
    results = server.calls(*SAMPLE.items())
    for name, result in zip(SAMPLE, results, strict=True):
        assert not result.is_error, (name, text(result))
        assert json.loads(text(result)) == result.structured_content
        assert result.structured_content["apiVersion"] == "report.gitgpu.dev/v1"


def test_tools_say_that_they_only_read_and_describe_each_property(server: Server) -> None:
    async def use(session: "ClientSession") -> list[object]:
        return [*(await session.list_tools()).tools]

    for tool in server.use(use):
        assert tool.annotations.read_only_hint  # type: ignore[attr-defined]
        properties = tool.input_schema["properties"]  # type: ignore[attr-defined]
        meanings = {name: schema["description"] for name, schema in properties.items()}
        assert [name for name, text in meanings.items() if len(text) < 10 or not text[:2].istitle()] == []


def test_a_broken_fleet_and_broken_manifests_have_findings(elsewhere: tuple[Path, Server]) -> None:
    directory, server = elsewhere
    (directory / "pod.yaml").write_text(BROKEN)
    (directory / "fleet.yaml").write_text(
        "apiVersion: gitgpu.dev/v1alpha1\nkind: Fleet\nmetadata: {name: x}\nspec: {y: 1}\n"
    )
    (directory / "dump.json").write_text('{"kind": "List", "items": [')
    fleet, rows = {"paths": ["fleet.yaml"]}, {"paths": ["dump.json"]}
    requests = [("lint", {"paths": ["pod.yaml"]}), ("validate", fleet), ("simulate", fleet), ("plan", fleet)]
    results = server.calls(*requests, ("diagnose", rows))
    assert [result.structured_content["kind"] for result in results] == ["Findings"] * 5
    assert all(result.structured_content["results"] for result in results)
    # Findings are what these two were asked for.
    assert [result.is_error for result in results] == [False, False, True, True, True]


def test_requests_that_do_not_fit_are_refused_with_a_reason(server: Server) -> None:
    wrong: list[tuple[str, dict[str, Any], str]] = [
        ("lint", {"pathz": ["overlays"]}, "'pathz' was unexpected"),
        ("lint", {"paths": "overlays"}, "paths: 'overlays' is not of type 'array'"),
        ("lint", {"fix": True}, "'fix' was unexpected"),
        ("lint", {"maxFindings": 0}, "maxFindings: 0 is less than the minimum of 1"),
        ("sku_search", {"sort": "colour"}, "sort: 'colour' is not one of"),
        ("rule", {}, "'code' is a required property"),
        ("rule", {"code": "--help"}, "unknown rule '--help'"),
        ("rule", {"code": "x\0y"}, "could not be started"),
        ("explain", {"field": "x" * 5000}, "is too long"),
    ]
    results = server.calls(*((name, request) for name, request, _ in wrong))
    for (name, request, reason), result in zip(wrong, results, strict=True):
        assert result.is_error
        assert reason[:20] in text(result), (name, request, text(result))


def test_an_answer_that_is_too_large_is_refused_with_what_makes_it_smaller(elsewhere: tuple[Path, Server]) -> None:
    directory, server = elsewhere
    pod = BROKEN.replace("broken", "p{}")
    (directory / "pods.yaml").write_text("---\n".join(pod.replace("{}", f"{at:06}", 1) for at in range(1600)))
    few, most = server.calls(("lint", {}), ("lint", {"paths": ["pods.yaml"], "maxFindings": 1600}))
    assert len(text(few)) < 100_000
    assert most.is_error
    assert text(most) == "the answer is larger than 512 KiB: ask for less, with maxFindings or select"


def test_cancelled_and_unknown_requests_do_not_end_the_server(server: Server) -> None:
    from mcp_types import CallToolResult  # noqa: PLC0415

    async def use(session: "ClientSession") -> "tuple[list[str], CallToolResult]":
        failed: list[str] = []
        with anyio.move_on_after(0.2):
            await session.call_tool("lint", {"paths": ["docs"]})
            failed.append("the request was not cancelled")
        try:
            await session.call_tool("delete", {})
        except Exception as error:  # noqa: BLE001
            failed.append(str(error))
        result = await session.call_tool("rule", {"code": "NPL010"})
        assert isinstance(result, CallToolResult)
        return failed, result

    failed, result = server.use(use)
    assert [message.partition(";")[0] for message in failed] == ["unknown tool"]
    assert not result.is_error
