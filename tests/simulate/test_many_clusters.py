"""Complete forecasts for small clusters: verdicts, nodes, prices, reasons, and the lines to change."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion

from gitgpu.simulate.forecast import Forecast, Node, Verdict
from tests.simulate import clusters, edges
from tests.simulate.test_effect_of_each_value import lines
from tests.simulate.worlds import CLASS, Body, forecasts

WORLDS = clusters.WORLDS | edges.WORLDS
ASKED = clusters.ASKED | edges.ASKED


@pytest.mark.parametrize("name", WORLDS)
def test_the_forecast_of_a_cluster(name: str, snapshot: SnapshotAssertion) -> None:
    bodies = [CLASS, *WORLDS[name]]
    assert "\n".join((*lines(bodies, **ASKED.get(name, {})), *details(bodies, **ASKED.get(name, {})))) == snapshot


def details(bodies: list[Body], **asked: Any) -> Iterator[str]:
    """The lines to change for pods without a node, the maximum price of spot, and the workloads on each node."""
    written = yaml.dump_all(bodies, Dumper=yaml.CSafeDumper, sort_keys=False).splitlines()
    for forecast in forecasts(*bodies, **asked):
        nodes, pods = forecast.running
        yield f"  cluster {forecast.cluster!r} in {forecast.region!r}: {nodes} GPU nodes and {pods} pods run"
        yield from _nodes(forecast)
        for verdict in forecast.verdicts:
            yield from _verdict(verdict, written)


def _nodes(forecast: Forecast) -> Iterator[str]:
    yield from map(_node, forecast.high)
    if forecast.low != forecast.high:
        yield from (f"  at least {_node(node).strip()}" for node in forecast.low)


def _node(node: Node) -> str:
    shares = ", ".join(f"{share.workload}: {share.pods} pods, {share.slots}" for share in node.shares)
    slots = f", {node.slots} slots" if node.slots != node.gpus else ""
    return f"  {node.pool} in {', '.join(node.zones)} for {node.price}, at most {node.maximum}{slots}: {shares}"


def _verdict(verdict: Verdict, written: Sequence[str]) -> Iterator[str]:
    levels = _several((f"{level.gpus} GPUs, at most {level.maximum}" for level in (verdict.low, verdict.high)), " to ")
    spot = ", spot" if verdict.spot else ""
    yield f"  {verdict.number} {verdict.kind} {verdict.title} on {', '.join(verdict.pools)}{spot}, {levels}"
    if len(verdict.skus) > 1:
        yield f"    sizes: {', '.join(verdict.skus)}"
    for reason in verdict.reasons:
        change = written[reason.change.line - 1].strip()
        yield f"    {reason.pool}: change {change!r}, after {reason.stage} steps"
    undecided = _several((doubt.kind for doubt in verdict.doubts if doubt.decides), ", ")
    if undecided:
        yield f"    decided by: {undecided}"


def _several(texts: Iterable[str], separator: str) -> str:
    """The distinct texts, joined."""
    return separator.join(dict.fromkeys(texts))
