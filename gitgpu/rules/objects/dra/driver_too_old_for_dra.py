"""A GPU driver that is too old for the DRA driver."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.version import NUMBERS, version
from gitgpu.objects.gitops.chart_values import DRA, chart_row, effective_dotted_value
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.operator_drivers import driver_version, operator_drivers
from gitgpu.rules.object_rule import Finding, Rule

BAD = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}
  limits: {nvidia.com/gpu: "8"}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: gpu}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}]
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
    driver: {version: "535.309.01"}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: dra-driver-nvidia-gpu, namespace: dra-driver-nvidia-gpu}
spec:
  interval: 1h
  chart: {spec: {chart: dra-driver-nvidia-gpu, version: 0.4.1, sourceRef: {kind: HelmRepository, name: nvidia}}}
  values:
    resources: {gpus: {enabled: false}}
    nvidiaDriverRoot: /run/nvidia/driver
"""


def _check(objects: Objects) -> Iterator[Finding]:
    complete = [release for release in releases(objects) if release.whole]
    dra_drivers = [release for release in complete if chart_row(release, objects).get("name") == DRA]
    if not dra_drivers:
        return
    for operator, _, by_objects in operator_drivers(objects):
        # An NVIDIADriver has its own version, regardless of the chart values.
        installed = "" if by_objects else driver_version(operator, objects)
        if not NUMBERS.match(installed):  # an unknown version, or a tag without numbers
            continue
        for release in dra_drivers:
            for path, minimum in chart_row(release, objects)["leastDriver"].items():
                if effective_dotted_value(release, objects, path) is True and version(installed) < version(minimum):
                    message = (
                        f"the DRA driver needs NVIDIA driver {minimum} or later for {path}, but the GPU Operator "
                        f"installs {installed}"
                    )
                    place = operator.located("driver", "version")
                    yield Finding(*place, message, f"set driver.version to {minimum} or later")


RULE = Rule(
    code="STK032",
    name="driver-too-old-for-dra",
    severity=Severity.ERROR,
    summary="The GPU Operator installs a driver that is too old for the NVIDIA DRA driver.",
    help="The plugin of the DRA driver calls functions of the GPU driver that older branches do not have, and does "
    "not start.",
    sources=(
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/site/content/docs/prerequisites.md",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/dra-intro-install.rst",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("535.309.01", "580.173.02"),
)
