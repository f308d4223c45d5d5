"""Small clusters for one feature each: the inferred stack, and the outcome of each object."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion

from gitgpu.adopt.registry import registry_of
from gitgpu.adopt.stack import stack
from gitgpu.adopt.stack.view import bare_view
from gitgpu.inventory.observed import Azure, ObservedCluster
from tests.adopt.clusters import adopted, observed
from tests.adopt.test_recorded_imports import CATALOG, flat, outcome_line
from tests.helping.cases import for_each

CASES: list[dict[str, Any]] = yaml.load(
    Path(__file__).with_name("small-stacks.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader
)
A100 = "Standard_NC24ads_A100_v4"


def karpenter(
    labels: Mapping[str, str] | None = None, *taints: Any, mode: str = "Driver", size: str = A100
) -> list[Any]:
    """A NodePool with its node class."""
    requirements = [{"key": "karpenter.azure.com/sku-name", "operator": "In", "values": [size]}]
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
    """An AKS node pool."""
    spec = {"azureName": "gpu", "vmSize": size, "osType": "Linux", "mode": "User", **more}
    kind, version = "ManagedClustersAgentPool", "containerservice.azure.com/v1api20250801"
    return [{"apiVersion": version, "kind": kind, "metadata": {"name": "gpu", "namespace": "a"}, "spec": spec}]


NODES: Mapping[str, list[Any]] = {
    "karpenter": karpenter(),
    "without-profiling": karpenter(size="Standard_NC6"),
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
    "infiniband-unnamed": agents("Standard_ND96isr_H100_v5", azureName=""),
    "infiniband-managed": agents(
        "Standard_ND96isr_H100_v5", networkProfile={"dranet": {"mode": "Managed"}, "allowedHostPorts": []}
    ),
    "infiniband-unmanaged": agents("Standard_ND96isr_H100_v5", networkProfile={"dranet": {"mode": "Unmanaged"}}),
    "infiniband-renamed": agents("Standard_ND96isr_H100_v5", azureName="ib"),
    "shared": agents(gpuProfile={"driver": "Install"}),
    "agents-without-driver": agents(gpuProfile={"driver": "None"}),
    "managed": agents(gpuProfile={"nvidia": {"managementMode": "Managed"}}),
    "managed-claims": agents(gpuProfile={"nvidia": {"managementMode": "Managed", "driverMode": "DRA"}}),
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
    part = stack(view._replace(registry=registry), adopted(cluster))
    yield from flat(part.stack, "stack")
    yield from flat(part.pools, "pools")
    yield from flat({"mirror": registry.mirror, "secret": registry.secret, "charts": registry.charts}, "registry")
    yield from map(outcome_line, (*part.outcomes, *named))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["title"])
def test_a_small_stack(case: Mapping[str, Any], snapshot: SnapshotAssertion) -> None:
    assert "\n".join(lines(case)) == snapshot


@for_each(
    ("nodes", "lists", "counters"),
    [
        ("bare", ("standard",), "standard"),
        ("bare", ("standard", "profiling"), None),
        ("without-profiling", ("standard",), None),
        ("agents-without-driver", ("standard",), "standard"),
    ],
)
def test_counter_lists_that_the_spec_can_name(nodes: str, lists: tuple[str, ...], counters: object) -> None:
    """`profiling`, the default, is also used for pools whose GPUs have none of its counters."""
    fields = [field for name in lists for field in CATALOG.must("counters", name)["fields"]]
    text = "".join(f"{field}, gauge, text\n" for field in fields)
    config = {"name": "counters", "create": True, "data": text}
    values = {"daemonsets": {"tolerations": [{"operator": "Exists"}]}, "dcgmExporter": {"config": config}}
    release = {"apiVersion": "gitgpu.dev/v1alpha1", "kind": "HelmValues", "chart": "gpu-operator", "release": "own"}
    effects = list(lines({"nodes": nodes, "objects": [{**release, "metadata": {}, "values": values}]}))
    shown = [line for line in effects if line.startswith("stack.metrics.counters")]
    assert shown == ([f'stack.metrics.counters: "{counters}"'] if counters else [])


def test_the_version_of_an_image_without_a_tag() -> None:
    row = CATALOG.must("containers", "nvidia-device-plugin")
    pod = {"containers": [{"name": "a", "image": f"{row['repository']}@{row['digest']}"}, {"name": "b"}]}
    template = {"metadata": {"labels": {"a": "b"}}, "spec": pod}
    spec = {"selector": {"matchLabels": {"a": "b"}}, "template": template}
    meta = {"name": "plugin", "namespace": "a"}
    daemon = {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": meta, "spec": spec}
    effects = list(lines({"nodes": "karpenter", "objects": [daemon]}))
    assert [line for line in effects if "version" in line or "no nvidia-device-plugin" in line] == []
    unknown = pod["containers"][0] | {"image": f"{row['repository']}@sha256:{'0' * 64}"}
    template["spec"] = {"containers": [unknown]}
    assert any('stack.driver: "aks-only"' in line for line in lines({"nodes": "karpenter", "objects": [daemon]}))
