"""The whole forecast of small clusters: verdicts, nodes, prices, reasons, and where to change what keeps pods away."""

from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion

from tests.simulate.clusters import ASKED, WORLDS
from tests.simulate.test_what_forecasts_depend_on import lines
from tests.simulate.worlds import CLASS, Body, forecasts


@pytest.mark.parametrize("name", WORLDS)
def test_the_forecast_of_a_cluster(name: str, snapshot: SnapshotAssertion) -> None:
    bodies = [CLASS, *WORLDS[name]]
    assert "\n".join((*lines(bodies, **ASKED.get(name, {})), *details(bodies, **ASKED.get(name, {})))) == snapshot


def details(bodies: list[Body], **asked: Any) -> Iterator[str]:
    """Where to change what keeps pods away, what spot costs at most, and who shares each node."""
    written = yaml.dump_all(bodies, Dumper=yaml.CSafeDumper, sort_keys=False).splitlines()
    for forecast in forecasts(*bodies, **asked):
        for node in forecast.high:
            shares = ", ".join(f"{share.workload}: {share.pods} pods, {share.slots}" for share in node.shares)
            cost = f"{node.price}, at most {node.most}"
            yield f"  {node.pool} in {', '.join(node.zones)} for {cost}: {shares}"
        for verdict in forecast.verdicts:
            yield f"  {verdict.number} {verdict.title} on {', '.join(verdict.pools)}, at most {verdict.high.most}"
            for reason in verdict.reasons:
                change = written[reason.change.line - 1].strip()
                yield f"    {reason.pool}: change {change!r}, after {reason.stage} steps"
