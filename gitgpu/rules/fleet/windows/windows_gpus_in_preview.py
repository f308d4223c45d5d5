"""GPUs on Windows nodes are a preview feature."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.preview import preview
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import windows_pools


def _check(inputs: Inputs) -> Iterator[Finding]:
    """The first Windows pool of the fleet, while GPUs on Windows nodes are a preview."""
    # The fleet is warned once: one reason suppresses it for all pools.
    first = next((pool for pool, _ in windows_pools(inputs)), None)
    if first and (feature := preview("windows-gpus", inputs.catalog)):
        yield Finding(first.origin, ("spec", "os"), feature.message, feature.remedy(RULE.code))


RULE = Rule(
    code="WIN009",
    name="windows-gpus-in-preview",
    severity=Severity.WARNING,
    summary="The fleet has Windows GPU pools.",
    help="The subscription must register for the preview, which may change or end.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-windows-gpu.md",
    ),
    facts=("prerequisites/windows-gpus",),
    check=_check,
)
