"""Forecasts for small clusters, and the values of their objects that have no effect on them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion

from gitgpu.simulate.forecast import Forecast, Level, Verdict
from tests.compare.sides import AGENTS
from tests.helping.single_changes import unread
from tests.simulate.worlds import A100, A100X2, CLASS, T4, T4X4, Body, daemon, deployment, forecasts, pool, wants

SPOT = wants("karpenter.sh/capacity-type", "In", "spot", "on-demand")
ZONES = wants("topology.kubernetes.io/zone", "In", "eastus-1", "eastus-2")
SPREAD = {"maxSkew": 1, "topologyKey": "topology.kubernetes.io/zone", "whenUnsatisfiable": "DoNotSchedule",
          "labelSelector": {"matchLabels": {"app": "chat"}}}  # fmt: skip
APART = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
    {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "chat"}}}]}}  # fmt: skip
PREFERRED = {"nodeAffinity": {
    "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
        {"matchExpressions": [{"key": "karpenter.azure.com/sku-gpu-count", "operator": "Gt", "values": ["1"]}]}]},
    "preferredDuringSchedulingIgnoredDuringExecution": [
        {"weight": 1, "preference": {"matchExpressions": [
            {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot"]}]}}]}}  # fmt: skip
WORLDS: dict[str, list[Body]] = {
    "limits and a daemon": [
        pool("a", A100, A100X2, limits={"nvidia.com/gpu": "3", "nodes": "2"}, weight=10),
        pool("t", T4, more=(SPOT,)),
        daemon("agent", {"cpu": "2", "memory": "4Gi"}, nodeSelector={"karpenter.sh/nodepool": "a"}),
        deployment("chat", 4, gpus=1, requests={"cpu": "8", "memory": "100Gi"}),
    ],
    "zones and a spread": [
        pool("t", T4, T4X4, more=(ZONES,), disruption={"consolidationPolicy": "WhenEmpty"}),
        deployment("chat", 3, topologySpreadConstraints=[SPREAD]),
    ],
    "apart": [pool("t", T4, T4X4, more=(SPOT,), labels={"team": "ml"}), deployment("chat", 2, affinity=APART)],
    "preferences and volumes": [
        pool("t", T4, T4X4, more=(SPOT,)),
        deployment("chat", 2, affinity=PREFERRED, volumes=[{"name": "v", "persistentVolumeClaim": {"claimName": "v"}}],
                   initContainers=[{"name": "first", "image": "x", "resources": {"requests": {"cpu": "60"}}}]),
    ],
    "an agent pool": [AGENTS, deployment("chat", 6, requests={"cpu": "2"})],
}  # fmt: skip


@pytest.mark.parametrize("name", WORLDS)
def test_a_forecast_and_the_values_without_effect_on_it(name: str, snapshot: SnapshotAssertion) -> None:
    bodies = [CLASS, *WORLDS[name]]

    def shown(specs: Mapping[str, Any]) -> list[str]:
        return lines([{**body, "spec": specs.get(title(body), {})} for body in bodies])

    assert [*lines(bodies), *unread({title(body): body["spec"] for body in bodies}, shown)] == snapshot


def title(body: Body) -> str:
    """The kind and the name of an object."""
    return f"{body['kind']} {body['metadata']['name']}"


def lines(bodies: list[Body], **asked: Any) -> list[str]:
    """The forecasts for some objects, as text without line numbers."""
    written = yaml.dump_all(bodies, Dumper=yaml.CSafeDumper, sort_keys=False).splitlines()
    return [line for forecast in forecasts(*bodies, **asked) for line in _of_cluster(forecast, written)]


def _of_cluster(forecast: Forecast, written: Sequence[str]) -> Iterator[str]:
    nodes = [f"{node.pool} {node.sku}{' spot' if node.spot else ''} {node.used}/{node.gpus}" for node in forecast.high]
    yield f"  nodes: {', '.join(nodes)}; {forecast.skipped} without a GPU"
    for verdict in forecast.verdicts:
        yield from _of_workload(verdict, written)
    yield from (f"  note: {note}" for note in forecast.notes)


def _of_workload(verdict: Verdict, written: Sequence[str]) -> Iterator[str]:
    word = verdict.verdict if verdict.certain else f"{verdict.verdict}?"
    zones = f" in {', '.join(verdict.zones)}" if verdict.zones else ""
    levels = " to ".join(dict.fromkeys((_level(verdict.low), _level(verdict.high))))
    yield f"  {verdict.title}: {word}, {levels}{zones}; {verdict.together or ''}"
    for reason in verdict.reasons:
        place = written[reason.at.line - 1].strip()
        yield f"    {reason.pool} {reason.kind}, at {place!r}: {reason.message}; {reason.help}"
    yield from (f"    {doubt.kind}: {doubt.message}" for doubt in verdict.doubts)


def _level(level: Level) -> str:
    return f"{level.placed} of {level.replicas} on {level.nodes} nodes, {level.idle} stranded, {level.price}"
