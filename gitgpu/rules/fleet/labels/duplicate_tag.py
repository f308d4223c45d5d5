"""Azure tag names are not case-sensitive."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.azure_tags import same_tags
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Tags that are one tag in Azure."""
    for pool in inputs.pools:
        for names in same_tags(pool.tags):
            kept = "" if pool.by_karpenter else f", {names[0]}: {pool.tags[names[0]]}"
            message = f"{join_names(names)} are the same Azure tag: machines have only one of them{kept}"
            place = pool_place(pool, "tags", names[-1])
            yield Finding(*place, message, "keep one of them; defaults of the Fleet are merged by exact name")


RULE = Rule(
    code="SCH015",
    name="duplicate-tag",
    twin="ANC012",
    severity=Severity.WARNING,
    summary="Two tags of a pool differ only in case.",
    help="Azure tag names are not case-sensitive. For a node pool, AKS keeps the first one in alphabetical order and "
    "drops the others. Which one a machine of Karpenter gets is not documented.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-tags.md",
        "https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources",
    ),
    check=_check,
)
