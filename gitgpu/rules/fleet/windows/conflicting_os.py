"""The image family must match the operating system and the Kubernetes version."""

import operator
from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.node_images import family
from gitgpu.model.syntax.version import version
from gitgpu.model.value_origins import cluster_with_place, pool_place, with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import pools_with_clusters
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Image families of the other operating system, and those that AKS does not have for the Kubernetes version."""
    rows = {row["name"]: row for row in inputs.catalog.must("pools", "aks")["osSkus"]}
    for pool, clusters in pools_with_clusters(inputs):
        name = family(pool, inputs.catalog)
        row, place = rows.get(name, {}), pool_place(pool, "image", "family")
        # Without a family, AKS picks one for the operating system.
        if pool.image.get("family") and pool.windows is not (row.get("os") == "Windows"):
            nodes = with_place(f"{pool.os.capitalize()} nodes", pool.origin, ("spec", "os"))
            message = f"image family {name} is not for {nodes}"
            yield Finding(*place, message, "use another family, or remove it and let AKS choose")
            continue
        for bound, is_wrong in (("before", operator.ge), ("from", operator.lt)):
            limit = row.get(bound)
            wrong = [each for each in clusters if limit and is_wrong(version(each.kubernetes), version(limit))]
            if wrong:
                names = join_names([cluster_with_place(cluster, "kubernetesVersion") for cluster in wrong])
                side = f"Kubernetes {limit} and later" if bound == "before" else f"versions before Kubernetes {limit}"
                message = f"AKS has no {name} for {side}, as on {names}"
                yield Finding(*place, message, "remove family; AKS then picks the release for the Kubernetes version")


RULE = Rule(
    code="WIN006",
    name="conflicting-os",
    twin="APL009",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="An image family does not match the operating system or the Kubernetes version.",
    help="A node pool runs Linux or Windows, and AKS has some image families only from a certain Kubernetes version "
    "on, or only until one.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/includes/windows-server-2022-retirement.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-windows-gpu.md",
    ),
    facts=("pools/aks",),
    check=_check,
)
