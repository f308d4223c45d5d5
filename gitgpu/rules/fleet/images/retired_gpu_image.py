"""AKS has retired its GPU node image."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.retired_image import retired_image_text
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Tags and labels, in any case, with the name of the header that requested the image."""
    image = inputs.catalog.must("pools", "aks")["retiredImage"]
    for pool in inputs.pools:
        for group, named in (("tags", pool.tags), ("labels", pool.labels)):
            for key in sorted(named):
                if key.lower().rpartition("/")[2] == image["header"].lower():
                    message = f"{retired_image_text(inputs.catalog)}: {key} has no effect"
                    remedy = "remove it; with driver: aks, AKS installs the driver and gitgpu the device plugin"
                    yield Finding(*pool_place(pool, group, key), message, remedy)


RULE = Rule(
    code="DRV080",
    name="retired-gpu-image",
    twin="DRV081",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool requests the GPU image that AKS has retired.",
    help="The image contained the driver and the device plugin. AKS no longer creates nodes from it and ignores tags "
    "and labels that request it. AKS now installs the driver on every GPU node, and you install the device plugin or "
    "the GPU Operator.",
    sources=("https://github.com/Azure/AKS/issues/4472", "https://github.com/Azure/AgentBaker/pull/5552"),
    facts=("pools/aks",),
    check=_check,
)
