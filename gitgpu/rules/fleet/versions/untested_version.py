"""A pinned version should be tested with the other versions on its clusters."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.compatibility import conflicts


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pins with an entry in catalog/compatibility."""
    return conflicts(inputs, "untested")


RULE = Rule(
    code="VER004",
    name="untested-version",
    severity=Severity.WARNING,
    summary="A pinned version was not tested with the Kubernetes version or the software of the cluster.",
    help="Upstream tests each release with some versions of Kubernetes and of other software. Other combinations can "
    "work, but are untested. Only pinned versions are checked. Without a pin, gitgpu installs the newest version, and "
    "no other version is tested with a newer Kubernetes.",
    sources=(
        "https://github.com/kedacore/keda-docs/blob/a55c5d345e2cbd9923ab4936f1cabc2a17e9abac/content/docs/2.20/operate/cluster.md",
    ),
    facts=("compatibility",),
    check=_check,
)
