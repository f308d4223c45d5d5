"""Small clusters, each about one thing: the stack that follows, and what becomes of each object."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion

from gitgpu.adopt.registry import registry_of
from gitgpu.adopt.stack import stack_of
from gitgpu.adopt.stack.view import bare_view
from gitgpu.load.inventory.observed import Azure, ObservedCluster
from tests.adopt.clusters import adopted, observed
from tests.adopt.test_recorded_imports import CATALOG, flat, outcome_line

CASES: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("small-stacks.yaml").read_text(encoding="utf-8"))
A100 = "Standard_NC24ads_A100_v4"


def karpenter(labels: Mapping[str, str] | None = None, *taints: Any, mode: str = "Driver") -> list[Any]:
    """A NodePool with its node class."""
    requirements = [{"key": "karpenter.azure.com/sku-name", "operator": "In", "values": [A100]}]
    reference = {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "gpu"}
    spec = {"nodeClassRef": reference, "requirements": requirements, "taints": list(taints)}
    template = {"metadata": {"labels": labels or {}}, "spec": spec}
    meta = {"name": "gpu"}
    return [
        {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": meta, "spec": {"template": template}},
        {
            "apiVersion": "karpenter.azure.com/v1beta1",
            "kind": "AKSNodeClass",
            "metadata": meta,
            "spec": {"gpu": {"mode": mode}},
        },
    ]


def agents(size: str = A100, **more: Any) -> list[Any]:
    """A node pool of AKS."""
    spec = {"azureName": "gpu", "vmSize": size, "osType": "Linux", "mode": "User", **more}
    kind, version = "ManagedClustersAgentPool", "containerservice.azure.com/v1api20250801"
    return [{"apiVersion": version, "kind": kind, "metadata": {"name": "gpu", "namespace": "a"}, "spec": spec}]


NODES: Mapping[str, list[Any]] = {
    "karpenter": karpenter(),
    "bare": karpenter(mode="None"),
    "tainted": karpenter(None, {"key": "sku", "value": "gpu", "effect": "NoSchedule"}, mode="None"),
    "layout": karpenter({"nvidia.com/mig.config": "7x1g.10gb"}, mode="None"),
    "amd": agents("Standard_ND96isr_MI300X_v5"),
    "windows": agents("Standard_NC16as_T4_v3", osType="Windows"),
    "windows-grid": agents(
        "Standard_NC16as_T4_v3", osType="Windows", gpuProfile={"driver": "Install", "driverType": "grid"}
    ),
    "opted-out": agents(
        gpuProfile={"driver": "None"},
        nodeLabels={"nvidia.com/gpu.deploy.operands": "false"},
    ),
    "infiniband": agents("Standard_ND96isr_H100_v5"),
    "shared": agents(gpuProfile={"driver": "Install"}),
    "managed": agents(gpuProfile={"nvidia": {"managementMode": "Managed"}}),
    "wrong-profile": agents("Standard_NC16as_T4_v3", gpuInstanceProfile="MIG1g"),
    "profile": agents(gpuInstanceProfile="MIG2g", nodeLabels={"nvidia.com/device-plugin.config": "mig-mixed"}),
}


def lines(case: Mapping[str, Any]) -> Iterator[str]:
    """The stack as lines."""
    bodies = [*NODES[case["nodes"]], *case.get("objects", ())]
    azure = Azure(region="swedencentral", kubernetes="1.36", addons=case.get("addons", {}))
    cluster = ObservedCluster("lab", azure, tuple(observed(body, line) for line, body in enumerate(bodies, start=1)))
    view = bare_view(cluster, CATALOG)
    registry, named = registry_of(view)
    part = stack_of(view._replace(registry=registry), adopted(cluster))
    yield from flat(part.stack, "stack")
    yield from flat(part.pools, "pools")
    yield from flat({"mirror": registry.mirror, "secret": registry.secret, "charts": registry.charts}, "registry")
    yield from map(outcome_line, (*part.outcomes, *named))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["title"])
def test_a_small_stack(case: Mapping[str, Any], snapshot: SnapshotAssertion) -> None:
    assert "\n".join(lines(case)) == snapshot
