"""A GPU Operator whose own NVIDIADriver conflicts with all others."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import NVIDIA_DRIVER
from gitgpu.objects.gitops.chart_values import OPERATOR, chart_row, effective_value
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_SWITCH = ("driver", "nvidiaDriverCRD")


def _check(objects: Objects) -> Iterator[Finding]:
    drivers = [item for item in objects.of(*NVIDIA_DRIVER) if item.identity.name != "default"]
    for release in releases(objects, OPERATOR):
        selector = _default_selector(release, objects)
        if selector is None:
            continue
        for driver in drivers:
            labels = (reach(driver.body, "spec", "nodeSelector") or {}).items()
            if selector.items() <= labels or labels <= selector.items():
                item, place = release.locate(*_SWITCH, "deployDefaultCR")
                message = (
                    f"the NVIDIADriver default of GPU Operator {release.version} selects the nodes of NVIDIADriver "
                    f"{driver.identity.name}: none of them gets a driver"
                )
                remedy = (
                    "set driver.nvidiaDriverCRD.deployDefaultCR: false, with an NVIDIADriver for the nodes of each "
                    "other pool; or use v26.7.0"
                )
                yield Finding(item, place, message, remedy, at_key=True)
                break


def _default_selector(release: Release, objects: Objects) -> dict[str, str] | None:
    """The node selector of the chart's own NVIDIADriver; None if there is none, or it yields to others."""
    row = chart_row(release, objects)
    known = release.version.removeprefix("v") == str(row.get("version", "")).removeprefix("v")
    if not (known and release.whole) or row.get("fallbackDriver"):
        return None
    switches = (("driver", "enabled"), (*_SWITCH, "enabled"), (*_SWITCH, "deployDefaultCR"))
    if not all(effective_value(release, objects, *path) for path in switches):
        return None
    selector = release.value(*_SWITCH, "nodeSelector") or {}
    return selector if isinstance(selector, dict) else None


RULE = Rule(
    code="STK092",
    name="default-driver-conflicts",
    severity=Severity.ERROR,
    summary="A GPU Operator older than v26.7.0 has its own NVIDIADriver for nodes that another NVIDIADriver selects.",
    help="With driver.nvidiaDriverCRD.enabled, the chart creates an NVIDIADriver named default. As of v26.7.0 it is "
    "only for nodes that no other NVIDIADriver selects. In older releases it selects all nodes. If two of them select "
    "a node, the operator sets all of them to NotReady (ConflictingNodeSelector) and installs no driver.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/06faaf0cca8a7ea15613b03f86f101e5e225b69d/deployments/gpu-operator/templates/nvidiadriver.yaml",
        "https://github.com/NVIDIA/gpu-operator/blob/b0a49c0e7b2e061dcd83f2bb2fe4fe960c5d0338/internal/validator/validator.go",
    ),
    check=_check,
)
