"""A GPU that the GPU Operator's driver does not run."""

from collections.abc import Collection, Iterator

from gitgpu.conform.gitops.chart_values import chart_row, value_place
from gitgpu.conform.gitops.releases import Release
from gitgpu.conform.node.gpu_pools import GpuPool
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.software.operator_drivers import driver_version, operator_drivers
from gitgpu.diagnostic import Severity


def _check(objects: Objects) -> Iterator[Finding]:
    for release, pools, by_objects in operator_drivers(objects):
        version = "" if by_objects else driver_version(release, objects)
        known = _architectures(release, version, objects)
        for pool in pools if known else ():
            found = _unknown(pool, known)
            if found:
                message = f"driver {version} does not run the {found} of NodePool {pool.name}"
                yield Finding(
                    release.item, value_place(release, "driver", "version"), message, _remedy(release, pool, objects)
                )


def _architectures(release: Release, version: str, objects: Objects) -> Collection[str]:
    driver = chart_row(release, objects)["driver"]
    branch = version.partition(".")[0].partition("-")[0]
    known = (one for one in (driver, *driver["alternatives"]) if one["version"].partition(".")[0] == branch)
    return next((one["architectures"] for one in known), ())


def _remedy(release: Release, pool: GpuPool, objects: Objects) -> str:
    """The newest driver of the release that knows every GPU of the pool, where there is one."""
    driver, wanted = chart_row(release, objects)["driver"], {sku.gpu.architecture for sku in pool.skus if sku.gpu}
    every = (driver, *driver["alternatives"])
    known = [one["version"] for one in every if wanted <= set(one["architectures"])]
    return f'write driver: {{version: "{max(known)}"}}' if known else "choose sizes with newer GPUs"


def _unknown(pool: GpuPool, known: Collection[str]) -> str:
    """The GPU, when none of the sizes has one that the driver knows and every one is known to us."""
    gpus = [sku.gpu for sku in pool.skus]
    if not gpus or any(one is None or not one.architecture or one.architecture in known for one in gpus):
        return ""
    return next(f"{one.model} ({one.architecture})" for one in gpus if one)


RULE = Rule(
    code="STK011",
    name="gpu-unknown-to-operator",
    severity=Severity.ERROR,
    summary="The driver that the GPU Operator installs does not run the GPUs of a NodePool.",
    help=(
        "Each branch of the driver drops old generations of GPUs and does not know later ones. On such a node "
        "the driver does not load, and nvidia.com/gpu never appears."
    ),
    sources=(
        "https://docs.nvidia.com/datacenter/tesla/drivers/cuda-toolkit-driver-and-architecture-matrix.html",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/life-cycle-policy.rst",
    ),
    check=_check,
    bad="""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: v100}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}
  limits: {nvidia.com/gpu: "8"}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: gpu}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_ND40rs_v2]}]
      taints: [{key: sku, value: gpu, effect: NoSchedule}]
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: gpu}
spec: {gpu: {mode: None}}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: gpu-operator, namespace: gpu-operator}
spec:
  interval: 1h
  chart: {spec: {chart: gpu-operator, version: v26.7.0, sourceRef: {kind: HelmRepository, name: nvidia}}}
  values:
    toolkit: {env: [{name: RUNTIME_CONFIG_SOURCE, value: file}]}
    daemonsets: {tolerations: [{key: sku, operator: Exists, effect: NoSchedule}]}
    node-feature-discovery: {worker: {tolerations: [{key: sku, operator: Exists, effect: NoSchedule}]}}
""",
    good="""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: v100}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}
  limits: {nvidia.com/gpu: "8"}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: gpu}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_ND40rs_v2]}]
      taints: [{key: sku, value: gpu, effect: NoSchedule}]
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: gpu}
spec: {gpu: {mode: None}}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: gpu-operator, namespace: gpu-operator}
spec:
  interval: 1h
  chart: {spec: {chart: gpu-operator, version: v26.7.0, sourceRef: {kind: HelmRepository, name: nvidia}}}
  values:
    toolkit: {env: [{name: RUNTIME_CONFIG_SOURCE, value: file}]}
    daemonsets: {tolerations: [{key: sku, operator: Exists, effect: NoSchedule}]}
    node-feature-discovery: {worker: {tolerations: [{key: sku, operator: Exists, effect: NoSchedule}]}}
    driver: {version: "580.173.02"}
""",
)
