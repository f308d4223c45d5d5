"""Small fleets as data, built by the real stages, and helpers to inspect their output."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from hypothesis import strategies as st

from gitgpu.diagnostic import Severity
from gitgpu.emit import emit, emitters
from gitgpu.emit.manifest import Layer, Manifest, Role
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.spec.shape import shape
from gitgpu.load.text import Text
from gitgpu.model.catalog import Catalog
from gitgpu.model.inputs import Inputs
from gitgpu.model.link import link
from gitgpu.plan.cluster_plan import plan
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.rules.fleet_findings import fleet_findings

Body = dict[str, Any]
T4, A100, H100, A10 = "Standard_NC16as_T4_v3", "Standard_NC24ads_A100_v4", "Standard_NC40ads_H100_v5", "NV36ads_A10_v5"
MI300X = "Standard_ND96isr_MI300X_v5"
GROUP = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/gpu/providers"
CLUSTER_ID = f"{GROUP}/Microsoft.ContainerService/managedClusters/azure-one"
SUBNET_ID = f"{GROUP}/Microsoft.Network/virtualNetworks/hub/subnets/gpu"
MANAGED = {"kubernetes.azure.com/dcgm-exporter": "enabled"}
BY_NAME = {"nodeSelection": "pools"}
SPOT = ("kubernetes.azure.com/scalesetpriority", "spot", "NoSchedule")
CATALOG = Catalog(CatalogFiles())
EMITTERS = emitters()
PROMETHEUS = {"scrape": "prometheus-operator", "server": "http://prometheus.monitoring:9090"}
AZURE = {
    "scrape": "azure-managed",
    "server": "https://gpu-a1b2.eastus.prometheus.monitor.azure.com",
    "identity": "11111111-2222-3333-4444-555555555555",
}


def document(kind: str, name: str, spec: Mapping[str, Any], **meta: Any) -> Body:
    """One document of a fleet."""
    head = {"apiVersion": "gitgpu.dev/v1alpha1", "kind": kind, "metadata": {"name": name, **meta}}
    return {**head, "spec": dict(spec)}


def fleet(**spec: Any) -> Body:
    """A Fleet whose GPU metrics are in a Prometheus that KEDA can query."""
    delivery = {"repository": "https://github.com/contoso/gpu-fleet", **spec.pop("delivery", {})}
    defaults = {"stack": {"metrics": PROMETHEUS, **spec.pop("stack", {})}, **spec}
    return document("Fleet", "example", {"delivery": delivery, "defaults": defaults})


def cluster(name: str = "one", **spec: Any) -> Body:
    """A Cluster."""
    return document("Cluster", name, {"region": "swedencentral", "kubernetesVersion": "1.34", **spec})


def pool(name: str, sku: str = T4, **spec: Any) -> Body:
    """A GpuPool on cluster "one"."""
    return document("GpuPool", name, {"clusters": ["one"], "sku": sku, "limits": {"gpus": 16}, **spec})


def workload(name: str, pools: Iterable[str], **spec: Any) -> Body:
    """A GpuWorkload in namespace "serving" for the Deployment with its name."""
    target = {"kind": "Deployment", "name": name}
    return document("GpuWorkload", name, {"pools": list(pools), "target": target, **spec}, namespace="serving")


def inputs_of(*documents: Body) -> Inputs:
    """The linked fleet. Asserts that there is no error."""
    text = "\n---\n".join(json.dumps(body) for body in documents)
    shaped, misshapen = shape([Text("fleet.yaml", text, "fleet.yaml")])
    inputs, unlinked = link(shaped, CATALOG)
    assert not misshapen, misshapen
    assert not unlinked, unlinked
    assert inputs is not None
    errors = [diagnostic for diagnostic in fleet_findings(inputs, frozenset()) if diagnostic.severity is Severity.ERROR]
    assert not errors, errors
    return inputs


def plans(*documents: Body) -> dict[str, ClusterPlan]:
    """The plan of each cluster."""
    inputs = inputs_of(*documents)
    return {cluster.name: plan(inputs, cluster) for cluster in inputs.clusters}


@dataclass(frozen=True, slots=True)
class Emitted:
    """The manifests of one cluster."""

    manifests: tuple[Manifest, ...]

    def every(self, kind: str, layer: Layer | None = None) -> list[Body]:
        """The objects of a kind, without patches, in order of name."""
        resources = (m for m in self.manifests if m.role is Role.RESOURCE and layer in (None, m.layer))
        bodies = [dict(m.body) for m in resources if m.body["kind"] == kind]
        return sorted(bodies, key=lambda body: str(body["metadata"]["name"]))

    def one(self, kind: str, name: str) -> Body:
        """The object of that name."""
        [body] = [body for body in self.every(kind) if body["metadata"]["name"] == name]
        return body

    def values(self, release: str) -> Body | None:
        """The values of a chart under Flux; None if the cluster has no such release."""
        releases = {body["metadata"]["name"]: body["spec"] for body in self.every("HelmRelease")}
        return releases[release]["values"] if release in releases else None

    def operator_values(self) -> Body | None:
        """The values of NVIDIA's GPU Operator."""
        return self.values("gpu-operator")

    def discovery(self) -> Body | None:
        """The scheduling of Node Feature Discovery's worker, from the only release that installs it."""
        own = self.values("node-feature-discovery")
        brought = [own["worker"]] if own and own["worker"].get("enable", True) else []
        for release in ("gpu-operator", "amd-gpu-operator", "network-operator"):
            values = self.values(release)
            if values and all(values.get(key, {}).get("enabled", True) for key in ("nfd", "node-feature-discovery")):
                brought.append(values["node-feature-discovery"]["worker"])
        assert len(brought) < 2, "two of them write the same labels"
        return brought[0] if brought else None

    def patches(self) -> dict[str, Body]:
        """The patches, by the name of the patched object."""
        return {m.ref.name: dict(m.body) for m in self.manifests if m.role is Role.PATCH}

    def pools(self) -> list[str]:
        """The names of the NodePools."""
        return [body["metadata"]["name"] for body in self.every("NodePool")]

    def selected(self, affinity: Body) -> list[str]:
        """The pools whose nodes an affinity selects by their labels."""
        return sorted(name for name, nodes in node_labels(self).items() if selects(affinity, nodes))


def emitted(*documents: Body, name: str = "one") -> Emitted:
    """What is emitted for one cluster."""
    return Emitted(tuple(emit(plans(*documents)[name], EMITTERS)))


class Tainted(NamedTuple):
    """A taint, or a toleration of a single taint. `value` is "" for any value."""

    key: str
    value: str
    effect: str


def taints(items: Iterable[Mapping[str, str]]) -> set[Tainted]:
    """Taints or tolerations as a set. Fails for a toleration that is not of a single taint."""
    parsed = set()
    for item in items:
        assert set(item) <= {"key", "operator", "value", "effect"}
        assert item.get("operator") in (None, "Equal" if "value" in item else "Exists")
        parsed.add(Tainted(item["key"], item.get("value", ""), item["effect"]))
    return parsed


def met(node_pool: Body, *, starting: bool) -> set[Tainted]:
    """The taints that a NodePool's nodes can have. `starting` adds those of a starting node."""
    spec = node_pool["spec"]["template"]["spec"]
    present = taints(spec.get("taints", ())) | (taints(spec.get("startupTaints", ())) if starting else set())
    capacity = next(
        requirement for requirement in spec["requirements"] if requirement["key"] == "karpenter.sh/capacity-type"
    )
    return present | ({Tainted(*SPOT)} if "spot" in capacity["values"] else set())


def node_labels(output: Emitted) -> dict[str, dict[str, str]]:
    """For each pool the labels of its nodes: those of its template, and what Karpenter, AKS and AgentBaker set."""
    found: dict[str, dict[str, str]] = {}
    for body in output.every("NodePool"):
        name, template = body["metadata"]["name"], body["spec"]["template"]
        sizes = next(each["values"] for each in template["spec"]["requirements"] if "sku-name" in each["key"])
        tags = output.one("AKSNodeClass", name)["spec"].get("tags", {})
        set_by_node = MANAGED if tags.get("EnableManagedGPUExperience") == "true" else {}
        own = {"karpenter.sh/nodepool": name, "node.kubernetes.io/instance-type": sizes[0], **set_by_node}
        found[name] = {**template.get("metadata", {}).get("labels", {}), **own}
    for body in output.every("ManagedClustersAgentPool"):
        spec = body["spec"]
        is_managed = spec.get("gpuProfile", {}).get("nvidia", {}).get("managementMode") == "Managed"
        own = {"kubernetes.azure.com/agentpool": spec["azureName"], "node.kubernetes.io/instance-type": spec["vmSize"]}
        found[body["metadata"]["name"]] = {**spec.get("nodeLabels", {}), **own, **(MANAGED if is_managed else {})}
    return found


def selects(affinity: Body, labels: Mapping[str, str]) -> bool:
    """Whether pods with this affinity may run on nodes with these labels."""
    required = affinity["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    return any(all(meets(labels, rule) for rule in term["matchExpressions"]) for term in required["nodeSelectorTerms"])


def meets(labels: Mapping[str, str], rule: Body) -> bool:
    """Whether a node with these labels meets one expression of a term."""
    operators = {
        "In": lambda value: value in rule["values"],
        "NotIn": lambda value: value not in rule["values"],
        "Exists": lambda value: value is not None,
        "DoesNotExist": lambda value: value is None,
    }
    return operators[rule["operator"]](labels.get(rule["key"]))


def placed(affinity: Body) -> list[str]:
    """The NodePools that an affinity allows. Fails if it is not required, or has an alternative."""
    [term] = affinity["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    [expression] = term["matchExpressions"]
    assert (expression["key"], expression["operator"]) == ("karpenter.sh/nodepool", "In")
    values: list[str] = expression["values"]
    return values


SEVENTHS = {A100: "1g.10gb", H100: "1g.12gb"}  # the MIG profile with a seventh of the GPU
DRIVERS = {"aks": (T4, A100, H100, A10), "operator": (T4, A100, H100, MI300X), "managed": (T4, A100), "none": (T4,)} | {
    "aks-only": (T4, A100)
}
_TAINT = st.fixed_dictionaries(
    {"key": st.sampled_from(("sku", "nvidia.com/gpu", "team")), "effect": st.sampled_from(("NoSchedule", "NoExecute"))},
    optional={"value": st.sampled_from(("gpu", "present"))},
)
_SPEC = {
    "capacity": st.sampled_from((["on-demand"], ["spot"], ["spot", "on-demand"])),
    "taints": st.lists(_TAINT, max_size=3, unique_by=lambda taint: (taint["key"], taint["effect"])),
    "startupTaints": st.sampled_from(([], [{"key": "example.com/warming-up", "effect": "NoSchedule"}])),
    "labels": st.sampled_from(({}, {"team": "search"})),
    "tags": st.sampled_from(({}, {"costCentre": "4711"})),
}


@st.composite
def pool_specs(draw: st.DrawFn) -> Body:
    """The spec of a sound pool with any driver, capacity, taints and sharing."""
    driver = draw(st.sampled_from(sorted(DRIVERS)))
    spec: Body = {"driver": driver, "sku": draw(st.sampled_from(DRIVERS[driver]))}
    spec |= draw(st.fixed_dictionaries({}, optional=_SPEC))
    if driver == "operator":
        spec["image"] = {"family": "Ubuntu2204"}
        if spec["sku"] != MI300X and draw(st.booleans()):
            spec["driverBranch"] = "580"
    if driver == "operator" and spec["sku"] in SEVENTHS and draw(st.booleans()):
        spec["partition"] = {"mig": {"profiles": {SEVENTHS[spec["sku"]]: 7}}}
    elif driver in ("aks", "operator") and spec["sku"] != MI300X and draw(st.booleans()):
        way = draw(st.sampled_from(("timeSlicing", "mps")))
        spec["partition"] = {way: {"replicas": draw(st.integers(2, 4))}}
    return spec


def pools(least: int = 1, most: int = 5) -> st.SearchStrategy[list[Body]]:
    """Pools with any settings on one cluster."""
    specs = st.lists(pool_specs(), min_size=least, max_size=most)
    return specs.map(lambda drawn: [pool(f"pool-{index}", **spec) for index, spec in enumerate(drawn)])
