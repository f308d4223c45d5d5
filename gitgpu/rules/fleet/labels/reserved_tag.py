"""Some tag names are reserved."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Tags of pools that Karpenter overwrites or Azure reserves."""
    row = inputs.catalog.must("tags", "azure")
    for pool in inputs.pools:
        for key in sorted(pool.tags):
            if why := _reserved_by(key, row, pool):
                place = pool_place(pool, "tags", key)
                yield Finding(*place, f"tag {key} is reserved: {why}", "use another tag name")


def _reserved_by(key: str, row: Facts, pool: Pool) -> str:
    if pool.by_karpenter and key.lower() in row["karpenter"]:
        return "Karpenter sets it on every machine"
    prefixes = [prefix for prefix in row["reserved"] if key.lower().startswith(prefix)]
    return f"Azure reserves names that start with {prefixes[0]}" if prefixes else ""


RULE = Rule(
    code="SCH016",
    name="reserved-tag",
    twin="ANC011",
    severity=Severity.WARNING,
    summary="A pool sets a tag that Karpenter or Azure reserves.",
    help="Karpenter identifies its machines by tags and sets them last, so your value is lost. Azure reserves some "
    "prefixes and may reject a machine with such a tag.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/launchtemplate/tags.go",
        "https://learn.microsoft.com/rest/api/resources/tags/create-or-update",
    ),
    facts=("tags/azure",),
    check=_check,
)
