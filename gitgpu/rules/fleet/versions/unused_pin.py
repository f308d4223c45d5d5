"""A pin should be of software that its clusters install."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.installed import installed_software
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.pins import Pin, pins
from gitgpu.spelling import join_names


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
)
