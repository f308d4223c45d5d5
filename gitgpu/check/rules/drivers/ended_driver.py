"""A pool's driver should be of a branch that NVIDIA still supports."""

from collections.abc import Iterator

from gitgpu.check.clusters import pools_with_clusters
from gitgpu.check.dates import known, over
from gitgpu.check.drivers import installed, installers, place
from gitgpu.check.names import join_names
from gitgpu.check.requested_sizes import sizes_place
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import BY_AKS, Inputs

BAD = """\
# gitgpu validate --today 2028-07-15
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec: {clusters: [prod-swc], sku: Standard_NC16as_T4_v3, limits: {gpus: 8}}
"""
GOOD = BAD.replace("2028-07-15", "2027-01-15")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools that AKS gives a driver whose branch has ended, as far as the catalog knows."""
    for pool, clusters in pools_with_clusters(inputs):
        for driver, names in installers(inputs, pool, clusters).items():
            for row in _rows(inputs, pool, driver):
                if not over(row["endOfLife"], known(row, inputs.today)):
                    continue
                since = f"NVIDIA ended driver branch {row['branch']} in {row['endOfLife']}"
                then = f"on {row['verified']} AKS installed {row['version']} ({join_names(names)})"
                message = f"{since}; {then}, and whether it still does is uncertain"
                where = place(pool, sizes_place(pool))
                yield Finding(pool.origin, where, message, "update gitgpu, or write driver: operator")


def _rows(inputs: Inputs, pool: Pool, driver: str) -> list[Facts]:
    """The drivers that AKS installs on the pool's sizes, each once."""
    found = {sku.driver for sku in pool.skus if driver in BY_AKS and installed(driver, pool, sku, inputs.catalog)}
    return [inputs.catalog.must("drivers", name) for name in sorted(filter(None, found))]


RULE = Rule(
    code="DRV017",
    name="ended-driver",
    severity=Severity.WARNING,
    summary="The driver that AKS installs is of a branch that NVIDIA no longer supports, as far as is known.",
    help="Past the end of a branch there are no fixes of bugs and of security holes. Which driver a node gets follows "
    "from its image; the catalog knows what it was on the day when it was checked.",
    sources=(
        "https://docs.nvidia.com/datacenter/tesla/drivers/615/supported-drivers-and-cuda-toolkit-versions.html",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/gpu.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
