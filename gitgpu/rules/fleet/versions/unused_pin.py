"""A pin should be of software that its clusters install."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.installed import installed_software
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.pins import Pin, pins
from gitgpu.spelling import join_names

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.34"
  stack:
    keda: addon
    versions: {keda: 2.20.2}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec: {clusters: [prod-swc], sku: Standard_NC16as_T4_v3, limits: {gpus: 8}}
"""
GOOD = BAD.replace("addon", "helm")
FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: contoso}
spec:
  delivery: {repository: https://github.com/contoso/gpu-fleet}
  defaults: {stack: {keda: addon, versions: {keda: 2.19.0}}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: staging-swc}
spec: {region: swedencentral, kubernetesVersion: "1.34", stack: {keda: addon}}
---
"""
EVERYWHERE = FLEET + BAD.replace("    versions: {keda: 2.20.2}\n", "").replace("[prod-swc]", "[prod-swc, staging-swc]")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pins of known versions of software that gitgpu installs on none of the clusters to which they apply."""
    for pin in pins(inputs):
        exists = pin.version in inputs.catalog.versions(pin.software)
        if exists and not any(_can_use(inputs, pin, cluster) for cluster in pin.clusters):
            names = join_names([cluster.name for cluster in pin.clusters])
            message = f"the pin of {pin.software} has no effect: gitgpu does not install it on {names}"
            yield Finding(pin.origin, pin.pointer, message, f"remove {pin.software} from versions")


def _can_use(inputs: Inputs, pin: Pin, cluster: Cluster) -> bool:
    """Whether it is installed there, or may be: without pools, most software is not installed yet."""
    return pin.software in installed_software(inputs, cluster) or not inputs.pools_on(cluster)


RULE = Rule(
    code="VER005",
    name="unused-pin",
    severity=Severity.WARNING,
    summary="A stack pins the version of software that none of its clusters install.",
    help="A pin applies only to software that gitgpu installs. It has no effect on software from an AKS add-on, or on "
    "software that no pool, workload or model of the cluster needs. A pin in the Fleet or in a ring is reported only "
    "if none of its clusters use it.",
    sources=("https://github.com/kedacore/charts/blob/1444d00d90d7668cf7f53f270777d039371d90d0/keda/Chart.yaml",),
    check=_check,
    bad=BAD,
    good=GOOD,
    variants=(BAD.replace("keda: 2.20.2", "gpu-operator: v26.3.3"), EVERYWHERE),
    near_misses=(
        # The pool gets the device plugin.
        BAD.replace("keda: 2.20.2", "nvidia-device-plugin: v0.19.3"),
        # VER002 reports this version.
        BAD.replace("keda: 2.20.2", "keda: 2.20.99"),
        # One of the clusters installs KEDA from its chart.
        EVERYWHERE.replace("addon}}", "helm}}"),
        # The other cluster has no pool yet, and may install KEDA later.
        EVERYWHERE.replace(", staging-swc]", "]"),
        # Both clusters override the pin of the Fleet.
        FLEET.replace("keda: addon}}", "keda: helm, versions: {keda: 2.20.2}}}") + GOOD,
    ),
)
