"""The stack that import infers from realistic clusters.

The documents follow public guides and samples, with invented names: NVIDIA's and Microsoft's guides to the device
plugin, the GPU Operator, the DCGM exporter, KEDA and KAITO on AKS.
"""

import json
from typing import Any

import pytest

from gitgpu.adopt.adoption import Fate, StackPart
from gitgpu.adopt.stack import charts as stack_charts
from gitgpu.adopt.stack import stack
from gitgpu.adopt.stack.view import bare_view
from gitgpu.load.spec.shape import fleet_schema
from gitgpu.model.catalog import catalog
from gitgpu.model.mig import Mig
from gitgpu.source import Span
from tests.adopt.clusters import adopted, built, of_text
from tests.helping.cases import for_each
from tests.rules.fleet.examples import inputs_of

CATALOG = catalog(())
CLASS = """
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: gpu}
spec: {}
---
"""
NODES = f"""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {{name: gpu}}
spec:
  template:
    metadata: {{labels: {{}}}}
    spec:
      nodeClassRef: {{group: karpenter.azure.com, kind: AKSNodeClass, name: gpu}}
      requirements: [{{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}}]
      taints: [{{key: sku, value: gpu, effect: NoSchedule}}]
---{CLASS}"""
WITHOUT_DRIVER = NODES.replace("spec: {}", "spec: {gpu: {mode: None}}").replace("mode: None", 'mode: "None"')
AGENT_POOL = """
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: gpunp, namespace: ""}
spec:
  azureName: gpunp
  vmSize: Standard_NC24ads_A100_v4
  osType: Linux
  mode: User
  nodeTaints: ["sku=gpu:NoSchedule"]
---
"""
PLUGIN = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: nvidia-device-plugin-daemonset, namespace: gpu-resources}
spec:
  selector: {matchLabels: {name: nvidia-device-plugin-ds}}
  template:
    metadata: {labels: {name: nvidia-device-plugin-ds}}
    spec:
      tolerations: [{key: sku, operator: Equal, value: gpu, effect: NoSchedule}]
      containers:
      - name: nvidia-device-plugin-ctr
        image: mcr.microsoft.com/oss/v2/nvidia/k8s-device-plugin:v0.18.2-12
        volumeMounts: [{name: device-plugin, mountPath: /var/lib/kubelet/device-plugins}]
      volumes: [{name: device-plugin, hostPath: {path: /var/lib/kubelet/device-plugins}}]
---
"""


def helm(chart: str, values: str = "{}", **more: str) -> str:
    """A release as read from a cluster."""
    keys = "".join(f"\n{key}: {value}" for key, value in more.items())
    start = f"apiVersion: gitgpu.dev/v1alpha1\nkind: HelmValues\nchart: {chart}\nrelease: own"
    return f"{start}{keys}\nvalues: {values}\n---\n"


def inferred(text: str, **azure: Any) -> StackPart:
    cluster = of_text(text, "lab", kubernetes="1.36", region="swedencentral", **azure)
    return stack(bare_view(cluster, CATALOG), adopted(cluster))


def lost(part: StackPart) -> list[str]:
    return [each.reason for each in part.outcomes if each.fate is Fate.INEXPRESSIBLE]


def fate_of(part: StackPart, name: str) -> tuple[str, str]:
    """The outcome of a complete object."""
    outcomes = [each for each in part.outcomes if each.observed.name == name and each.fate is not Fate.INFERRED]
    return str(outcomes[0].fate), outcomes[0].reason


BARE = {"metrics": {"exporter": False, "scrape": "none"}, "keda": "none"}


def test_the_driver_of_aks_and_nothing_else() -> None:
    """No software is assumed without evidence. Software that the AKS driver needs is reported."""
    part = inferred(NODES)
    assert (part.stack, part.pools) == (BARE, {})
    reasons = {each.reason for each in part.outcomes if each.fate is Fate.INFERRED}
    assert {
        "AKSNodeClass gpu leaves gpu.mode at Driver",
        "nothing in the input exports GPU metrics",
        "nothing in the input scrapes GPU metrics",
        "nothing in the input installs KEDA",
    } <= reasons
    assert any("gitgpu installs NVIDIA's device plugin" in reason for reason in reasons)


def test_the_device_plugin_of_the_guide_of_aks() -> None:
    part = inferred(AGENT_POOL + PLUGIN)
    assert (part.stack, part.pools) == (BARE | {"versions": {"nvidia-device-plugin": "v0.18.2"}}, {})
    assert fate_of(part, "DaemonSet nvidia-device-plugin-daemonset") == (
        "adopted",
        "gitgpu installs the device plugin itself: delete this one once gitgpu's is running",
    )


def test_two_device_plugins_are_a_finding_of_lint() -> None:
    other = PLUGIN.replace("nvidia-device-plugin-daemonset", "another").replace("gpu-resources", "kube-system")
    part = inferred(NODES + PLUGIN + other)
    [wrong] = [each.reason for each in part.outcomes if each.fate is Fate.WRONG]
    assert wrong.startswith("STK001: DaemonSet ")
    assert wrong.endswith(" also runs a device plugin on NodePool gpu")
    part = inferred(AGENT_POOL + PLUGIN + other)
    [wrong] = [each.reason for each in part.outcomes if each.fate is Fate.WRONG]
    assert wrong.endswith(" also runs a device plugin possibly on the same nodes")


OPERATED = """
apiVersion: nvidia.com/v1
kind: ClusterPolicy
metadata: {name: cluster-policy, labels: {helm.sh/chart: gpu-operator-v26.7.0}}
spec:
  daemonsets: {tolerations: [{key: sku, operator: Equal, value: gpu, effect: NoSchedule}]}
  driver: {enabled: true}
  toolkit: {enabled: true}
  devicePlugin: {enabled: true}
  dcgmExporter: {enabled: true}
  mig: {strategy: single}
  operator: {defaultRuntime: containerd}
  dcgm: {enabled: false}
  gfd: {enabled: true}
  nodeStatusExporter: {enabled: false}
---
"""
TOLERATIONS = "tolerations: [{key: sku, operator: Exists}]"
NFD = f"{{daemonsets: {{{TOLERATIONS}}}, node-feature-discovery: {{worker: {{{TOLERATIONS}}}}}%s}}"


@pytest.mark.parametrize("operator", [helm("gpu-operator", NFD % ""), OPERATED])
def test_the_gpu_operator_with_its_driver(operator: str) -> None:
    part = inferred(WITHOUT_DRIVER + operator)
    assert part.stack["driver"] == "operator"
    assert part.stack["metrics"] == {"scrape": "none"}
    assert lost(part) == []


def test_the_gpu_operator_on_a_node_pool() -> None:
    pool = AGENT_POOL.replace("osType", 'gpuProfile: {driver: "None"}\n  osType')
    assert inferred(pool + helm("gpu-operator")).stack["driver"] == "operator"


def test_the_retired_tag_is_not_a_driver_of_aks() -> None:
    pool = AGENT_POOL.replace("osType", 'tags: {SkipGPUDriverInstall: "true"}\n  osType')
    part = inferred(pool + helm("gpu-operator"))
    assert part.stack["driver"] == "operator"
    why = "the retired tag SkipGPUDriverInstall keeps AKS from installing the driver (lint: APL010)"
    assert any(outcome.reason.startswith(why) for outcome in part.outcomes)


def test_a_driver_that_no_object_names() -> None:
    assert inferred(WITHOUT_DRIVER).stack["driver"] == "none"


def test_an_operator_on_the_driver_of_aks_stays_with_its_owner() -> None:
    part = inferred(NODES + helm("gpu-operator", NFD % ", driver: {enabled: false}, toolkit: {enabled: false}"))
    assert (part.stack["driver"], part.stack["metrics"]) == ("aks-only", {"scrape": "none"})
    assert not lost(part)


def test_managed_gpus_by_a_tag_and_by_a_profile() -> None:
    tagged = NODES.replace("spec: {}", 'spec: {tags: {EnableManagedGPUExperience: "true"}}')
    assert inferred(tagged).stack["driver"] == "managed"
    profile = "gpuProfile: {driver: Install, nvidia: {managementMode: Managed}}"
    assert inferred(AGENT_POOL.replace("osType", f"{profile}\n  osType")).stack["driver"] == "managed"


def test_pools_that_differ_from_the_stack_have_their_own_keys() -> None:
    other = NODES.replace("name: gpu}", "name: other}").replace("spec: {}", 'spec: {gpu: {mode: "None"}}')
    third = NODES.replace("name: gpu}", "name: third}")
    part = inferred(NODES + other + third)
    assert ("driver" in part.stack, part.pools) == (False, {"other": {"driver": "none"}})


CONFIG = """
apiVersion: v1
kind: ConfigMap
metadata: {name: time-slicing-config, namespace: gpu-operator}
data:
  any: |-
    version: v1
    flags: {migStrategy: none}
    sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}
---
"""
SLICED = NFD % ", devicePlugin: {config: {name: time-slicing-config, default: any}}"


def test_sharing_by_default_replaces_nodes_of_karpenter() -> None:
    part = inferred(WITHOUT_DRIVER + CONFIG + helm("gpu-operator", SLICED, namespace="gpu-operator"))
    assert part.pools == {}
    [reason] = lost(part)
    assert "shares a GPU among 4 pods" in reason
    assert "that replaces them" in reason


def test_sharing_by_default_is_adopted_on_a_node_pool() -> None:
    pool = AGENT_POOL.replace("osType", 'gpuProfile: {driver: "None"}\n  osType')
    part = inferred(pool + CONFIG + helm("gpu-operator", SLICED, namespace="gpu-operator"))
    assert part.pools == {"gpunp": {"partition": {"timeSlicing": {"replicas": 4}}}}


def test_a_sharing_configuration_with_the_name_that_gitgpu_uses() -> None:
    labelled = WITHOUT_DRIVER.replace("labels: {}", "labels: {nvidia.com/device-plugin.config: time-slicing-4}")
    text = labelled + CONFIG.replace("any:", "time-slicing-4:") + helm("gpu-operator", SLICED, namespace="gpu-operator")
    assert inferred(text).pools == {"gpu": {"partition": {"timeSlicing": {"replicas": 4}}}}


def test_a_mig_layout_under_another_name_is_reported() -> None:
    part = inferred(WITHOUT_DRIVER.replace("labels: {}", "labels: {nvidia.com/mig.config: all-1g.10gb}") + OPERATED)
    [reason] = lost(part)
    assert "all-1g.10gb (1g.10gb on each GPU)" in reason


@pytest.mark.parametrize("second", [{"1g.10gb": 7}, {"7g.80gb": 1}], ids=["alike", "different"])
def test_a_mig_layout_with_a_group_for_each_gpu(second: dict[str, int]) -> None:
    layouts = [{"1g.10gb": 7}, second]
    name = Mig("mixed", tuple(layouts)).name
    groups = [{"devices": [at], "mig-enabled": True, "mig-devices": layout} for at, layout in enumerate(layouts)]
    config = json.dumps({"version": "v1", "mig-configs": {name: groups}})
    meta = {"name": "layouts", "namespace": "gpu-operator"}
    text = json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": {"config.yaml": config}})
    values = NFD % ", mig: {strategy: mixed}, migManager: {config: {name: layouts}}"
    nodes = WITHOUT_DRIVER.replace("labels: {}", f"labels: {{nvidia.com/mig.config: {name}}}")
    nodes = nodes.replace("NC24ads", "NC48ads")
    part = inferred(nodes + text + "\n---\n" + helm("gpu-operator", values, namespace="gpu-operator"))
    assert part.pools == {"gpu": {"partition": {"mig": {"strategy": "mixed", "profiles": layouts}}}}


def test_evidence_without_an_object_is_at_the_cluster_in_azure() -> None:
    cluster = of_text(NODES, "lab")
    assert bare_view(cluster, CATALOG).bare.places.span().line == 1
    known = cluster._replace(azure=cluster.azure._replace(span=Span("cluster.json", 7, 3)))
    assert str(bare_view(known, CATALOG).bare.places.span()) == "cluster.json:7:3"


def test_mig_partitions_by_aks() -> None:
    profiles = {"MIG1g": {"1g.10gb": 7}, "MIG2g": {"2g.20gb": 3}, "MIG3g": {"3g.40gb": 2}, "MIG4g": {"4g.40gb": 1}}
    for named, layout in {**profiles, "MIG7g": {"7g.80gb": 1}}.items():
        part = inferred(AGENT_POOL.replace("osType", f"gpuInstanceProfile: {named}\n  osType"))
        assert part.pools == {"gpunp": {"partition": {"mig": {"profiles": layout}}}}


EXPORTER = "{serviceMonitor: {apiVersion: azmonitoring.coreos.com/v1}, tolerations: [{key: sku, operator: Exists}]}"
MONITOR = """
apiVersion: azmonitoring.coreos.com/v1
kind: PodMonitor
metadata: {name: dcgm, namespace: kube-system}
spec:
  selector: {matchLabels: {app.kubernetes.io/name: dcgm-exporter}}
  podMetricsEndpoints: [{port: metrics, interval: 15s}]
---
"""


def test_the_exporter_with_azure_managed_prometheus() -> None:
    part = inferred(NODES + PLUGIN + helm("dcgm-exporter", EXPORTER) + MONITOR, addons={"keda": True, "metrics": True})
    assert part.stack == {
        "metrics": {"interval": "15s"},
        "versions": {"nvidia-device-plugin": "v0.18.2"},
    }
    assert lost(part) == []


def test_container_insights_counts_gpus_without_an_exporter() -> None:
    part = inferred(NODES, addons={"logs": True})
    assert part.stack["metrics"]["containerInsights"] == "inventory"
    reasons = [each.reason for each in part.outcomes if each.into and each.into.pointer[-1] == "containerInsights"]
    assert reasons == ["Container insights runs, and collects the GPU capacity of nodes"]


def test_the_exporter_with_your_own_prometheus() -> None:
    part = inferred(NODES + PLUGIN + helm("dcgm-exporter", "{serviceMonitor: {enabled: true, interval: 15s}}"))
    assert part.stack["metrics"] == {"scrape": "prometheus-operator"} | {"interval": "15s"}


def test_a_value_without_a_key_of_the_stack_becomes_a_chart_value() -> None:
    values = "{operator: {replicaCount: 2}, podIdentity: {azureWorkload: {enabled: true}}}"
    part = inferred(NODES + helm("keda", values, version="2.20.2"))
    assert part.stack["keda"] == "helm"
    assert part.stack["values"] == {"keda": {"operator": {"replicaCount": 2}}}


def test_secrets_and_values_of_charts_that_are_replaced_are_reported() -> None:
    part = inferred(
        NODES + helm("keda", "{grpcToken: abc}") + helm("nvidia-device-plugin", "{priorityClassName: high}")
    )
    assert sorted(lost(part)) == [
        "gitgpu installs a DaemonSet instead of the chart, and has no key for priorityClassName",
        "grpcToken may be a secret, which does not belong in a spec",
    ]


KEDA_ADDON = """
apiVersion: apps/v1
kind: Deployment
metadata:
  name: keda-operator
  namespace: kube-system
  annotations: {meta.helm.sh/release-name: aks-managed-keda, meta.helm.sh/release-namespace: kube-system}
  labels: {helm.sh/chart: keda-2.18.0}
spec:
  selector: {matchLabels: {app: keda-operator}}
  template:
    metadata: {labels: {app: keda-operator}}
    spec: {containers: [{name: keda-operator, image: mcr.microsoft.com/oss/v2/kedacore/keda:2.18.0}]}
---
"""


def test_keda_as_the_add_on_and_as_a_chart() -> None:
    assert "keda" not in inferred(NODES + KEDA_ADDON).stack
    assert "keda" not in inferred(NODES, addons={"keda": True}).stack
    of_owner = KEDA_ADDON.replace("aks-managed-keda", "keda").replace("keda-2.18.0", "keda-2.19.0")
    assert inferred(NODES + of_owner.replace("kube-system", "keda")).stack["keda"] == "helm"
    # The chart can also be installed into kube-system
    assert inferred(NODES + of_owner).stack["keda"] == "helm"


@pytest.mark.parametrize(("key", "name"), [("keda", "keda-operator"), ("kaito", "kaito-workspace")])
def test_a_controller_that_is_neither_an_add_on_nor_from_the_chart_is_reported(key: str, name: str) -> None:
    """No stack key describes it. gitgpu must neither install a second one nor report that it is missing."""
    manifest = KEDA_ADDON.replace("kube-system", "own").replace("keda-operator", name)
    manifest = manifest.replace("annotations: {meta.helm.sh/release-name: aks-managed-keda", "annotations: {a: b")
    manifest = manifest.replace("keda-2.18.0", "platform-1.0.0")
    part = inferred(NODES + manifest)
    assert part.stack == BARE
    reasons = [each.reason for each in part.outcomes if each.into and each.into.pointer == ("spec", "stack", key)]
    title = key.upper()
    assert reasons == [f"Deployment {name} runs {title}, but is not part of the add-on or the chart: it stays as it is"]
    release = {"keda": "keda", "kaito": "workspace"}[key]
    assert inferred(NODES + manifest + helm(release, namespace=name)).stack[key] == "helm"
    assert inferred(NODES + manifest, addons={key: True}).stack.get(key, "addon") == "addon"


@for_each(
    ("key", "release", "values"),
    [
        ("keda", "keda", "{operator: {replicaCount: 2}}"),
        ("kaito", "workspace", "{replicaCount: 2}"),
        ("kueue", "kueue", "{controllerManager: {featureGates: []}, enableKueueViz: true}"),
    ],
    ids=str,
)
def test_values_of_a_chart_are_not_kept_if_aks_runs_the_software(key: str, release: str, values: str) -> None:
    """A build would reject values of a chart that the fleet does not install."""
    part = inferred(NODES + helm(release, values), addons={key: True})
    assert "values" not in part.stack
    assert part.running == ()


SCALED = """
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: detect, namespace: vision}
spec:
  scaleTargetRef: {name: detect}
  maxReplicaCount: 20
  triggers:
  - type: prometheus
    metadata:
      serverAddress: https://gpus-a1b2.swedencentral.prometheus.monitor.azure.com
      metricName: DCGM_FI_DEV_GPU_UTIL
      query: avg(DCGM_FI_DEV_GPU_UTIL{deployment="detect"})
      threshold: "5"
    authenticationRef: {name: azure-prometheus}
---
apiVersion: keda.sh/v1alpha1
kind: TriggerAuthentication
metadata: {name: azure-prometheus, namespace: vision}
spec: {podIdentity: {provider: azure-workload, identityId: 11111111-2222-3333-4444-555555555555}}
---
"""


def test_a_trigger_names_the_prometheus_and_the_identity() -> None:
    part = inferred(NODES + SCALED)
    assert part.stack == {
        "metrics": {
            "exporter": False,
            "server": "https://gpus-a1b2.swedencentral.prometheus.monitor.azure.com",
            "identity": "11111111-2222-3333-4444-555555555555",
        },
    }


def test_only_one_of_two_prometheus_servers_is_in_the_stack() -> None:
    other = SCALED.replace("name: detect,", "name: other,").replace("gpus-a1b2", "gpus-c3d4")
    [reason] = lost(inferred(NODES + SCALED + other))
    assert reason.endswith("the cluster has one value for stack.metrics.server")


def test_kaito_dra_and_the_adapter_by_their_charts() -> None:
    text = (
        NODES
        + helm("workspace", namespace="kaito-workspace")
        + helm("nvidia-dra-driver-gpu")
        + helm("prometheus-adapter")
    )
    part = inferred(text)
    assert (part.stack["kaito"], part.stack["allocation"]) == ("helm", "dra")


def test_amd_gpus_with_the_operator_and_with_the_plugin_alone() -> None:
    nodes = NODES.replace("Standard_NC24ads_A100_v4", "Standard_ND96isr_MI300X_v5")
    values = "{crds: {defaultCR: {install: false}}}"
    own = helm("gpu-operator-charts", values, version="v1.4.1")
    assert inferred(nodes + own).stack["driver"] == "operator"
    plugin = PLUGIN.replace(
        "mcr.microsoft.com/oss/v2/nvidia/k8s-device-plugin:v0.18.2-12", "docker.io/rocm/k8s-device-plugin:1.31.0.9"
    )
    part = inferred(nodes + plugin)
    assert (part.stack["driver"], part.pools) == ("none", {"gpu": {"devicePlugin": True}})
    [reason] = [each.reason for each in part.outcomes if each.into and each.into.pointer[-1] == "devicePlugin"]
    assert reason == "DaemonSet nvidia-device-plugin-daemonset runs AMD's device plugin"


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        ("v1.4.1", "its chart creates a DeviceConfig, and the input contains none"),
        ("v9.9.9", "the catalog has no amd-gpu-operator v9.9.9"),
    ],
    ids=["without its DeviceConfig", "unknown version"],
)
def test_an_operator_of_amd_that_stays_with_its_owner(version: str, reason: str) -> None:
    """A second DeviceConfig for the same nodes would contradict the one of the chart."""
    nodes = NODES.replace("Standard_NC24ads_A100_v4", "Standard_ND96isr_MI300X_v5")
    part = inferred(nodes + helm("gpu-operator-charts", version=version))
    assert part.stack["driver"] == "none"
    start = "the GPUs are from AMD, and Helm release own of the chart gpu-operator-charts manages them: "
    [why] = [each.reason for each in part.outcomes if each.reason.startswith(start)]
    assert reason in why
    assert "to manage it, " in why


def test_a_cluster_without_gpu_pools_has_no_stack() -> None:
    assert inferred(PLUGIN).stack == {}


FLUX = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: keda, namespace: flux-system}
spec:
  interval: 1h
  chart: {spec: {chart: keda, version: 2.18.0, sourceRef: {kind: HelmRepository, name: kedacore}}}
  targetNamespace: keda
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: kedacore, namespace: flux-system}
spec: {interval: 24h, url: https://kedacore.github.io/charts}
---
"""


def test_a_release_of_another_version_and_its_source() -> None:
    part = inferred(NODES + FLUX.replace("2.18.0", "2.19.0"))
    assert fate_of(part, "HelmRelease keda") == ("adopted", "gitgpu installs the chart")
    assert fate_of(part, "HelmRepository kedacore") == ("adopted", "it is the source of HelmRelease keda")


def test_evidence_of_a_default_that_is_written_out_is_not_reported() -> None:
    part = inferred(NODES + PLUGIN + MONITOR.replace("15s", "30s"))
    assert not any("every 30s" in each.reason for each in part.outcomes)


def test_each_value_that_gitgpu_decides_is_a_value_of_its_chart() -> None:
    rows = CATALOG.rows("values")
    of_policies = {"driver.useNvidiaDriverCRD"}  # a key of a ClusterPolicy, which has the other values too
    for name, stack_chart in stack_charts.CHARTS.items():
        keys = rows[CATALOG.must("charts", name)["chart"]]["keys"]
        for path in {*stack_chart.decided} - of_policies:
            parts = path.split(".")
            above = [".".join(parts[:length]) for length in range(len(parts))]
            assert [part for place, part in zip(above, parts, strict=True) if part not in keys.get(place, parts)] == []


def test_the_drivers_with_which_a_chart_belongs_to_the_stack_are_those_of_the_schema() -> None:
    drivers = fleet_schema()["definitions"]["stack"]["properties"]["driver"]["enum"]
    stack_keys = fleet_schema()["definitions"]["stack"]["properties"]
    for stack_chart in stack_charts.CHARTS.values():
        assert {*stack_chart.drivers} <= {*drivers}
        assert stack_chart.key[0] in stack_keys


SELECTED = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: example}
spec: {delivery: {repository: https://github.com/contoso/gpu-fleet}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.34", stack: {nodeSelection: SELECTION}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec: {clusters: [prod-swc], sku: Standard_NC16as_T4_v3, limits: {gpus: 8}POOL}
"""


@for_each(
    ("pool", "selection", "daemon"),
    [
        ("", "pools", "DaemonSet dcgm-exporter-profiling selects nodes by the names of pools"),
        ("", "labels", "DaemonSet dcgm-exporter-profiling selects nodes by labels"),
        (", operatorOptOut: false", "pools", "DaemonSet dcgm-exporter-profiling selects nodes by the names of pools"),
        (", operatorOptOut: false", "labels", "DaemonSet dcgm-exporter-profiling-pool-t4 is for the nodes of one pool"),
    ],
)
def test_how_daemon_sets_of_gitgpu_select_nodes_stays_as_it_is(pool: str, selection: str, daemon: str) -> None:
    inputs = inputs_of(SELECTED.replace("SELECTION", selection).replace("POOL", pool))
    running = built(inputs, inputs.clusters[0])
    made = stack(bare_view(running, CATALOG), adopted(running))
    assert made.stack.get("nodeSelection", "labels") == selection
    reasons = [each.reason for each in made.outcomes if each.into and each.into.pointer[-1] == "nodeSelection"]
    assert daemon in reasons


KAITOS = NODES.replace("name: gpu}", "name: ws, labels: {karpenter.kaito.sh/managed-by: kaito}}", 1)
LABEL = 'nvidia.com/gpu.deploy.operands: "false"'
OTHER = AGENT_POOL.replace("gpunp", "old").rstrip("-\n") + f"\n  nodeLabels: {{{LABEL}}}\n"
OF_AKS = OTHER + "  gpuProfile: {nvidia: {managementMode: Managed}}\n"
ON_WINDOWS = AGENT_POOL.replace("osType: Linux", "osType: Windows")


@for_each(
    ("text", "selection"),
    [
        (NODES + KAITOS, None),
        (NODES + KAITOS.replace("labels: {}", f"labels: {{{LABEL}}}"), "pools"),
        (NODES.replace("labels: {}", f"labels: {{{LABEL}}}") + KAITOS, None),
        (AGENT_POOL + OTHER, "pools"),
        (AGENT_POOL + OTHER.replace("Standard_NC24ads_A100_v4", "Standard_D4s_v5"), "pools"),
        (AGENT_POOL + OTHER.replace('"false"', '"true"'), None),
        (AGENT_POOL + OF_AKS, None),
        (ON_WINDOWS + OTHER, None),
        (WITHOUT_DRIVER + OTHER, None),
    ],
)
def test_the_names_of_pools_select_nodes_if_others_have_the_label(text: str, selection: str | None) -> None:
    """Nodes whose GPUs AKS manages are never selected, and fleets without a driver of AKS on Linux select none."""
    cluster = of_text(text, "lab", kubernetes="1.36")
    own_pools = [pool for pool in adopted(cluster) if pool.name in ("gpu", "gpunp")]
    made = stack(bare_view(cluster, CATALOG), own_pools)
    assert made.stack.get("nodeSelection") == selection
    places = [each.pointer for each in made.outcomes if each.into and each.into.pointer[-1] == "nodeSelection"]
    assert all(place[-1] == "nvidia.com/gpu.deploy.operands" for place in places)
    assert len(places) == (selection is not None)


OWN_DISCOVERY = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: node-feature-discovery
  namespace: flux-system
  labels: {app.kubernetes.io/managed-by: gitgpu}
spec:
  chartRef: {kind: OCIRepository, name: node-feature-discovery}
  interval: 10m
---
"""
OPERATOR = """
apiVersion: apps/v1
kind: Deployment
metadata:
  name: gpu-operator
  namespace: gpu-operator
  labels: {app.kubernetes.io/instance: gpu-operator, helm.sh/chart: gpu-operator-v26.7.0}
spec:
  selector: {matchLabels: {app: gpu-operator}}
  template:
    metadata: {labels: {app: gpu-operator}}
    spec:
      containers: [{name: gpu-operator, image: "nvcr.io/nvidia/gpu-operator:v26.7.0"}]
---
"""
PARTS = ("toolkit", "daemonsets", "devicePlugin", "dcgmExporter", "dcgm", "gfd", "nodeStatusExporter")
POLICY = "apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nmetadata: {name: cluster-policy}\nspec: SPEC\n---\n"
POLICY = POLICY.replace(
    "SPEC", f"{{operator: {{}}, driver: {{enabled: true}}, {', '.join(f'{part}: {{}}' for part in PARTS)}}}"
)


@for_each(
    ("software", "selection"),
    [
        (helm("gpu-operator", "{}", version="v26.7.0"), "pools"),
        (helm("gpu-operator", "{nfd: {enabled: false}}", version="v26.7.0"), "pools"),
        (OPERATOR + POLICY, "pools"),
        (POLICY, "pools"),
        (POLICY + OWN_DISCOVERY, None),
    ],
)
def test_the_names_of_pools_select_nodes_if_an_operator_runs(software: str, selection: str | None) -> None:
    nodes = WITHOUT_DRIVER.replace("taints: [{key: sku, value: gpu, effect: NoSchedule}]", "taints: []")
    made = inferred(nodes + software)
    assert made.stack["driver"] == "operator"
    assert made.stack.get("nodeSelection") == selection
    reasons = [each.reason for each in made.outcomes if each.into and each.into.pointer[-1] == "nodeSelection"]
    assert all("Node Feature Discovery" in reason for reason in reasons)
    assert len(reasons) == (selection is not None)


OLD = AGENT_POOL.replace('gpunp, namespace: ""', "old, namespace: aks").replace("gpunp", "old")
OLD = OLD.replace("spec:\n", "spec:\n  owner: {armId: /subscriptions/x}\n")
CONFIGURED = OLD.replace("mode: User", "mode: User\n  nodeLabels: {nvidia.com/device-plugin.config: shared-4}")


@for_each(
    ("text", "own", "stays"),
    [
        (AGENT_POOL + PLUGIN, ("gpunp",), False),
        (AGENT_POOL + OLD + PLUGIN, ("gpunp", "old"), False),
        (AGENT_POOL + OLD + PLUGIN, ("gpunp",), True),
        (NODES + OLD + PLUGIN, ("gpu",), True),
        (AGENT_POOL + NODES + PLUGIN, ("gpunp",), True),
        (AGENT_POOL + KAITOS + PLUGIN, ("gpunp",), False),
        (AGENT_POOL + CONFIGURED + PLUGIN, ("gpunp", "old"), True),
        (AGENT_POOL + OLD.replace("osType: Linux", "osType: Windows") + PLUGIN, ("gpunp",), False),
        (AGENT_POOL + OLD.replace("sku=gpu", "other=gpu") + PLUGIN, ("gpunp",), False),
        (AGENT_POOL + OLD.replace("NC24ads_A100_v4", "D4s_v5") + PLUGIN, ("gpunp",), False),
        (
            AGENT_POOL
            + OLD
            + PLUGIN.replace("spec:\n      tol", "spec:\n      nodeSelector: {agentpool: gpunp}\n      tol"),
            ("gpunp",),
            False,
        ),
    ],
)
def test_a_plugin_that_other_nodes_need_stays(text: str, own: tuple[str, ...], *, stays: bool) -> None:
    """Its DaemonSet is one object: who deletes it takes it from all nodes."""
    cluster = of_text(text, "lab", kubernetes="1.36")
    own_pools = [pool for pool in adopted(cluster) if pool.name in own]
    made = stack(bare_view(cluster, CATALOG), own_pools)
    [driver] = {made.pools.get(name, {}).get("driver", made.stack.get("driver", "aks")) for name in own}
    assert driver == ("aks-only" if stays else "aks")
