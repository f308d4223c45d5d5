"""A pool that sets all requirements of its NodePool must not have other keys for them."""

from collections.abc import Iterator, Mapping

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.names.labels import (
    CAPACITY_TYPE_LABEL,
    PLACEMENT_SCOPE_LABEL,
    SKU_EPHEMERAL_OS_DISK_LABEL,
    ZONE_LABEL,
)
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.source import Pointer

AS_REQUIREMENT = "remove it, and add a requirement on {} under nodeRequirements"
INSTEAD: Mapping[Pointer, str] = {
    ("capacity",): AS_REQUIREMENT.format(CAPACITY_TYPE_LABEL),
    ("zones",): AS_REQUIREMENT.format(ZONE_LABEL),
    ("placement",): AS_REQUIREMENT.format(PLACEMENT_SCOPE_LABEL),
    ("image", "ephemeralOSDisk"): AS_REQUIREMENT.format(SKU_EPHEMERAL_OS_DISK_LABEL)
    + "; if the value comes from defaults, set image.ephemeralOSDisk: false",
}


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Keys in the spec that become requirements, on pools that set only nodeRequirements."""
    for pool in inputs.nodepools:
        if not pool.exact:
            continue
        for path, remedy in INSTEAD.items():
            origin, where = pool_place(pool, *path)
            # false overrides the true of some defaults, as the remedy says.
            off = path[-1] == "ephemeralOSDisk" and not pool.image.get("ephemeralOSDisk")
            if origin.holds(where) and not off:
                message = (
                    f"{'.'.join(map(str, path))} has no effect: without sku or requirements, the NodePool has only "
                )
                yield Finding(origin, where, f"{message}the requirements under nodeRequirements", remedy)


RULE = Rule(
    code="SCH029",
    name="setting-ignored-with-node-requirements",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool with nodeRequirements, but no sku or requirements, has keys that would add requirements.",
    help="Without sku and requirements, gitgpu uses the nodeRequirements of a pool exactly as written, so that the "
    "pool can match an existing NodePool. It adds no requirements for capacity, zones, placement or OS disks.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/crds/karpenter.sh_nodepools.yaml",
    ),
    check=_check,
)
