"""Rules about GPU software: which software reaches which nodes, and values wherever they are set."""

import json
from typing import Any

import pytest

from gitgpu.diagnostic import Diagnostic
from gitgpu.model.mig import base
from gitgpu.objects.software.mig_layouts import profile_of
from gitgpu.rule import FAILED
from gitgpu.rules.object_findings import object_findings
from tests.helping.cases import for_each
from tests.rules.objects.samples import read, shared_norms

POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {{name: {name}}}
spec:
  disruption: {{consolidationPolicy: WhenEmpty, consolidateAfter: 10m}}
  limits: {{nvidia.com/gpu: "8"}}
  template:
    metadata: {{labels: {labels}}}
    spec:
      nodeClassRef: {{group: karpenter.azure.com, kind: AKSNodeClass, name: {name}}}
      requirements: [{{key: karpenter.azure.com/sku-name, operator: In, values: [{size}]}}]
      taints: [{{key: sku, value: gpu, effect: NoSchedule}}]
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {{name: {name}}}
spec: {spec}
---
"""
PLUGIN = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {{name: {name}, namespace: gpu-resources}}
spec:
  selector: {{matchLabels: {{app: plugin}}}}
  template:
    metadata: {{labels: {{app: plugin}}}}
    spec:
      nodeSelector: {selector}
      tolerations: {tolerations}
      containers:
      - name: plugin
        image: "{image}"
        volumeMounts: [{{name: sockets, mountPath: /var/lib/kubelet/device-plugins}}]
      volumes: [{{name: sockets, hostPath: {{path: {path}}}}}]
---
"""
RELEASE = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: {chart}, namespace: gpu}}
spec:
  interval: 1h
  chart: {{spec: {{chart: {chart}, version: 26.7.0, sourceRef: {{kind: HelmRepository, name: nvidia}}}}}}
  values: {values}
---
"""
EVERY = "[{operator: Exists}]"
REACHING = {"daemonsets": {"tolerations": [{"operator": "Exists"}]}} | {
    "node-feature-discovery": {"worker": {"tolerations": [{"operator": "Exists"}]}}
}
BARE = "{gpu: {mode: None}}"
MANAGED = '{tags: {EnableManagedGPUExperience: "true"}}'


def pool(name: str = "a100", size: str = "Standard_NC24ads_A100_v4", labels: str = "{}", spec: str = "{}") -> str:
    """A GPU pool and its node class."""
    return POOL.format(name=name, size=size, labels=labels, spec=spec)


def plugin(selector: str = "{}", tolerations: str = EVERY, **other: str) -> str:
    """A device plugin that is not from a chart."""
    usual = {
        "name": "plugin",
        "image": "nvcr.io/nvidia/k8s-device-plugin:v1",
        "path": "/var/lib/kubelet/device-plugins",
    }
    return PLUGIN.format(selector=selector, tolerations=tolerations, **{**usual, **other})


def release(chart: str, values: Any = None) -> str:
    """A HelmRelease."""
    return RELEASE.format(chart=chart, values=json.dumps(values or {}))


def diagnostics(text: str, *, closed: bool = True) -> list[Diagnostic]:
    """The findings of this family of rules."""
    every = object_findings(read(text), "1.34", shared_norms(), closed=closed)
    return [fault for fault in every if fault.code.startswith(("STK", "SHR"))]


def codes(text: str, *, closed: bool = True) -> list[str]:
    """The codes of these findings."""
    return sorted(fault.code for fault in diagnostics(text, closed=closed))


ONE = {"nodeSelector": {"karpenter.sh/nodepool": "a100"}, "tolerations": [{"operator": "Exists"}]}
UNTOLERATING = {"nodeSelector": ONE["nodeSelector"]}
CHOOSING = {**REACHING, "node-feature-discovery": {"worker": ONE}}
OPERATOR = release("gpu-operator", REACHING)
OPERATOR_ALONE = release("gpu-operator", REACHING | {"nfd": {"enabled": False}})
AMD = pool("mi300x", "Standard_ND96isr_MI300X_v5")
AMD_PLUGIN = plugin(name="amd", image="docker.io/rocm/k8s-device-plugin:1.31.0.9")
AMD_CONFIG = """
---
apiVersion: amd.com/v1alpha1
kind: DeviceConfig
metadata: {name: gpus, namespace: kube-amd-gpu}
spec:
  driver: {enable: false}
  devicePlugin: {devicePluginTolerations: [{operator: Exists}], enableDevicePlugin: true}
  selector: {feature.node.kubernetes.io/amd-vgpu: "true"}
---
"""
NFD = {"worker": {"tolerations": [{"operator": "Exists"}]}}
_OF_NFD = plugin(name="nfd", image="registry.k8s.io/nfd/node-feature-discovery:v0.19.0", path="/sys")
WORKER = _OF_NFD.replace("image:", "command: [nfd-worker]\n        image:")
MASTER = _OF_NFD.replace("kind: DaemonSet", "kind: Deployment").replace(
    "image:", "command: [nfd-master]\n        image:"
)
APART = '{nvidia.com/gpu.deploy.operands: "false"}'
REACH = {
    "one plugin of one's own": (pool() + plugin(), []),
    "GPU Feature Discovery next to it": (pool() + plugin() + plugin(name="gfd", path="/sys"), []),
    "AMD's plugin": (pool() + plugin() + plugin(name="amd", image="rocm/k8s-device-plugin:v1"), []),
    "AMD's plugin twice": (AMD + AMD_PLUGIN + AMD_PLUGIN.replace("name: amd", "name: again"), ["STK001"]),
    "AMD's plugin next to a DeviceConfig": (
        AMD + AMD_PLUGIN + AMD_CONFIG + release("node-feature-discovery", NFD),
        ["STK001"],
    ),
    "AMD's plugin, and a DeviceConfig without": (AMD + AMD_PLUGIN + AMD_CONFIG.replace("true}", "false}"), []),
    "Node Feature Discovery of one's own": (pool(spec=BARE) + MASTER + WORKER + OPERATOR_ALONE, []),
    "Node Feature Discovery of one's own, and a chart's": (pool(spec=BARE) + MASTER + WORKER + OPERATOR, ["STK003"]),
    "a pool without one": (
        pool() + pool("left") + plugin("{karpenter.sh/nodepool: a100}"),
        ["STK004"],
    ),
    "a pool with other software": (
        pool() + pool("bare", spec=BARE) + plugin("{karpenter.sh/nodepool: a100}"),
        [],
    ),
    "a pool with other software, next to the operator's": (
        pool(spec=BARE) + pool("bare", spec=BARE) + release("gpu-operator", CHOOSING),
        [],
    ),
    "two pools, two owners": (
        pool(labels=APART) + pool("bare", spec=BARE) + plugin("{karpenter.sh/nodepool: a100}") + OPERATOR,
        [],
    ),
    "two owners on one pool": (pool(spec=BARE) + plugin() + OPERATOR, ["STK001"]),
    "an owner that is kept away": (pool(labels=APART) + plugin() + OPERATOR, []),
    "a taint in the way": (pool() + plugin(tolerations="[]"), ["STK004"]),
    "a label that no node has": (pool() + plugin("{contoso.com/gpus: yes-please}"), ["STK004"]),
    "a label that Azure may set": (pool() + plugin("{kubernetes.azure.com/accelerator: nvidia}"), []),
    "a label that Kubernetes may set": (pool() + plugin("{node.kubernetes.io/gpus: 'true'}"), []),
    "another label that Kubernetes may set": (pool() + plugin("{node.cluster.x-k8s.io/gpus: 'true'}"), []),
    "a label that Karpenter may set": (pool() + plugin("{karpenter.sh/gpus: 'true'}"), []),
    "a size": (pool() + plugin("{node.kubernetes.io/instance-type: Standard_NC24ads_A100_v4}"), []),
    "another size": (pool() + plugin("{node.kubernetes.io/instance-type: Standard_NC4as_T4_v3}"), ["STK004"]),
    "the same system": (pool() + plugin("{kubernetes.io/os: linux}"), []),
    "another system": (pool() + plugin("{kubernetes.io/os: windows}"), ["STK004"]),
    "AKS brings it": (pool(spec=MANAGED) + plugin("{karpenter.sh/nodepool: other}"), []),
    "AKS brings it, and so does another": (pool(spec=MANAGED) + plugin(), ["STK101"]),
    "the operator's defaults": (pool(spec=BARE) + release("gpu-operator"), ["STK004"]),
    "workers that do not tolerate": (
        pool(spec=BARE) + release("gpu-operator", {"daemonsets": REACHING["daemonsets"]}),
        ["STK004"],
    ),
    "discovery that is enabled, and does not tolerate": (
        pool(spec=BARE) + release("gpu-operator", {**CHOOSING, "node-feature-discovery": {"worker": UNTOLERATING}}),
        ["STK004"],
    ),
    "the operator next to AKS": (pool() + OPERATOR, ["STK006"]),
}


@for_each(("text", "expected"), REACH.values(), ids=REACH)
def test_rules_about_nodes_that_daemons_reach(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


def test_a_missing_object_may_be_elsewhere() -> None:
    blocked = pool() + plugin(tolerations="[]")
    chosen = pool() + plugin("{karpenter.sh/nodepool: other}")
    assert codes(blocked, closed=False) == ["STK004"]
    (absent,) = diagnostics(pool() + plugin("{contoso.com/gpus: yes-please}"))
    assert "its node selector or affinity does not match them" in absent.message
    assert codes(chosen, closed=False) == []
    assert codes(chosen) == ["STK004"]
    (doubt,) = diagnostics(pool(spec=BARE) + plugin(), closed=False)
    assert "something outside these files may install one" in doubt.message
    assert codes(pool(spec=BARE)) == []


def test_a_daemon_that_selects_one_of_two_possible_labels_may_not_run_on_a_node() -> None:
    installed = plugin("{contoso.com/pool: a}") + release("gpu-operator", REACHING)
    for values, expected in (("a", ["STK001"]), ("a, b", [])):
        demand = f"{{key: contoso.com/pool, operator: In, values: [{values}]}}"
        chosen = pool(spec=BARE).replace("requirements: [", f"requirements: [{demand}, ")
        assert [code for code in codes(chosen + installed) if code == "STK001"] == expected


@pytest.mark.parametrize(("operator", "expected"), [("DoesNotExist", ["STK005"]), ("Exists", [])])
def test_nodes_of_unknown_sizes_have_no_labels_of_your_own(operator: str, expected: list[str]) -> None:
    asked = {"sku-gpu-manufacturer": "nvidia", "sku-family": "Z"}
    demands = ", ".join(f"{{key: karpenter.azure.com/{key}, operator: In, values: [{asked[key]}]}}" for key in asked)
    of_size = "{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}"
    term = f"{{matchExpressions: [{{key: contoso.com/pool, operator: {operator}}}]}}"
    affinity = f"{{nodeAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: [{term}]}}}}}}"
    chosen = plugin().replace("      tolerations:", f"      affinity: {affinity}\n      tolerations:")
    assert codes(pool(spec=BARE).replace(of_size, demands) + chosen) == expected


def test_only_the_pools_with_both_daemons_are_named() -> None:
    labels = {"a": "{first: 'y'}", "b": "{first: 'y', second: 'y'}", "c": "{second: 'y'}"}
    pools = "".join(pool(name, labels=text) for name, text in labels.items())
    [fault] = diagnostics(pools + plugin("{first: 'y'}") + plugin("{second: 'y'}", name="other"))
    assert (fault.code, fault.message) == ("STK001", "DaemonSet plugin also runs a device plugin on NodePool b")


def test_without_pools_it_is_uncertain_whether_two_daemons_share_a_node() -> None:
    (fault,) = diagnostics(plugin() + release("gpu-operator"), closed=False)
    assert (fault.code, "possibly" in fault.message) == ("STK001", True)
    assert codes(plugin("{contoso.com/pool: a}") + release("gpu-operator"), closed=False) == []
    term = "{matchExpressions: [{key: contoso.com/pool, operator: Exists}]}"
    affinity = f"{{nodeAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: [{term}]}}}}}}"
    chosen = plugin().replace("      tolerations:", f"      affinity: {affinity}\n      tolerations:")
    assert codes(chosen + release("gpu-operator"), closed=False) == []
    everywhere = AMD_CONFIG.replace('  selector: {feature.node.kubernetes.io/amd-vgpu: "true"}\n', "")
    assert codes(AMD_PLUGIN + everywhere, closed=False) == ["STK001"]
    assert codes(AMD_PLUGIN + AMD_CONFIG, closed=False) == []
    installed = release("nvidia-device-plugin", {"nodeSelector": {}}) + release("gpu-operator")
    assert codes(installed, closed=False) == ["STK001"]
    installed = installed.replace('{"nodeSelector": {}}', '{"nodeSelector": {"contoso.com/pool": "a"}}')
    assert codes(installed, closed=False) == []


ARGO = """
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: gpu-operator, namespace: argocd}}
spec:
  project: default
  destination: {{server: {server}, namespace: gpu-operator}}
  source:
    repoURL: https://helm.ngc.nvidia.com/nvidia
    chart: gpu-operator
    targetRevision: v26.7.0
    helm: {helm}
---
"""
HERE = "https://kubernetes.default.svc"
NRI = {"cdi": {"nriPluginEnabled": True, "enabled": False}}
WRITTEN = {
    "an object": ({"valuesObject": NRI}, ["STK019"]),
    "a text": ({"values": json.dumps(NRI)}, ["STK019"]),
    "a text that is not YAML": ({"values": "{{ tpl }}"}, []),
    "both, and the object holds": ({"values": "cdi: {}", "valuesObject": NRI}, ["STK019"]),
    "overlaid by parameters": ({"valuesObject": NRI, "parameters": [{"name": "cdi.enabled", "value": "true"}]}, []),
    "a word that the policy does not take": ({"valuesObject": {"mig": {"strategy": "singel"}}}, ["STK019"]),
    "a word that it takes": ({"valuesObject": {"mig": {"strategy": "mixed"}}}, []),
    "no word": ({"valuesObject": {"mig": {"strategy": ""}}}, []),
    "values of another shape": ({"valuesObject": {"cdi": [], "devicePlugin": "x", "driver": {"version": 580.1}}}, []),
}


@for_each(("helm", "expected"), WRITTEN.values(), ids=WRITTEN)
def test_values_of_argo(helm: Any, expected: list[str]) -> None:
    assert codes(ARGO.format(server=HERE, helm=json.dumps(helm))) == expected


def test_another_cluster_has_its_own_nodes() -> None:
    helm = json.dumps({"valuesObject": REACHING})
    assert codes(pool() + plugin() + ARGO.format(server=HERE, helm=helm)) == ["STK001", "STK006"]
    assert codes(pool() + plugin() + ARGO.format(server="https://far.example", helm=helm)) == []


ODD: tuple[Any, ...] = (None, [], {}, "x", 3, True, [None], ["x"], {"x": None}, [{"key": 3}])
PLACES = (
    ("tolerations",), ("affinity",), ("nodeSelector",), ("config",), ("config", "map"), ("config", "map", "a"),
    ("daemonsets", "tolerations"), ("driver",), ("driver", "version"), ("devicePlugin", "config", "data"),
    ("migManager", "config", "data"), ("migManager", "env"), ("node-feature-discovery", "worker", "affinity"),
    ("featureGates",), ("resources", "gpus"), ("affinity", "nodeAffinity"), ("deviceConfig", "spec", "selector"),
    ("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms"),
)  # fmt: skip


@pytest.mark.parametrize("place", PLACES, ids=".".join)
def test_values_of_any_shape_are_read(place: tuple[str, ...]) -> None:
    charts = ("gpu-operator", "nvidia-device-plugin", "dra-driver-nvidia-gpu", "gpu-operator-charts")
    pools = pool(spec=BARE, labels="{nvidia.com/mig.config: all-1g.10gb, nvidia.com/device-plugin.config: a}")
    for odd in ODD:
        values = odd
        for part in reversed(place):
            values = {part: values}
        for chart in charts:
            diagnostics = object_findings(read(pools + release(chart, values)), "1.34", shared_norms(), closed=False)
            assert FAILED not in {fault.code for fault in diagnostics}, (chart, odd)


CONFIG = """
apiVersion: v1
kind: ConfigMap
metadata: {{name: sharing, namespace: gpu}}
data:
  {key}: {text}
---
"""


def config(body: Any, key: str = "any") -> str:
    """A ConfigMap that holds a configuration."""
    return CONFIG.format(key=key, text=json.dumps(json.dumps(body)))


def sliced(way: str = "timeSlicing", **entry: Any) -> dict[str, Any]:
    """A configuration that shares something."""
    return {"version": "v1", "sharing": {way: {"resources": [{"name": "nvidia.com/gpu", "replicas": 2, **entry}]}}}


CONFIGS = {
    "time-slicing": (sliced(), []),
    "MPS": (sliced("mps"), []),
    "no replicas": (sliced(replicas=None), ["SHR002"]),
    "replicas as text": (sliced(replicas="4"), ["SHR002"]),
    "one replica": (sliced(replicas=1), ["SHR002"]),
    "no resources": ({"version": "v1", "sharing": {"timeSlicing": {}}}, ["SHR002"]),
    "another strategy": ({"version": "v1", "flags": {"migStrategy": "double"}}, ["SHR002"]),
    "another version": ({"version": "v2", "sharing": {"timeSlicing": {}}}, []),
    "another program's file": ({"sharing": {"enabled": True}, "mps": 3}, []),
    "MPS of a MIG device": (sliced("mps", name="nvidia.com/mig-1g.5gb"), ["SHR003"]),
    "a name without prefix": (sliced(name="gpu"), []),
    "a name with another prefix": (sliced(name="contoso.com/gpu"), ["SHR005"]),
    "all devices": (sliced(devices="all"), []),
    "two devices": (sliced(devices=2), ["SHR004"]),
}


@for_each(("body", "expected"), CONFIGS.values(), ids=CONFIGS)
def test_configurations_of_the_device_plugin(body: Any, expected: list[str]) -> None:
    assert codes(config(body)) == expected


def labelled(layout: str, size: str = "Standard_NC24ads_A100_v4") -> str:
    """A pool with the label for a MIG layout."""
    return pool(size=size, spec=BARE, labels=f"{{nvidia.com/mig.config: {layout}, {WAITING}}}")


def cutting(*groups: dict[str, int | str], **values: Any) -> str:
    """A GPU Operator with its own MIG layout."""
    entries = [{"devices": "all", "mig-enabled": True, "mig-devices": group} for group in groups]
    text = json.dumps({"version": "v1", "mig-configs": {"own": entries}})
    own: dict[str, Any] = (
        {"config": {"name": "layouts", "create": True, "data": {"config.yaml": text}}} if groups else {}
    )
    env = [{"name": "WITH_REBOOT", "value": "true"}]
    return release("gpu-operator", {**REACHING, "migManager": {"env": env, **own}, **values})


WAITING = "nvidia.com/gpu.deploy.device-plugin: paused-for-mig-change"
MIXED = {"mig": {"strategy": "mixed"}}
LAYOUTS = """
apiVersion: v1
kind: ConfigMap
metadata: {name: layouts, namespace: gpu}
data:
  config.yaml: |
    version: v1
    mig-configs: {own: [{devices: all, mig-enabled: true, mig-devices: {4g.40gb: 2}}]}
"""
MIG = {
    "a profile of the GPU": (labelled("all-3g.40gb") + cutting(), []),
    "a profile with media": (labelled("all-1g.10gb.me") + cutting(), []),
    "a profile of another GPU": (labelled("all-1g.12gb") + cutting(), ["SHR010"]),
    "the same on that GPU": (labelled("all-1g.12gb", "Standard_NC40ads_H100_v5") + cutting(), []),
    "off": (labelled("all-disabled") + release("gpu-operator", REACHING), []),
    "a GPU without MIG": (labelled("all-1g.10gb", "Standard_NC4as_T4_v3") + cutting(), ["SHR009"]),
    "a name of one's own": (labelled("own") + cutting({"1g.10gb": 7}), []),
    "a usual name that is replaced": (labelled("all-1g.10gb") + cutting({"1g.10gb": 7}), ["SHR011"]),
    "a name that nothing creates": (labelled("own") + cutting(), ["SHR011"]),
    "two profiles as one": (labelled("own") + cutting({"1g.10gb": 5, "2g.20gb": 1}), ["SHR015"]),
    "two profiles": (labelled("own") + cutting({"1g.10gb": 5, "2g.20gb": 1}, **MIXED), []),
    "too many slices": (cutting({"3g.40gb": 2, "2g.20gb": 1}), ["SHR012"]),
    "too many of one, in a ConfigMap": (LAYOUTS, ["SHR012"]),
    "too many of one": (cutting({"4g.40gb": 2}), ["SHR012"]),
    "profiles of two GPUs": (cutting({"1g.5gb": 1, "1g.18gb": 1}), ["SHR012"]),
    "a GPU that is not Azure's": (cutting({"1g.6gb": 4}), []),
    "counts that are not numbers": (cutting({"4g.40gb": "2"}), []),
    "compute instances": (cutting({"1c.3g.40gb": 3, "3g.40gb": 1}), []),
    "a layout for other GPUs": (labelled("own") + cutting({"1g.18gb": 7}), ["SHR010"]),
    "a layout for these and others": (labelled("own") + cutting({"1g.18gb": 7}, {"1g.10gb": 7}), []),
}


@for_each(("text", "expected"), MIG.values(), ids=MIG)
def test_findings_about_mig_layouts(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


def test_a_layout_in_a_config_map_is_reported_at_its_key() -> None:
    (fault,) = diagnostics(LAYOUTS)
    assert fault.pointer == "/data/config.yaml"


@for_each(
    ("layout", "profile"),
    [
        ("all-1g.10gb", "1g.10gb"),
        ("all-disabled", ""),
        ("all-big.layout", ""),
        ("all-7th", ""),
        ("1g.10gb", ""),
    ],
)
def test_the_profile_of_a_layout_of_the_operator(layout: str, profile: str) -> None:
    assert profile_of(layout) == profile


def test_the_names_of_profiles() -> None:
    assert [base(name) for name in ("1g.5gb+me", "1c.3g.40gb", "7g.80gb", "1g.24gb-me")] == [
        "1g.5gb", "3g.40gb", "7g.80gb", "1g.24gb",
    ]  # fmt: skip
    assert [profile_of(name) for name in ("all-1g.5gb.me", "all-balanced", "own")] == ["1g.5gb", "", ""]


DRIVER = """
apiVersion: nvidia.com/v1alpha1
kind: NVIDIADriver
metadata: {{name: r580}}
spec: {{driverType: gpu, version: "580.173.02", nodeSelector: {selector}}}
---
"""
SELECTORS = {
    "a pool": ("{karpenter.sh/nodepool: a100}", []),
    "no pool": ("{karpenter.sh/nodepool: h100}", ["SHR080"]),
    "a pool that cannot be read": ("{karpenter.sh/nodepool: broken}", []),
    "another label of the pool": ("{karpenter.sh/nodepool: a100, contoso.com/driver: gold}", []),
    "another value of a label": ("{karpenter.sh/nodepool: a100, contoso.com/driver: silver}", ["SHR080"]),
    "a label that software on the node sets": ("{karpenter.sh/nodepool: a100, nvidia.com/gpu.product: A100}", []),
    "any node": ("{}", []),
    "what an AKS node pool may have": ("{kubernetes.azure.com/agentpool: a100}", []),
    "a label of one's own": ("{contoso.com/driver: silver}", []),
}


@for_each("closed", [True, False])
@for_each(("selector", "expected"), SELECTORS.values(), ids=SELECTORS)
def test_drivers_that_select_no_node(selector: str, expected: list[str], closed: bool) -> None:
    text = DRIVER.format(selector=selector) + pool(spec=BARE, labels="{contoso.com/driver: gold}")
    broken = "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: broken}\nspec: 3\n"
    given = codes(text + (broken if "broken" in selector else ""), closed=closed)
    assert [code for code in given if code == "SHR080"] == expected


def test_drivers_whose_pools_may_be_elsewhere() -> None:
    assert "SHR080" not in codes(DRIVER.format(selector="{karpenter.sh/nodepool: h100}"))
