"""The fields of each kind whose removal has no consequence in a `plan`: for nodes, pods, charts or order."""

from collections.abc import Iterator

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion

from gitgpu.compare import ClusterChange
from gitgpu.compare.snapshot import Files
from tests.compare.sides import AGENTS, CLASS, POOL, Body, between, edited, overlays
from tests.helping.single_changes import unread
from tests.rules.objects.samples import EXAMPLES

APPLIED = [
    body for path in EXAMPLES for body in yaml.load_all(path.read_text(encoding="utf-8"), yaml.CSafeLoader) if body
]
NAMED = [body for body in APPLIED if body.get("metadata", {}).get("name")]
LAYERS = {"ScaledObject": "workloads", "HelmRelease": "controllers", "DaemonSet": "controllers"}
BUDGETS = edited(
    POOL,
    {
        "spec/disruption/budgets": [{"nodes": "50%"}, {"nodes": "0", "schedule": "0 6 * * 1-5", "duration": "14h"}],
        "spec/limits/nodes": "6",
        "spec/template/spec/terminationGracePeriod": "1h",
        "spec/template/spec/expireAfter": "720h",
    },
)
BODIES: dict[str, Body] = {
    "NodePool with budgets": BUDGETS,
    "AKSNodeClass": CLASS,
    "ManagedClustersAgentPool": AGENTS,
    **{body["kind"]: body for body in NAMED if body["kind"] not in ("NodePool", CLASS["kind"], AGENTS["kind"])},
}


@pytest.mark.parametrize("name", BODIES)
def test_the_values_without_a_consequence_in_a_plan(name: str, snapshot: SnapshotAssertion) -> None:
    body = BODIES[name]
    before = _files(body)
    lines = [f"added: {line}" for line in _consequences(_files(), before)]
    lines += [f"removed: {line}" for line in _consequences(before, _files())]
    identity = {key: body[key] for key in ("apiVersion", "kind", "metadata")}
    rest = {key: value for key, value in body.items() if key not in identity}
    lines += unread(rest, lambda changed: _consequences(before, _files({**identity, **changed})))
    assert lines == snapshot


def _files(*bodies: Body) -> Files:
    """The overlays of a cluster with an object in its layer, and with a pool."""
    beside = [body for body in (POOL, CLASS) if all(body["kind"] != given["kind"] for given in bodies)]
    files = overlays(beside)
    for body in bodies:
        files |= overlays([body], LAYERS.get(body["kind"], "nodes"))
    return files


def _consequences(before: Files, after: Files) -> Iterator[str]:
    """The consequences of an edit, without the differences themselves."""
    for cluster in between(before, after, minutes=10):
        yield from _of_pools(cluster)
        yield from (f"stays: {fate.stays}, {fate.reason}" for fate in cluster.fates)
        yield from (effect.text for effect in cluster.effects)


def _of_pools(cluster: ClusterChange) -> Iterator[str]:
    for pool in cluster.pools:
        if pool.kind is not None:
            rolled = f"; {tuple(pool.roll)}" if pool.roll else ""
            refused = f"; refused: {', '.join(pool.refused)}" if pool.refused else ""
            yield f"{pool.name}: {pool.replaced} nodes, {pool.reason}{refused}{rolled}"
