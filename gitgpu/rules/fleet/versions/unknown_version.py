"""A pinned version must be in the catalog."""

from collections.abc import Iterator, Sequence

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.outdated import missing_versions
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.pins import Pin, means_newest, pins, same_version
from gitgpu.spelling import nearest


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pins of versions that are not in the catalog."""
    for pin in pins(inputs):
        versions = tuple(inputs.catalog.versions(pin.software))
        # VER001 reports software that the catalog does not have.
        if versions and pin.version not in versions:
            message = f"the catalog has no version {pin.version} of {pin.software}; it has {', '.join(versions)}"
            for missing in missing_versions(pin.software, inputs.catalog):
                if same_version(pin.version, [missing.version]):
                    message += f" ({missing.why} on {missing.tried})"
            yield Finding(pin.origin, pin.pointer, message, _remedy(pin, versions))


def _remedy(pin: Pin, versions: Sequence[str]) -> str:
    row = f"releases/{pin.software}-{pin.version}.yaml"
    if means_newest(pin.version):
        return f"use {versions[-1]}, or remove the pin to use the newest version of the catalog"
    if same := same_version(pin.version, versions):
        return f"use {same}"
    closest = nearest(pin.version, versions) or versions[-1]
    return f"use {closest}, or add {row} to your own catalog"


RULE = Rule(
    code="VER002",
    name="unknown-version",
    severity=Severity.ERROR,
    summary="A stack pins a version that the catalog does not have.",
    help="gitgpu knows the values, images and limits of a version from its row in the catalog. Without a row, it "
    "cannot generate what that version needs. Versions are compared as text: v26.3.3 and 26.3.3 differ, as they do in "
    "the repository of the chart. To use a version that gitgpu does not know, add a row to your own catalog. "
    "Suppressing this error does not help, because clusters that install the software cannot be built.",
    sources=("https://github.com/kedacore/charts/blob/1444d00d90d7668cf7f53f270777d039371d90d0/keda/Chart.yaml",),
    facts=("charts", "containers"),
    check=_check,
)
