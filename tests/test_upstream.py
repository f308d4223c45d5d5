"""Upstream CRDs accept every emitted object, by structure and CEL rules."""

from functools import cache
from pathlib import Path
from typing import Any

from gitgpu.emit import emit, emitters
from gitgpu.emit.manifest import Manifest, Role
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.read import read_paths
from gitgpu.load.spec.shape import shape
from gitgpu.load.text import Text
from gitgpu.model.catalog import Catalog
from gitgpu.model.link import link
from gitgpu.plan.cluster_plan import plan
from tests.catalog.test_skus import FLEET, SIZES
from tests.emit import fleets
from tests.helping.cases import for_each
from tests.oracles.cel import chart_faults, has_upstream, needs_crds, upstream_faults

pytestmark = needs_crds
ROOT = Path(__file__).parents[1]
CATALOG = Catalog(CatalogFiles())
BUILT_IN = {
    *("admissionregistration.k8s.io/v1", "v1", "apps/v1", "autoscaling/v2", "batch/v1"),
    *("rbac.authorization.k8s.io/v1", "resource.k8s.io/v1"),
}


def emitted(texts: list[Text]) -> list[Manifest]:
    """All manifests of a fleet, of every cluster."""
    inputs, faults = link(shape(texts)[0], CATALOG)
    assert not faults, faults
    assert inputs is not None
    return [manifest for cluster in inputs.clusters for manifest in emit(plan(inputs, cluster), emitters())]


@cache
def of_the_example() -> list[Manifest]:
    """All manifests of the example fleet."""
    texts, faults = read_paths([str(ROOT / "fleet.yaml")])
    assert not faults
    return emitted(texts)


def can_be_had() -> list[str]:
    """The sizes for which Karpenter can create nodes."""
    return [name for name in SIZES if (sku := CATALOG.sku(name)) and sku.offer != "left-out"]


def faults(manifests: list[Manifest]) -> list[str]:
    """The faults that upstream CRDs find in these manifests. Equal objects are checked once."""
    lines = []
    bodies = {repr(m.body): m.body for m in manifests if m.role is Role.RESOURCE and has_upstream(dict(m.body))}
    for body in bodies.values():
        all_faults = upstream_faults(dict(body)) + chart_faults(dict(body))
        lines += [f"{body['kind']} {body['metadata']['name']}: {fault}" for fault in all_faults]
    return lines


def test_upstream_schemas_accept_the_example() -> None:
    assert faults(of_the_example()) == []


def test_every_kind_of_the_example_has_an_upstream() -> None:
    """An object without a CRD would not be checked. Only built-in kinds have none."""
    unseen = {(m.body["apiVersion"], m.body["kind"]) for m in of_the_example() if not has_upstream(dict(m.body))}
    assert {version for version, _ in unseen} <= BUILT_IN


@for_each("size", can_be_had())
def test_a_pool_of_every_size_is_accepted(size: str) -> None:
    sku = CATALOG.sku(size)
    driver = "operator" if sku and sku.manufacturer == "amd" else "aks"
    rdma = ", rdma: sriov" if sku and sku.rdma and size not in CATALOG.must("devices", "rdma")["older"] else ""
    text = FLEET.replace("SIZE", size).replace("DRIVER", driver).replace("RDMA", rdma)
    assert faults(emitted([Text("fleet.yaml", text, "fleet.yaml")])) == []


EVERYTHING: list[dict[str, Any]] = [
    {"image": {"family": "AzureLinux", "osDiskGB": 30, "fips": True}, "maxPods": 250},
    {"image": {"ephemeralOSDisk": True}, "zones": ["1", "2"], "placement": "zonal"},
    {"kubelet": {"imageGCHighThresholdPercent": 80, "imageGCLowThresholdPercent": 70, "containerLogMaxSize": "20Mi"}},
    {"disruption": {"consolidateAfter": "Never", "expireAfter": "720h", "terminationGracePeriod": "1h30m"}},
    {"disruption": {"consolidationPolicy": "Balanced"}, "placement": "regional"},
    {"disruption": {"budgets": [{"nodes": "0", "schedule": "@daily", "duration": "1h"}, {"nodes": "100%"}]}},
    {"taints": [{"key": "a.b/c", "effect": "NoExecute"}], "startupTaints": [{"key": "d", "effect": "NoSchedule"}]},
    {"labels": {"example.com/team": "search"}, "tags": {"cost centre": "4711"}, "weight": 100},
    {"limits": {"cpu": "160500m", "memory": "2Ti", "nodes": 3, "gpus": 3}},
]


@for_each("spec", EVERYTHING, ids=lambda spec: str(sorted(spec.items())))
def test_every_field_of_the_spec_is_accepted(spec: dict[str, Any]) -> None:
    """Every field that is passed through to Karpenter is accepted."""
    assert faults(list(fleets.emitted(fleets.fleet(), fleets.cluster(), fleets.pool("p", **spec)).manifests)) == []


def test_the_upstream_validator_rejects_a_wrong_object() -> None:
    body = next(dict(m.body) for m in of_the_example() if m.body["kind"] == "NodePool")
    spec = {**body["spec"], "disruption": {}, "weight": 0}
    assert len(upstream_faults({**body, "spec": spec})) >= 2
