"""Azure tag names are not case-sensitive."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Tags whose names differ only in case."""
    for pool in inputs.pools:
        names: dict[str, list[str]] = {}
        for key in sorted(pool.tags):
            names.setdefault(key.lower(), []).append(key)
        for same in names.values():
            if len(same) > 1:
                message = (
                    f"{join_names(same)} are the same Azure tag; only {same[0]}: {pool.tags[same[0]]} would be set"
                )
                place = pool_place(pool, "tags", same[-1])
                yield Finding(*place, message, "keep one of them; defaults of the Fleet are merged by exact name")


RULE = Rule(
    code="SCH015",
    name="duplicate-tag",
    severity=Severity.WARNING,
    summary="Two tag names of a pool differ in case only.",
    help="Azure tag names are not case-sensitive. AKS keeps the first one in alphabetical order and drops the others.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-tags.md",
        "https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources",
    ),
    check=_check,
)
