"""A version must belong to a chart or image in the catalog."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.pins import pins
from gitgpu.spelling import nearest


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pins of names that are not in the catalog."""
    names = sorted({*inputs.catalog.names("charts"), *inputs.catalog.names("containers")})
    for pin in pins(inputs):
        if pin.software not in names:
            closest = nearest(pin.software, names)
            remedy = f"did you mean {closest}?" if closest else f"use one of {', '.join(names)}"
            message = f"the catalog has no chart or image '{pin.software}'"
            yield Finding(pin.origin, pin.pointer, message, remedy)


RULE = Rule(
    code="VER001",
    name="version-of-unknown-software",
    severity=Severity.ERROR,
    summary="A stack pins the version of software that the catalog does not have.",
    help="stack.versions uses the names of the charts and images in the catalog. A pin of any other name has "
    "no effect, so the newest version would be installed without notice.",
    sources=("https://github.com/kedacore/charts/blob/1444d00d90d7668cf7f53f270777d039371d90d0/keda/Chart.yaml",),
    check=_check,
)
