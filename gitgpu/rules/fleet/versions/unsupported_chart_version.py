"""A pinned version should be one that its publisher still supports."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.installed import installed_software
from gitgpu.model.software.outdated import compatible, reachable, side
from gitgpu.model.software.support import Support, support
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.pins import Pin, pins
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pins of versions at the end of their support, on clusters that install the software."""
    for pin in pins(inputs):
        used = [cluster for cluster in pin.clusters if pin.software in installed_software(inputs, cluster)]
        known = pin.version in inputs.catalog.versions(pin.software)  # VER002 reports an unknown version
        if used and known and support(pin.software, pin.version, inputs.catalog) is Support.ENDED:
            names = join_names([cluster.name for cluster in used])
            message = f"{pin.software} {pin.version} on {names} is no longer supported"
            yield Finding(pin.origin, pin.pointer, message, _remedy(inputs, pin._replace(clusters=tuple(used))))


def _remedy(inputs: Inputs, pin: Pin) -> str:
    """The newest version on the way that can be reached, and the newest one that fits."""
    sides = [side(inputs, cluster) for cluster in pin.clusters]
    step, (newest, _) = reachable(inputs, pin.software, sides), compatible(inputs, pin.software, sides)
    if not step:
        return "see `gitgpu outdated` for what keeps it from a newer version"
    return f"upgrade to {step}" + (f", then to {newest}" if newest != step else "")


RULE = Rule(
    code="VER006",
    name="unsupported-chart-version",
    twin="GIT008",
    severity=Severity.WARNING,
    summary="A stack pins a chart version that its publisher no longer supports.",
    help="The version gets no fixes and is not tested with current Kubernetes versions and drivers. Some charts can "
    "only be upgraded to the next minor version, so that it takes several steps: `gitgpu upgrade` takes one at a time.",
    sources=(
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/life-cycle-policy.rst",
    ),
    facts=("charts",),
    check=_check,
)
