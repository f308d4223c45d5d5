"""A cluster's Kubernetes version should be one that AKS still supports."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.version import minor, version


def _check(inputs: Inputs) -> Iterator[Finding]:
    catalog = inputs.catalog
    rows = {name: catalog.must("kubernetes", name)["aks"] for name in catalog.names("kubernetes")}
    supported = sorted((name for name, row in rows.items() if row["status"] == "ga"), key=version)
    for cluster in inputs.clusters:
        row = rows.get(minor(cluster.kubernetes))
        if row and row["status"] == "eol":
            message = f"AKS ended its support of Kubernetes {minor(cluster.kubernetes)} on {row['endOfLife']}"
            if row["ltsEndOfLife"]:
                message += f" (long-term support: {row['ltsEndOfLife']})"
            remedy = f"upgrade the cluster, and write one of {', '.join(supported)}"
            yield Finding(cluster.origin, ("spec", "kubernetesVersion"), message, remedy)


RULE = Rule(
    code="CLU003",
    name="ended-kubernetes",
    severity=Severity.WARNING,
    summary="The cluster's Kubernetes version is past its end of life on AKS.",
    help="Past that day AKS ships no fixes for it and may upgrade the cluster by itself, which replaces every node. "
    "Long-term support is bought with the Premium tier.",
    sources=("https://learn.microsoft.com/azure/aks/supported-kubernetes-versions",),
    check=_check,
    bad="""\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.32"}
""",
    good="""\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.34"}
""",
)
