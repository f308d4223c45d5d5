"""Typical mistakes, as edits of the committed overlays and the example fleet, and whether they are reported."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.schemas import Schemas
from gitgpu.load.text import Text
from gitgpu.model.catalog import Catalog
from gitgpu.objects.manifest.manifests import Manifests, read_manifests
from gitgpu.objects.norms import Norms
from gitgpu.policy import Policy, comment_allowances, settle
from gitgpu.rules.norms import norms
from gitgpu.runs.lint import LintOptions, lint
from gitgpu.runs.validate import validate_texts

ROOT = Path(__file__).parents[2]
TOLD = (Severity.ERROR, Severity.WARNING)


class Mutation(NamedTuple):
    """Replaces the first `old` in a file with `new`. `why_not` is the reason why this cannot be noticed, if any."""

    file: str
    old: str
    new: str
    why_not: str = ""

    @property
    def name(self) -> str:
        """The name of its test."""
        short = [" ".join(text.split())[:40] for text in (self.old, self.new)]
        return f"{self.file.rpartition('/')[2]}: {short[0]} -> {short[1] or '(gone)'}"


SWC, EUS, LAB = "overlays/prod-swc/", "overlays/prod-eus/", "overlays/lab-weu/"
T4, H100 = SWC + "nodes/nodepool-t4-share.yaml", EUS + "nodes/nodepool-h100-train.yaml"
A100, A10 = EUS + "nodes/nodepool-a100.yaml", EUS + "nodes/nodepool-a10-visual.yaml"
H100_CLASS, T4_CLASS = EUS + "nodes/aksnodeclass-h100-train.yaml", SWC + "nodes/aksnodeclass-t4-share.yaml"
DEVICES, AMD_OPERATOR = (
    SWC + "nodes/deviceconfig-amd-gpu-operator.yaml",
    SWC + "controllers/helmrelease-amd-gpu-operator.yaml",
)
NICS = "overlays/studio-uks/nodes/nicclusterpolicy-nic-cluster-policy.yaml"
MI300X_CLASS = SWC + "nodes/aksnodeclass-mi300x.yaml"
PLUGIN = SWC + "controllers/daemonset-nvidia-device-plugin.yaml"
PLUGIN_CONFIG = SWC + "controllers/configmap-nvidia-device-plugin.yaml"
MPS_DAEMON = EUS + "controllers/daemonset-nvidia-mps-control-daemon-mps-4.yaml"
MPS, MPS_CONFIG = EUS + "nodes/nodepool-t4-mps.yaml", EUS + "controllers/configmap-nvidia-device-plugin.yaml"
SLICES, SLICES_DRIVER = EUS + "nodes/nodepool-a100-slices.yaml", EUS + "nodes/nvidiadriver-a100-slices.yaml"
SLICING = EUS + "controllers/helmrelease-gpu-operator.yaml"
OPERATOR = SWC + "controllers/helmrelease-gpu-operator.yaml"
SCALED, PATCH = SWC + "workloads/scaledobject-ranker.yaml", SWC + "workloads/serving.ranker/deployment-ranker.yaml"
SYNC, MONITOR = (
    SWC + "sync/kustomization-contoso-ai-workloads.yaml",
    SWC + "monitoring/servicemonitor-dcgm-exporter.yaml",
)
T4_SPOT = "overlays/studio-uks/nodes/managedclustersagentpool-t4-encode-spot.yaml"
WINDOWS = "overlays/studio-uks/nodes/managedclustersagentpool-win.yaml"
FLEET = "fleet.yaml"
MUTATIONS = (
    # The shape of NodePools
    Mutation(T4, "karpenter.sh/v1\n", "karpenter.sh/v1beta1\n"),
    Mutation(T4, "kind: NodePool", "kind: Nodepool"),
    Mutation(T4, "consolidationPolicy: WhenEmpty", "consolidationPolicy: WhenUnderutilized"),
    Mutation(T4, "  consolidateAfter: 10m\n", ""),
    Mutation(T4, "consolidateAfter: 10m", "consolidateAfter: 10min"),
    Mutation(T4, "consolidateAfter: 10m", "consolidateAfter: 10m\n    expireAfter: 720h"),
    Mutation(H100, "expireAfter: Never", "expireAfter: never"),
    Mutation(H100, "expireAfter: Never", "expireAfter: 30d"),
    Mutation(H100, 'nodes: "1"', "nodes: 1"),
    Mutation(H100, 'nodes: "1"', 'nodes: "110%"'),
    Mutation(H100, "      duration: 14h\n", ""),
    Mutation(H100, "schedule: 0 6 * * 1-5", "schedule: 0 6 * * 1-8"),
    Mutation(H100, "schedule: 0 6 * * 1-5", "schedule: 0 26 * * 1-5"),
    Mutation(H100, "      schedule: 0 6 * * 1-5\n      duration: 14h\n", ""),
    Mutation(T4, "operator: In", "operator: in"),
    Mutation(T4, "effect: NoSchedule", "effect: NoScheduling"),
    Mutation(T4, "kind: AKSNodeClass", "kind: AKSNodeclass"),
    Mutation(T4, "name: t4-share\n      requirements", "name: t4-shared\n      requirements"),
    Mutation(T4, "group: karpenter.azure.com", "group: karpenter.azure.com/v1beta1"),
    # NodePools: what can never match
    Mutation(T4, "Standard_NC16as_T4_v3", "Standard_NC16as_T4_v4"),
    Mutation(T4, "Standard_NC16as_T4_v3", "standard_nc16as_t4_v3"),
    Mutation(T4, "Standard_NC16as_T4_v3", "NC16as_T4_v3"),
    Mutation(T4, "Standard_NC16as_T4_v3", "Standard_NC6s_v3"),
    Mutation(T4, "- on-demand\n        - spot", "- ondemand"),
    Mutation(T4, "- on-demand\n        - spot", "- On-Demand"),
    Mutation(T4, "karpenter.azure.com/sku-name", "karpenter.azure.com/sku-gpu-model"),
    Mutation(T4, "key: karpenter.sh/capacity-type", "key: kubernetes.azure.com/accelerator"),
    Mutation(A10, "topology.kubernetes.io/zone\n        operator: In\n        values:\n        - eastus-1",
             "topology.kubernetes.io/zone\n        operator: In\n        values:\n        - eastus1"),
    Mutation(H100, 'nvidia.com/gpu: "32"', 'nvidia.com/gpu: "4"'),
    Mutation(H100, 'nvidia.com/gpu: "32"', 'nvidia.com/gpus: "32"'),
    Mutation(H100, 'nvidia.com/gpu: "32"', 'nvidia.com/gpu: "32Gx"'),
    Mutation(T4, '  limits:\n    nvidia.com/gpu: "32"\n    nodes: "8"\n', ""),
    Mutation(T4, "      taints:\n      - key: sku\n        value: gpu\n        effect: NoSchedule\n", ""),
    Mutation(T4, "      - key: sku\n", "      - key: sku\n        effect: NoSchedule\n      - key: sku\n"),
    # AKSNodeClasses
    Mutation(H100_CLASS, "mode: None", "mode: none"),
    Mutation(H100_CLASS, "mode: None", "mode: Driver"),
    Mutation(H100_CLASS, "imageFamily: Ubuntu2204", "imageFamily: Ubuntu2004"),
    Mutation(H100_CLASS, "osDiskSizeGB: 1024", "osDiskSizeGB: 4096"),
    Mutation(H100_CLASS, "osDiskSizeGB: 1024", "osDiskSizeGb: 1024"),
    Mutation(H100_CLASS, 'costCentre: "4711"', "costCentre: 4711"),
    Mutation(H100_CLASS, 'costCentre: "4711"', 'cost?Centre: "4711"'),
    Mutation(H100_CLASS, "cpuManagerPolicy: static", "cpuManagerPolicy: Static"),
    Mutation(H100_CLASS, "imageFamily: Ubuntu2204", "imageFamily: Ubuntu2204\n  fipsMode: FIPS"),
    Mutation(MI300X_CLASS, "mode: None", "mode: Driver"),
    # AMD
    Mutation(DEVICES, "amd-vgpu", "amd-gpu"),
    Mutation(DEVICES, "enable: false\n    blacklist", "enable: true\n    blacklist"),
    Mutation(DEVICES, "nodeLabellerTolerations", "labellerTolerations"),
    Mutation(DEVICES, "serviceType: ClusterIP", "serviceType: LoadBalancer"),
    Mutation(AMD_OPERATOR, "kmm:\n      enabled: false", "kmm:\n      enabled: true",
             "cert-manager may come from elsewhere"),
    Mutation(AMD_OPERATOR, "node-feature-discovery:\n      enabled: false", "node-feature-discovery: {}"),
    # InfiniBand
    Mutation(NICS, "name: nic-cluster-policy", "name: infiniband"),
    Mutation(NICS, "ofedDriver:", "mofedDriver:"),
    Mutation(NICS, "    image: doca-driver\n", ""),
    # Workloads and daemons
    Mutation(PATCH, "- t4-share", "- t4share", "what patches a workload is read apart from the NodePools"),
    Mutation(PATCH, 'nvidia.com/gpu: "1"', 'nvidia.com/gpu: "0.5"'),
    Mutation(PATCH, 'nvidia.com/gpu: "1"', 'nvidia.com/gpus: "1"'),
    Mutation(PATCH, 'nvidia.com/gpu: "1"', 'nvidia.com/mig1g.5gb: "1"'),
    Mutation(PLUGIN, "      - operator: Exists\n", ""),
    Mutation(PLUGIN, "      - operator: Exists\n", "      - key: gpu\n        operator: Exists\n"),
    Mutation(PLUGIN, '- "false"\n', '- "true"\n', "another device plugin may be there for these nodes"),
    Mutation(PLUGIN, "name: nvidia-device-plugin\n  updateStrategy", "name: device-plugin\n  updateStrategy"),
    Mutation(PLUGIN_CONFIG, '"replicas": 4', '"replicas": 1'),
    Mutation(PLUGIN_CONFIG, "timeSlicing", "timeSlices"),
    Mutation(PLUGIN_CONFIG, "timeSlicing", "timeslicing", "the plugin reads its keys in Go, which ignores their case"),
    Mutation(T4, "time-slicing-4", "time-slicing-8"),
    Mutation(MPS_CONFIG, '"mps": {', '"msp": {'),
    Mutation(MPS, "mps-4", "mps-8"),
    Mutation(MPS_DAEMON, "hostPID: true", "hostPid: true"),
    # Charts
    Mutation(OPERATOR, "version: v26.7.0", 'version: "*"'),
    Mutation(OPERATOR, "version: v26.7.0", "version: 26.x"),
    Mutation(OPERATOR, "      - operator: Exists\n", "      - key: gpu\n        operator: Exists\n"),
    Mutation(OPERATOR, "    daemonsets:", "    driver:\n      enabled: false\n    daemonsets:"),
    Mutation(OPERATOR, "HelmRepository\n        name: gpu-operator", "HelmRepository\n        name: nvidia"),
    # MIG and drivers of a branch
    Mutation(SLICES, "7x1g.10gb", "7x1g.10g"),
    Mutation(SLICES, "paused-for-mig-change", "paused"),
    Mutation(SLICING, '"1g.10gb": 7', '"1g.10gb": 8'),
    Mutation(SLICING, '"1g.10gb": 7', '"1g.5gb": 7'),
    Mutation(SLICING, "all-disabled", "disabled"),
    Mutation(SLICING, "config.yaml: |", "config.yml: |"),
    Mutation(SLICING, "name: WITH_REBOOT", "name: REBOOT"),
    Mutation(SLICING, "enabled: true", "enabled: false"),
    Mutation(SLICES_DRIVER, "driverType: gpu", "driverType: GPU"),
    Mutation(SLICES_DRIVER, "nodeSelector", "nodeSelectors"),
    Mutation(SLICES_DRIVER, "  nodeSelector:\n    karpenter.sh/nodepool: a100-slices\n", "", "all nodes then"),
    Mutation(SLICES_DRIVER, "karpenter.sh/nodepool: a100-slices", "karpenter.sh/nodepool: a100-slice"),
    # Scaling
    Mutation(SCALED, "minReplicaCount: 1", "minReplicaCount: 20"),
    Mutation(SCALED, "minReplicaCount: 1", "minReplicaCount: 0"),
    Mutation(SCALED, "maxReplicaCount: 12", "maxReplicas: 12"),
    Mutation(SCALED, 'threshold: "70"', "threshold: 70"),
    Mutation(SCALED, "metricType: Value", "metricType: Utilization"),
    Mutation(SCALED, "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE{", "DCGM_FI_DEV_SM_UTIL{"),
    Mutation(SCALED, 'pod=~"ranker', 'deployment=~"ranker'),
    Mutation(SCALED, "    authenticationRef:\n      name: ranker\n", "    authenticationRef:\n      name: rankers\n"),
    Mutation(SCALED, "metricType: Value", "metricType: AverageValue"),
    # Delivery and monitoring
    Mutation(SYNC, "name: contoso-ai-nodes", "name: contoso-ai-node"),
    Mutation(SYNC, "interval: 10m", "interval: 10 minutes"),
    Mutation(SYNC, "kind: GitRepository", "kind: GitRepo"),
    Mutation(MONITOR, "port: metrics", "port: gpu-metrics"),
    Mutation(MONITOR, "honorLabels: true", "honorLabels: false", "the other monitor still honors them"),
    Mutation(MONITOR, "kind: ServiceMonitor", "kind: ServiceMonitors"),
    Mutation(MONITOR, "interval: 30s", "interval: 30sec"),
    # The example fleet
    Mutation(FLEET, "Standard_NC16as_T4_v3", "Standard_NC16as_T4_v4"),
    Mutation(FLEET, "gpus: 32, nodes: 4", "gpus: 4, nodes: 4"),
    Mutation(FLEET, "pools: [t4-share]", "pools: [t4-shares]"),
    Mutation(FLEET, "region: swedencentral", "region: sweden"),
    Mutation(FLEET, "driver: none\n  devicePlugin", "driver: operator\n  devicePlugin"),
    Mutation(FLEET, "consolidationPolicy: WhenEmptyOrUnderutilized", "consolidationPolicy: WhenEmpty"),
    Mutation(FLEET, 'kubernetesVersion: "1.36"', "kubernetesVersion: 1.36"),
    Mutation(FLEET, "driver: operator", "driver: gpu-operator"),
    Mutation(FLEET, "metric: tensor-activity\n    target: 70", "metric: tensor-activity\n    target: 170"),
    Mutation(FLEET, "metric: tensor-activity", "metric: tensor-activity\n    min: 0"),
    Mutation(FLEET, "policy: cilium", "policy: calico"),
    Mutation(FLEET, 'cuda: "13.0"', 'cuda: "14.0"'),
    Mutation(FLEET, "limits: {gpus: 8}\n  driver: operator\n", "limits: {gpus: 8}\n  driver: aks\n"),
    Mutation(FLEET, "timeSlicing: {replicas: 4}", "timeslicing: {replicas: 4}"),
    Mutation(FLEET, "gpus: 8\n  scaling", "gpus: 16\n  scaling"),
    Mutation(FLEET, "image: {osDiskGB: 256}", "image: {osDiskGB: 25600}"),
    Mutation(FLEET, "nodes: {min: 1, max: 3}", "nodes: {min: 4, max: 3}"),
    Mutation(FLEET, "nodePoolName: t4spot", "nodePoolName: t4encode"),
    Mutation(FLEET, "pools: [t4-encode, t4-encode-spot]", "pools: [t4-encode, win]"),
    Mutation(FLEET, "provisioner: cluster-autoscaler", "provisioner: nap"),
    Mutation(T4_SPOT, "azureName: t4spot", "azureName: t4-encode-spot"),
    Mutation(T4_SPOT, "azureName: t4spot", "azureName: t4encode"),
    Mutation(T4_SPOT, "minCount: 0", "minCount: 24"),
    Mutation(T4_SPOT, "spotMaxPrice: -1", "spotMaxPrice: 0"),
    Mutation(T4_SPOT, "sku=gpu:NoSchedule", "sku=gpu:noSchedule"),
    Mutation(T4_SPOT, "driver: Install", "driver: install"),
    Mutation(T4_SPOT, "maxCount: 12", "maxCount: 12\n  count: 1"),
    Mutation(WINDOWS, "osType: Windows", "osType: windows"),
    Mutation(WINDOWS, "gpuProfile:", "kubeletConfig: {cpuManagerPolicy: static}\n  gpuProfile:"),
    Mutation(WINDOWS, "Standard_NV36ads_A10_v5", "Standard_NV4ads_V710_v5"),
)  # fmt: skip


def noticed(mutation: Mutation) -> list[Diagnostic]:
    """The errors and warnings that it causes."""
    before = (ROOT / mutation.file).read_text("utf-8")
    assert mutation.old in before, f"{mutation.file} does not hold {mutation.old!r}"
    after = before.replace(mutation.old, mutation.new, 1)
    if mutation.file == FLEET:
        allowed = comment_allowances({FLEET: after})
        diagnostics = tuple(settle(validate_texts((Text(FLEET, after, FLEET),)).diagnostics, allowed, Policy()))
    else:
        changed = _changed(Text(mutation.file, after, mutation.file))
        diagnostics = lint(changed, (), todays_norms(), LintOptions("1.36")).diagnostics
    return [diagnostic for diagnostic in diagnostics if diagnostic.severity in TOLD]


def _changed(file: Text) -> Manifests:
    """The overlay of a file's cluster, with the file changed."""
    cluster = "/".join(file.name.split("/")[:2])
    if "/workloads/" in file.name:  # a patch, which belongs to a kustomization
        return read_manifests(file if name == file.name else Text(name, text, name) for name, text in overlay(cluster))
    return with_file(_read(cluster), file)


def with_file(read: Manifests, file: Text) -> Manifests:
    """Manifests with one more file, or another one of this name. The others are not read again, which takes long."""
    alone = read_manifests([file])
    files, faults = {**read.files, **alone.files}, (*read.faults, *alone.faults)
    return read._replace(texts={**read.texts, file.name: file}, files=files, faults=faults)


@cache
def _read(cluster: str) -> Manifests:
    return read_manifests(Text(name, text, name) for name, text in overlay(cluster))


@cache
def overlay(cluster: str) -> tuple[tuple[str, str], ...]:
    paths = sorted((ROOT / cluster).rglob("*.yaml"))
    return tuple((path.relative_to(ROOT).as_posix(), path.read_text("utf-8")) for path in paths)


@cache
def todays_norms() -> Norms:
    return norms(Schemas(), Catalog(CatalogFiles()))
