"""A pinned version must not be excluded by other versions on its clusters."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.compatibility import conflicts, newest_excluded_by_drivers


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pins that catalog/compatibility excludes, and drivers that exclude software without a pin."""
    yield from conflicts(inputs, "excluded")
    yield from newest_excluded_by_drivers(inputs)


RULE = Rule(
    code="VER003",
    name="excluded-version",
    severity=Severity.ERROR,
    summary="A version does not work with the Kubernetes version, the GPU driver or the software of the cluster.",
    help="A publisher says that the combination does not work, or the chart rejects it. For software that is not "
    "pinned, this rule checks only the GPU driver; other rules check the rest.",
    sources=(
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/site/content/docs/prerequisites.md",
    ),
    facts=("compatibility",),
    check=_check,
)
