"""The GPU Operator's container toolkit and the containerd of AKS's node images."""

import json
from typing import Any

import pytest

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.rules.object_findings import object_findings
from tests.helping.cases import for_each
from tests.rules.objects.samples import read, shared_norms

TOLERANT = [{"operator": "Exists"}]
REACHING = {
    "daemonsets": {"tolerations": TOLERANT},
    "node-feature-discovery": {"worker": {"tolerations": TOLERANT}},
}


def document(api: str, kind: str, spec: Any, name: str = "gpu", namespace: str = "gpu") -> str:
    """One object as JSON, which is YAML."""
    meta = {"name": name, "namespace": namespace} if namespace else {"name": name}
    return "---\n" + json.dumps({"apiVersion": api, "kind": kind, "metadata": meta, "spec": spec}) + "\n"


def pool(size: str = "Standard_NC24ads_A100_v4", labels: Any = None, **node_class: Any) -> str:
    """A NodePool and its AKSNodeClass."""
    template = {
        "metadata": {"labels": labels or {}},
        "spec": {
            "nodeClassRef": {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "gpu"},
            "requirements": [{"key": "karpenter.azure.com/sku-name", "operator": "In", "values": [size]}],
        },
    }
    return document("karpenter.sh/v1", "NodePool", {"template": template}, namespace="") + document(
        "karpenter.azure.com/v1beta1", "AKSNodeClass", {"gpu": {"mode": "None"}, **node_class}, namespace=""
    )


def agent_pool(**spec: Any) -> str:
    """An AKS node pool."""
    whole = {"owner": {"name": "aks"}, "vmSize": "Standard_NC24ads_A100_v4", "mode": "User", "count": 1, **spec}
    return document("containerservice.azure.com/v1api20250801", "ManagedClustersAgentPool", whole)


def release(version: str = "v26.7.0", **values: Any) -> str:
    """A HelmRelease of the operator for all nodes."""
    source = {"kind": "HelmRepository", "name": "nvidia"}
    chart = {"chart": "gpu-operator", "version": version, "sourceRef": source}
    spec = {"interval": "1h", "chart": {"spec": chart}, "values": {**REACHING, **values}}
    return document("helm.toolkit.fluxcd.io/v2", "HelmRelease", spec, "gpu-operator")


def application(helm: Any) -> str:
    """The same release as an Argo CD Application."""
    source = {"repoURL": "https://helm.ngc.nvidia.com/nvidia", "chart": "gpu-operator", "targetRevision": "v26.7.0"}
    here = {"server": "https://kubernetes.default.svc", "namespace": "gpu"}
    spec = {"project": "default", "destination": here, "source": {**source, "helm": helm}}
    return document("argoproj.io/v1alpha1", "Application", spec, "gpu-operator", "argocd")


def policy(**spec: Any) -> str:
    """A ClusterPolicy without the chart, together with Node Feature Discovery."""
    parts = {"daemonsets": {"tolerations": TOLERANT}, "operator": {"defaultRuntime": "containerd"}}
    needed: dict[str, Any] = {
        name: {} for name in ("dcgm", "dcgmExporter", "devicePlugin", "driver", "gfd", "nodeStatusExporter")
    }
    worker = {"worker": {"tolerations": TOLERANT}}
    discovery = {"interval": "1h", "values": worker} | {
        "chart": {
            "spec": {
                "chart": "node-feature-discovery",
                "version": "0.19.0",
                "sourceRef": {"kind": "HelmRepository", "name": "nfd"},
            }
        }
    }
    return document("nvidia.com/v1", "ClusterPolicy", needed | parts | spec, "cluster-policy", "") + document(
        "helm.toolkit.fluxcd.io/v2", "HelmRelease", discovery, "node-feature-discovery"
    )


def values_file(**values: Any) -> str:
    """A values file of a chart."""
    body = {"apiVersion": "gitgpu.dev/v1alpha1", "kind": "HelmValues", "chart": "gpu-operator"}
    return "---\n" + json.dumps(body | {"values": {**REACHING, **values}}) + "\n"


def diagnostics(text: str) -> list[Diagnostic]:
    """The findings of the rule. Asserts that every object matches its schema, because others would be skipped."""
    every = object_findings(read(text), "1.34", shared_norms())
    assert not [fault for fault in every if fault.severity is Severity.ERROR and fault.code != "DRV082"]
    return [fault for fault in every if fault.code == "DRV082"]


def env(value: str, name: str = "RUNTIME_CONFIG_SOURCE") -> dict[str, Any]:
    """The values of the toolkit with one environment variable."""
    return {"toolkit": {"env": [{"name": name, "value": value}]}}


NEW = pool(imageFamily="Ubuntu2404")
STOPS = {
    "the defaults": NEW + release(),
    "the default family": pool() + release(),
    "without a version": NEW + release(version="*"),
    "the first such version": NEW + release(version="v25.10.0"),
    "a range": NEW + release(version="26.x"),
    "an older chart with a newer toolkit": NEW + release(version="v25.3.4", toolkit={"version": "v1.18.1"}),
    "the dump first": NEW + release(**env("command,file")),
    "the dump first, in the other spelling": NEW + release(**env("command", "RUNTIME_CONFIG_SOURCES")),
    "another variable": NEW + release(**env("/etc/containerd/config.toml", "CONTAINERD_CONFIG")),
    "Argo CD": NEW + application({"valuesObject": REACHING}),
    "Argo CD, as text": NEW + application({"values": json.dumps(REACHING)}),
    "a values file": NEW + values_file(),
    "a ClusterPolicy": NEW + policy(toolkit={"enabled": True}),
    "a ClusterPolicy with a version": NEW + policy(toolkit={"enabled": True, "version": "v1.19.1"}),
    "a node pool": agent_pool(orchestratorVersion="1.36.0", gpuProfile={"driver": "None"}) + release(),
    "a node pool of its own version": agent_pool(orchestratorVersion="1.35.2") + release(),
    "a driver that AKS installs": pool(imageFamily="Ubuntu2404", gpu={"mode": "Driver"}) + release(),
    "values of another shape": NEW + release(toolkit={"env": "x"}),
}
UNTOLERATING: dict[str, Any] = {"node-feature-discovery": {"worker": {"tolerations": []}}}
RUNS = {
    "the file": NEW + release(**env("file")),
    "the file first": NEW + release(**env("file,command")),
    "the file by its path": NEW + release(**env("file=/etc/containerd/config.toml")),
    "the other spelling": NEW + release(**env("file", "RUNTIME_CONFIG_SOURCES")),
    "no toolkit": NEW + release(toolkit={"enabled": False}),
    "the NRI plugin": NEW + release(cdi={"enabled": True, "nriPluginEnabled": True}),
    "an older chart": NEW + release(version="v25.3.4"),
    "a range that may be older": NEW + release(version=">=24.9"),
    "an older toolkit": NEW + release(toolkit={"version": "v1.17.8-ubuntu20.04"}),
    "a digest": NEW + release(toolkit={"version": "sha256:" + 64 * "a"}),
    "another dump": NEW + release(**env("/opt/dump", "RUNTIME_EXECUTABLE_PATH")),
    "Ubuntu 22.04": pool(imageFamily="Ubuntu2204") + release(),
    "Azure Linux, whose containerd takes it": pool(imageFamily="AzureLinux") + release(),
    "FIPS, whose system is not settled": pool(imageFamily="Ubuntu", fipsMode="FIPS") + release(),
    "AMD": pool("Standard_ND96isr_MI300X_v5", imageFamily="Ubuntu2404") + release(),
    "nodes that opt out": pool(labels={"nvidia.com/gpu.deploy.operands": "false"}, imageFamily="Ubuntu2404")
    + release(),
    "no pool": release(),
    "a node pool of an older version": agent_pool() + release(),
    "a node pool with FIPS": agent_pool(orchestratorVersion="1.36.0", enableFIPS=True) + release(),
    "a node pool that opts out": agent_pool(
        orchestratorVersion="1.36.0", nodeLabels={"nvidia.com/gpu.deploy.operands": "false"}
    )
    + release(),
    "a node pool with a taint": agent_pool(orchestratorVersion="1.36.0", nodeTaints=["sku=gpu:NoSchedule"])
    + release(daemonsets={}),
    "a node pool with a taint that keeps off discovery": agent_pool(
        orchestratorVersion="1.36.0", nodeTaints=["sku=gpu:NoSchedule"]
    )
    + release(**UNTOLERATING),
    "a node pool, and values from elsewhere": agent_pool(orchestratorVersion="1.36.0")
    + application({"valuesObject": REACHING, "parameters": [{"name": "a", "value": "b"}]}),
    "a node pool of spot nodes": agent_pool(orchestratorVersion="1.36.0", scaleSetPriority="Spot") + release(),
    "a node pool with a size that is not known": agent_pool(
        orchestratorVersion="1.36.0",
        virtualMachinesProfile={"scale": {"manual": [{"size": "Standard_NC999_v9", "count": 1}]}},
    )
    + release(),
    "a node pool without GPUs": agent_pool(orchestratorVersion="1.36.0", vmSize="Standard_D4s_v5") + release(),
    "values from elsewhere": NEW + application({"valuesObject": REACHING, "parameters": [{"name": "a", "value": "b"}]}),
}


@for_each("text", STOPS.values(), ids=STOPS)
def test_a_toolkit_that_stops_containerd(text: str) -> None:
    (fault,) = diagnostics(text)
    assert fault.help == "add {name: RUNTIME_CONFIG_SOURCE, value: file} to toolkit.env"


@for_each("text", RUNS.values(), ids=RUNS)
def test_a_toolkit_that_containerd_supports(text: str) -> None:
    assert diagnostics(text) == []


@pytest.mark.parametrize(("version", "count"), [("1.34", 0), ("1.36", 1)])
def test_a_node_pool_without_a_version_has_that_of_its_cluster(version: str, count: int) -> None:
    every = object_findings(read(agent_pool() + release()), version, shared_norms())
    assert len([fault for fault in every if fault.code == "DRV082"]) == count


def test_the_message_names_the_nodes() -> None:
    (fault,) = diagnostics(NEW + release())
    assert fault.message == (
        "the container toolkit writes a containerd drop-in file of version 4, but on NodePool gpu (Ubuntu 24.04, "
        "containerd 2.3.3) the root file is version 2"
    )
    assert fault.pointer == "/spec/values"


def policy_alone(tolerations: Any, **spec: Any) -> str:
    """The ClusterPolicy of an operator that the Helm CLI has installed."""
    names = ("operator", "devicePlugin", "dcgm", "dcgmExporter", "gfd", "nodeStatusExporter")
    parts: dict[str, Any] = {key: {} for key in names}
    on = {"driver": {"enabled": True}, "toolkit": {"enabled": True}, "daemonsets": {"tolerations": tolerations}}
    return document("nvidia.com/v1", "ClusterPolicy", {**parts, **on, **spec}, "cluster-policy", "")


OFF = {"nvidia.com/gpu.deploy.operands": "false"}


@for_each(
    ("objects", "affected"),
    [
        (pool(imageFamily="Ubuntu2404") + policy_alone(TOLERANT), True),
        (agent_pool(osSKU="Ubuntu", gpuProfile={"driver": "None"}) + policy_alone(TOLERANT), True),
        (pool(imageFamily="Ubuntu2404") + policy_alone(TOLERANT, toolkit={"enabled": False}), False),
        (
            pool(imageFamily="Ubuntu2404", labels=OFF) + policy_alone(TOLERANT),
            False,
        ),
        (agent_pool(osSKU="Ubuntu", nodeTaints=["sku=gpu:NoSchedule"]) + policy_alone([]), False),
    ],
)
def test_a_cluster_policy_alone_stands_for_an_operator(objects: str, affected: bool) -> None:
    """Its chart, which installs Node Feature Discovery, is outside the files."""
    codes = {finding.code for finding in object_findings(read(objects), "1.36", shared_norms(), closed=False)}
    assert ("DRV082" in codes) is affected
