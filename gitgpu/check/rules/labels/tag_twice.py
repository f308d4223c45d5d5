"""Azure does not tell tags apart by their casing."""

from collections.abc import Iterator

from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import pool_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  limits: {gpus: 8}
  tags: {costCentre: "4711", CostCentre: "4712"}
"""
GOOD = BAD.replace(', CostCentre: "4712"', "")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Tags that differ in their casing alone."""
    for pool in inputs.pools:
        names: dict[str, list[str]] = {}
        for key in sorted(pool.tags):
            names.setdefault(key.lower(), []).append(key)
        for same in names.values():
            if len(same) > 1:
                message = f"to Azure {join_names(same)} are one tag, and {same[0]}: {pool.tags[same[0]]} would be set"
                place = pool_place(inputs, pool, "tags", same[-1])
                yield Finding(*place, message, "keep one of them; the Fleet's defaults are merged in by exact name")


RULE = Rule(
    code="SCH015",
    name="tag-twice",
    severity=Severity.WARNING,
    summary="Two tags of a pool have the same name in different casings.",
    help="Names of Azure tags are the same in any casing. Of several, AKS takes the one that comes first in the "
    "alphabet, and the others are lost.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-tags.md",
        "https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
