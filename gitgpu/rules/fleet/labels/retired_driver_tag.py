"""A retired tag no longer prevents the installation of the GPU driver."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.retirement import retired_tags
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool in inputs.pools:
        for tag, message in retired_tags(sorted(pool.tags), inputs.catalog, inputs.today):
            remedy = "remove it; with driver: operator or driver: none AKS does not install a driver"
            place = pool_place(pool, "tags", tag)
            yield Finding(*place, f"{message}: it no longer skips the driver installation", remedy)


RULE = Rule(
    code="SCH022",
    name="retired-driver-tag",
    twin="APL010",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool uses a retired tag to skip the GPU driver installation.",
    help="Node pools could once skip the driver with a tag. AKS has rejected it since August 2025. An AKSNodeClass "
    "has the field gpu.mode instead, which gitgpu sets from driver.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/includes/skip-gpu-driver-install-retirement.md",
        "https://learn.microsoft.com/azure/aks/use-nvidia-gpu",
    ),
    facts=("pools/aks",),
    check=_check,
)
