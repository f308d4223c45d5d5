"""The image family fits the pool's operating system and the Kubernetes version."""

from collections.abc import Iterator

from gitgpu.check.clusters import pools_with_clusters
from gitgpu.check.images import family
from gitgpu.check.names import join_names
from gitgpu.check.node_pools import EXAMPLE
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import cluster_with_place, pool_place, with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.version import version

BAD = f"""\
{EXAMPLE}---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: win}}
spec:
  clusters: [prod-swc]
  os: windows
  sku: Standard_NC16as_T4_v3
  nodes: {{min: 1, max: 2}}
  image: {{family: Ubuntu2204}}
"""
GOOD = BAD.replace("  os: windows\n", "")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Families of the other operating system, and releases of Windows that are no more."""
    rows = {row["name"]: row for row in inputs.catalog.must("pools", "aks")["osSkus"]}
    for pool, clusters in pools_with_clusters(inputs):
        name = family(pool, inputs.catalog)
        row, place = rows.get(name, {}), pool_place(inputs, pool, "image", "family")
        if pool.image.get("family") and pool.windows is not (row.get("os") == "Windows"):
            nodes = with_place(f"{pool.os} nodes", pool.origin, ("spec", "os"))
            message = f"{name} is no image of {nodes}"
            yield Finding(*place, message, "write another family, or leave it out and let AKS choose")
            continue
        end = row.get("before") if pool.windows else None
        late = [
            cluster_with_place(one, "kubernetesVersion")
            for one in clusters
            if end and version(one.kubernetes) >= version(end)
        ]
        if late:
            message = f"from Kubernetes {end} on there is no {name}, and {join_names(late)} is not older"
            yield Finding(*place, message, "leave family out: AKS takes the release that fits the version")


RULE = Rule(
    code="WIN006",
    name="wrong-windows-image",
    severity=Severity.ERROR,
    summary="The image family is of another operating system, or a Windows that the Kubernetes version has no more.",
    help="A node pool runs Linux or Windows, and AKS drops a release of Windows at a version of Kubernetes.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/includes/windows-server-2022-retirement.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-windows-gpu.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
