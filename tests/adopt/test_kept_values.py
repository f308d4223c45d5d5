"""The first build leaves a running GPU Operator as it is: the values that ran, compared with those that it gets."""

import re
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml

from gitgpu.access import reach
from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.emit import emit, emitters
from gitgpu.emit.chart.releases import releases
from gitgpu.emit.manifest import Layer
from gitgpu.load.spec.merge_patch import merge_patch
from gitgpu.model.catalog import catalog
from gitgpu.plan.cluster_plan import plan
from gitgpu.runs.import_ import Imported, import_fleet
from tests.adopt.inventories import inventory
from tests.helping.cases import for_each

CATALOG = catalog(())
EMITTERS = emitters()
NODES = """\
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: a100}
spec: {imageFamily: Ubuntu2204, osDiskSizeGB: 128, gpu: {mode: None}}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m, budgets: [{nodes: 10%}]}
  template:
    metadata: {labels: LABELS}
    spec:
      expireAfter: 720h
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: a100}
      taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]
      requirements:
      - {key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}
      - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
---
"""
VERSIONS = ("v25.10.1", "v26.3.3", "v26.7.0")
OWN = {("dcgmExporter", "serviceMonitor")}  # gitgpu writes the monitor
SHARING = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: sharing, namespace: gpu-operator}
data:
  any: "version: v1\\nsharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 2}]}}"
  four: "version: v1\\nsharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}"
---
"""
COUNTERS = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: counters, namespace: gpu-operator}
data: {dcgm-metrics.csv: "DCGM_FI_DEV_GPU_UTIL, gauge, use\\nDCGM_FI_DEV_NAMED_BY_NOBODY, gauge, own\\n"}
---
"""
LAYOUTS = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: layouts, namespace: gpu-operator}
data:
  config.yaml: |
    version: v1
    mig-configs:
      halves: [{devices: all, mig-enabled: true, mig-devices: {3g.40gb: 2}}]
---
"""
RUNNING: Mapping[str, tuple[dict[str, Any], str]] = {
    "driver": ({"driver": {"enabled": True}}, ""),
    "nothing set": ({}, ""),
    "driver objects": ({"driver": {"nvidiaDriverCRD": {"enabled": True}}}, ""),
    "driver objects without the default": (
        {"driver": {"nvidiaDriverCRD": {"enabled": True, "deployDefaultCR": False}}},
        "",
    ),
    "another driver": ({"driver": {"version": "570.148.08", "usePrecompiled": True}}, ""),
    "time-slicing": ({"devicePlugin": {"config": {"name": "sharing", "default": "any"}}}, SHARING),
    "time-slicing, without its ConfigMap": ({"devicePlugin": {"config": {"name": "sharing", "default": "any"}}}, ""),
    "MIG": ({"mig": {"strategy": "mixed"}, "migManager": {"config": {"name": "layouts"}}}, LAYOUTS),
    "MIG without layouts": ({"mig": {"strategy": "mixed"}, "migManager": {"env": [{"name": "A", "value": "b"}]}}, ""),
    "counters of its own": ({"dcgmExporter": {"config": {"name": "counters"}}}, COUNTERS),
    "no toolkit": ({"toolkit": {"enabled": False}}, ""),
    "variables": ({"toolkit": {"env": [{"name": "CONTAINERD_CONFIG", "value": "/a"}]}}, ""),
    "tolerations": ({"daemonsets": {"tolerations": [{"operator": "Exists"}]}}, ""),
    "own NFD": ({"nfd": {"enabled": False}}, ""),
    "RDMA": ({"driver": {"rdma": {"enabled": True, "useHostMofed": True}}}, ""),
    "operands": ({"dcgmExporter": {"version": "4.2.3-4.1.3-ubuntu22.04"}, "devicePlugin": {"version": "v0.17.1"}}, ""),
}


def helm_release(values: Any, version: str) -> str:
    """The operator as a HelmRelease of Flux."""
    reference = {"kind": "HelmRepository", "name": "nvidia", "namespace": "flux-system"}
    chart = {"spec": {"chart": "gpu-operator", "version": version, "sourceRef": reference}}
    spec = {"interval": "10m", "chart": chart, "values": values}
    meta = {"name": "gpu-operator", "namespace": "gpu-operator"}
    return yaml.safe_dump(
        {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": meta, "spec": spec}
    )


def application(values: Any, version: str) -> str:
    """The operator as an Application of Argo CD."""
    source = {
        "repoURL": "https://helm.ngc.nvidia.com/nvidia",
        "chart": "gpu-operator",
        "targetRevision": version,
        "helm": {"valuesObject": values},
    }
    destination = {"server": "https://kubernetes.default.svc", "namespace": "gpu-operator"}
    spec = {"project": "default", "source": source, "destination": destination}
    meta = {"name": "gpu-operator", "namespace": "argocd"}
    return yaml.safe_dump({"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": meta, "spec": spec})


def listed(values: Any, version: str) -> str:
    """The operator as it is read from Helm or from a helm_release of Terraform."""
    body = {"apiVersion": "gitgpu.dev/v1alpha1", "kind": "HelmValues", "metadata": {"name": "own"}}
    return yaml.safe_dump(
        {**body, "chart": "gpu-operator", "version": version, "namespace": "gpu-operator", "values": values}
    )


def policy(values: Any, version: str) -> str:
    """The ClusterPolicy of the operator, which has all values of the release, and its defaults."""
    row = CATALOG.versions("gpu-operator")[version].facts["charts"]
    spec = deepcopy(merge_patch(row["defaults"], values))
    objects = spec["driver"].pop("nvidiaDriverCRD")
    spec["driver"]["useNvidiaDriverCRD"] = objects["enabled"]
    for part in ("nfd", "node-feature-discovery", "clusterPolicy", "gpuCluster"):
        spec.pop(part, None)
    labels = {"helm.sh/chart": f"gpu-operator-{version}", "app.kubernetes.io/managed-by": "Helm"}
    meta = {"name": "cluster-policy", "labels": labels}
    return yaml.safe_dump({"apiVersion": "nvidia.com/v1", "kind": "ClusterPolicy", "metadata": meta, "spec": spec})


FORMS = {"HelmRelease": helm_release, "Application": application, "HelmValues": listed, "ClusterPolicy": policy}


def imported(*texts: str, labels: str = "{}") -> Imported:
    """The import of a cluster with one pool and these objects."""
    text = NODES.replace("LABELS", labels) + "---\n".join(texts)
    return import_fleet(inventory({"prod": text}), ClusterOptions(), (), "fleet")


def gets(made: Imported) -> dict[str, Any]:
    """The values that the operator gets from the fleet, with the defaults of its version."""
    assert made.checked.inputs
    [cluster] = made.checked.inputs.clusters
    [release] = [each for each in releases(plan(made.checked.inputs, cluster)) if each.chart.release == "gpu-operator"]
    row = made.checked.inputs.catalog_for(cluster).must("charts", "gpu-operator")
    merged = merge_patch(row["defaults"], release.values)
    return {**merged, "version": release.chart.version}


def leaves(values: Any, above: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    """Every value by its path."""
    found: dict[tuple[str, ...], Any] = {}
    for key, value in values.items():
        found |= leaves(value, (*above, key)) if isinstance(value, dict) else {(*above, key): value}
    return found


# Each form of each operator with one version, so that each version is with each form and with each operator.
COMBINATIONS = [
    (name, form, VERSIONS[(at + number) % len(VERSIONS)])
    for at, name in enumerate(RUNNING)
    for number, form in enumerate(FORMS)
]


@pytest.mark.parametrize(("name", "form", "version"), COMBINATIONS)
def test_the_operator_gets_the_values_that_ran(name: str, form: str, version: str) -> None:
    values, others = RUNNING[name]
    if form == "ClusterPolicy" and name in ("own NFD", "driver objects without the default"):
        pytest.skip("a ClusterPolicy does not contain it")
    made = imported(others + FORMS[form](values, version))
    after = gets(made)
    assert after["version"] == version
    defaults = CATALOG.versions("gpu-operator")[version].facts["charts"]["defaults"]
    written = leaves(values)
    for path in [*leaves(defaults), *written]:
        if path in written or not any(path[: len(own)] == own for own in OWN):
            assert reach(merge_patch(defaults, values), *path) == reach(after, *path), path


def test_a_value_that_is_kept_is_in_the_report_and_has_a_comment() -> None:
    made = imported(helm_release({}, "v26.7.0"))
    [kept] = [each for each in made.report().outcomes if "nvidiaDriverCRD" in each.outcome.reason]
    assert kept.outcome.fate is Fate.INFERRED
    text = made.files["clusters/prod/cluster.yaml"]
    assert "# Kept: the running release has driver.nvidiaDriverCRD.enabled: false" in text
    assert kept.spec
    assert "enabled: false" in text.splitlines()[kept.spec.line - 1]


def test_settings_that_the_release_does_not_have_are_removed_in_the_fleet() -> None:
    """Each would restart an operand; a new toolkit restarts containerd."""
    made = imported(helm_release({}, "v26.7.0"))
    text = made.files["clusters/prod/cluster.yaml"]
    assert "# Kept: the running release does not set toolkit.env, which gitgpu would." in text
    assert not made.report().of(Fate.CHANGED)
    after = gets(made)
    assert "env" not in after["toolkit"]
    assert not {"config", "env"} & set(after["dcgmExporter"])


@pytest.mark.parametrize("form", FORMS)
def test_tolerations_and_variables_stay_although_gitgpu_would_add_some(form: str) -> None:
    """A NodePool may create spot nodes, whose taint the operator does not tolerate: adding that restarts drivers."""
    values = {"dcgmExporter": {"env": [{"name": "DCGM_EXPORTER_LISTEN", "value": ":9400"}]}}
    text = NODES.replace("LABELS", "{}").replace("values: [on-demand]", "values: [on-demand, spot]")
    for own in ({}, {"daemonsets": {"tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists"}]}}):
        running = FORMS[form](values | own, "v26.3.3")
        made = import_fleet(inventory({"prod": text + running}), ClusterOptions(), (), "fleet")
        defaults = CATALOG.versions("gpu-operator")["v26.3.3"].facts["charts"]["defaults"]
        after, before = gets(made), merge_patch(defaults, values | own)
        assert after["daemonsets"]["tolerations"] == before["daemonsets"]["tolerations"]
        assert after["dcgmExporter"]["env"] == values["dcgmExporter"]["env"]
        assert not made.software


def test_labels_of_the_monitor_that_a_chart_creates() -> None:
    monitor = {"enabled": True, "additionalLabels": {"release": "kps"}, "interval": "20s"}
    made = imported(helm_release({"dcgmExporter": {"serviceMonitor": monitor}}, "v25.10.1"))
    [cluster] = made.checked.inputs.clusters if made.checked.inputs else ()
    metrics = cluster.stack.metrics
    assert (metrics.scrape, metrics.labels, metrics.interval) == ("prometheus-operator", {"release": "kps"}, "20s")


def test_a_monitor_with_relabelings_stays() -> None:
    """The one that gitgpu writes would give the metrics other labels."""
    monitor = {"enabled": True, "relabelings": [{"action": "labeldrop", "regex": "a"}]}
    made = imported(helm_release({"dcgmExporter": {"serviceMonitor": monitor}}, "v25.10.1"))
    assert not made.report().of(Fate.INEXPRESSIBLE)
    assert made.software == ()
    after = gets(made)
    assert (after["dcgmExporter"]["serviceMonitor"], after["dcgmExporter"]["enabled"]) == (monitor, True)


def test_a_pool_keeps_the_name_of_its_sharing() -> None:
    """Another value of the label replaces the nodes, and without the ConfigMap 4 GPUs become one."""
    values = {"devicePlugin": {"config": {"name": "sharing", "default": "any"}}}
    made = imported(SHARING, helm_release(values, "v26.7.0"), labels="{nvidia.com/device-plugin.config: four}")
    assert made.checked.inputs
    [pool] = made.checked.inputs.pools
    assert (pool.sharing.way, pool.sharing.replicas) == ("timeSlicing", 4)
    assert pool.labels == {"nvidia.com/device-plugin.config": "four"}
    assert all(verdict.keeps_nodes for verdict in made.verdicts)
    assert gets(made)["devicePlugin"]["config"] == {"name": "sharing", "default": "any", "create": False}
    assert set(re.findall(r"ignore\[(.*)\]", "".join(made.files.values()))) == {"VAL003"}
    [kept] = [each.outcome for each in made.report().outcomes if each.outcome.reason.endswith("reads it: keep it")]
    assert kept.fate is Fate.LEFT


def test_a_release_with_values_from_elsewhere_has_those_of_its_cluster_policy() -> None:
    values = {"mig": {"strategy": "mixed"}, "driver": {"rdma": {"enabled": True}}}
    release = yaml.load(helm_release({}, "v26.3.3"), yaml.CSafeLoader)
    release["spec"]["valuesFrom"] = [{"kind": "ConfigMap", "name": "values"}]
    made = imported(yaml.safe_dump(release), policy(values, "v26.3.3"))
    after = gets(made)
    assert (after["mig"]["strategy"], after["driver"]["rdma"]["enabled"]) == ("mixed", True)


def test_a_config_map_that_the_release_created_is_created_again() -> None:
    """Without `create`, Helm deletes it with the first upgrade."""
    created = yaml.load(SHARING.removesuffix("---\n"), yaml.CSafeLoader)
    created["metadata"]["labels"] = {"app.kubernetes.io/managed-by": "Helm"}
    values = {"devicePlugin": {"config": {"name": "sharing", "default": "any"}}}
    made = imported(yaml.safe_dump(created), policy(values, "v26.3.3"))
    config = gets(made)["devicePlugin"]["config"]
    assert (config["create"], config["data"]) == (True, created["data"])


NVIDIA_DRIVER = """\
apiVersion: nvidia.com/v1alpha1
kind: NVIDIADriver
metadata: {name: NAME}
spec:
  driverType: gpu
  repository: nvcr.io/nvidia
  image: driver
  version: VERSION
  nodeSelector: {karpenter.sh/nodepool: a100}
"""


@pytest.mark.parametrize(
    ("name", "version", "branch"),
    [("a100", "580.173.02", "580"), ("other", "580.173.02", None), ("a100", "580.105.08", None)],
)
def test_a_driver_object_is_adopted_only_as_it_is(name: str, version: str, branch: str | None) -> None:
    """A second NVIDIADriver for the same nodes leaves all of them without a driver; another version replaces it."""
    driver = NVIDIA_DRIVER.replace("NAME", name).replace("VERSION", version)
    made = imported(helm_release({"driver": {"nvidiaDriverCRD": {"enabled": True}}}, "v26.7.0"), driver)
    assert made.checked.inputs
    [pool] = made.checked.inputs.pools
    assert pool.branch == branch
    assert bool(made.report().of(Fate.INEXPRESSIBLE)) is (branch is None)


REPORTED = Path(__file__).parents[2].parent / "shared" / "reported" / "import"


@pytest.mark.skipif(not REPORTED.is_dir(), reason="the folder shared/ is not beside this checkout")
def test_a_reported_operator_keeps_its_drivers() -> None:
    text = (REPORTED / "F1-op.yaml").read_text(encoding="utf-8")
    made = import_fleet(inventory({"prod": text}), ClusterOptions(), (), "fleet")
    assert gets(made)["driver"]["nvidiaDriverCRD"]["enabled"] is False


ON_AKS = NODES.replace(", gpu: {mode: None}", "").replace("LABELS", "{}")
OPERATOR = {
    "driver": {"enabled": False},
    "toolkit": {"enabled": False},
    "operator": {"runtimeClass": "nvidia-container-runtime"},
}
PLUGIN = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: plugin, namespace: kube-system}
spec:
  selector: {matchLabels: {app: plugin}}
  template:
    metadata: {labels: {app: plugin}}
    spec:
      tolerations: [{operator: Exists}]
      containers:
      - name: plugin
        image: nvcr.io/nvidia/k8s-device-plugin:v0.18.2
        env: [{name: NODE_LABEL, value: nvidia.com/device-plugin.config}, {name: DEFAULT_CONFIG, value: any}]
      volumes:
      - {name: sockets, hostPath: {path: /var/lib/kubelet/device-plugins}}
      - {name: config, configMap: {name: sharing}}
---
"""


def software(made: Imported) -> set[str]:
    """The kinds of the objects that the fleet installs on its cluster, beside nodes and what delivers them."""
    assert made.checked.inputs
    [cluster] = made.checked.inputs.clusters
    manifests = emit(plan(made.checked.inputs, cluster), EMITTERS)
    return {each.body["kind"] for each in manifests if each.layer in (Layer.CONTROLLERS, Layer.MONITORING)}


@pytest.mark.parametrize("form", FORMS)
def test_an_operator_on_the_driver_of_aks_stays_alone(form: str) -> None:
    """Neither a second device plugin nor a second exporter, and the AKSNodeClass keeps its bytes."""
    text = ON_AKS + FORMS[form](OPERATOR, "v25.10.1")
    made = import_fleet(inventory({"prod": text}), ClusterOptions(), (), "fleet")
    assert made.checked.inputs
    [pool] = made.checked.inputs.pools
    [cluster] = made.checked.inputs.clusters
    assert (pool.driver or cluster.stack.driver) == "aks-only"
    assert software(made) == set()
    [verdict] = made.verdicts
    assert verdict.keeps_nodes
    assert not made.report().of(Fate.INEXPRESSIBLE, Fate.WRONG, Fate.CHANGED)


def test_a_plugin_that_shares_gpus_of_nodes_without_a_label_stays() -> None:
    """gitgpu's own would advertise one GPU in place of two."""
    sharing = SHARING.replace("namespace: gpu-operator", "namespace: kube-system")
    made = import_fleet(inventory({"prod": ON_AKS + PLUGIN + sharing}), ClusterOptions(), (), "fleet")
    assert software(made) == set()
    [plugin] = [each.outcome for each in made.report().outcomes if each.outcome.observed.name == "DaemonSet/plugin"]
    assert plugin.fate is Fate.LEFT


def test_a_plugin_without_sharing_is_replaced() -> None:
    made = import_fleet(inventory({"prod": ON_AKS + PLUGIN}), ClusterOptions(), (), "fleet")
    assert "DaemonSet" in software(made)


def node_pool(**spec: Any) -> str:
    """An AKS node pool with GPUs."""
    owner = {"armId": "/subscriptions/a/resourceGroups/b/providers/Microsoft.ContainerService/managedClusters/prod"}
    body = {
        "apiVersion": "containerservice.azure.com/v1api20250801",
        "kind": "ManagedClustersAgentPool",
        "metadata": {"name": "gpu", "namespace": "gpu-resources"},
        "spec": {
            "azureName": "gpu",
            "owner": owner,
            "vmSize": "Standard_NC24ads_A100_v4",
            "mode": "User",
            "osType": "Linux",
            "count": 1,
            **spec,
        },
    }
    return yaml.safe_dump(body)


def test_a_node_pool_with_the_tag_of_managed_gpus_gets_no_second_plugin() -> None:
    tags = {"EnableManagedGPUExperience": "true"}
    made = import_fleet(inventory({"prod": node_pool(tags=tags)}), ClusterOptions(), (), "fleet")
    assert made.checked.inputs
    [cluster], [pool] = made.checked.inputs.clusters, made.checked.inputs.pools
    assert (cluster.stack.driver, pool.tags) == ("aks-only", tags)
    assert software(made) <= {"Namespace"}
    assert "ignore[" not in "".join(made.files.values())


def test_managed_gpus_have_the_driver_of_aks() -> None:
    """AKS ignores driver None on such a node pool."""
    profile = {"driver": "None", "nvidia": {"managementMode": "Managed"}}
    made = import_fleet(inventory({"prod": node_pool(gpuProfile=profile)}), ClusterOptions(), (), "fleet")
    assert made.checked.inputs
    [cluster] = made.checked.inputs.clusters
    assert cluster.stack.driver == "managed"
    [changed] = [outcome for outcome in made.adopted.outcomes if outcome.fate is Fate.CHANGED]
    assert changed.pointer == ("spec", "gpuProfile", "driver")
    assert [verdict.keeps_nodes for verdict in made.verdicts] == [True]


@for_each(
    ("profile", "driver"),
    [
        ({"driver": "Install", "nvidia": {"managementMode": "Managed", "migStrategy": None}}, "managed"),
        ({"driver": "None", "nvidia": {"managementMode": "Managed", "migStrategy": "None"}}, "managed"),
        ({"driver": "Install", "driverType": "", "nvidia": None}, "aks"),
        ({"nvidia": {"managementMode": "Unmanaged", "migStrategy": "None", "driverMode": "DevicePlugin"}}, "aks"),
    ],
)  # fmt: skip
def test_a_gpu_profile_is_read_as_aks_writes_it(profile: dict[str, Any], driver: str) -> None:
    made = import_fleet(inventory({"prod": node_pool(gpuProfile=profile)}), ClusterOptions(), (), "fleet")
    assert made.checked.inputs
    [cluster] = made.checked.inputs.clusters
    assert cluster.stack.driver == driver
    assert [verdict.keeps_nodes for verdict in made.verdicts] == [True]


GIT = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: fleet, namespace: flux-system}
spec: {interval: 1m, url: "ssh://git@github.com/contoso/fleet", secretRef: {name: deploy-key}, ref: {branch: main}}
---
"""


def test_the_secret_of_the_git_repository_is_in_the_fleet() -> None:
    made = imported(GIT, helm_release({}, "v26.7.0"))
    assert made.checked.inputs
    assert "secret: deploy-key" in made.files["fleet.yaml"]
    assert "DLV003" not in "".join(made.files.values())


def test_a_monitor_of_a_cluster_policy_keeps_its_labels() -> None:
    monitor = {"enabled": True, "interval": "10s", "additionalLabels": {"release": "kps"}}
    made = imported(policy({"dcgmExporter": {"serviceMonitor": monitor}}, "v26.7.0"))
    assert made.checked.inputs
    [cluster] = made.checked.inputs.clusters
    metrics = cluster.stack.metrics
    assert (metrics.scrape, metrics.labels, metrics.interval) == ("prometheus-operator", {"release": "kps"}, "10s")


AMD_PLUGIN = """\
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: amdgpu-device-plugin, namespace: kube-system}
spec:
  selector: {matchLabels: {app: amd}}
  template:
    metadata: {labels: {app: amd}}
    spec:
      tolerations: [{operator: Exists}]
      containers: [{name: plugin, image: "rocm/k8s-device-plugin:1.31.0.9"}]
"""


def test_a_device_plugin_of_amd_is_not_replaced_by_that_of_nvidia() -> None:
    made = import_fleet(inventory({"prod": ON_AKS + AMD_PLUGIN}), ClusterOptions(), (), "fleet")
    assert [each.observed.name for each in made.replaced] == []
    [outcome] = [outcome for outcome in made.adopted.outcomes if outcome.observed.body.get("kind") == "DaemonSet"]
    assert outcome.fate is Fate.LEFT


def test_a_value_that_the_running_version_does_not_use() -> None:
    """Nothing is lost without it: the fleet installs the same version."""
    unused = {"operator": {"defaultRuntime": "docker", "logging": {"level": "debug"}}}
    text = NODES.replace("LABELS", "{}") + FORMS["HelmRelease"](unused, "v25.10.1")
    made = import_fleet(inventory({"prod": text}), ClusterOptions(), (), "fleet")
    [outcome] = [each for each in made.adopted.outcomes if each.pointer[-1:] == ("defaultRuntime",)]
    assert (outcome.fate, outcome.reason.partition(": ")[2]) == (
        Fate.CHANGED,
        "the version of the chart that runs does not use it",
    )
    assert not made.report().of(Fate.INEXPRESSIBLE)
