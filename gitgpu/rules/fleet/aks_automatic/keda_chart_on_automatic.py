"""AKS Automatic has KEDA already."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import cluster_with_place, stack_place
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    for cluster in inputs.clusters:
        if cluster.is_automatic and cluster.stack.keda == "helm":
            where = cluster_with_place(cluster, "sku")
            message = f"AKS Automatic on {where} always has KEDA, and a cluster cannot have two"
            yield Finding(*stack_place(cluster, "keda"), message, "set keda: addon")


RULE = Rule(
    code="AUT005",
    name="keda-chart-on-automatic",
    twin="APL116",
    severity=Severity.ERROR,
    summary="A cluster with sku: automatic would get KEDA from its chart.",
    help="KEDA is on in every AKS Automatic cluster. It owns the cluster-wide objects of KEDA: the custom resource "
    "definitions and the API of external metrics. Helm refuses to install its chart over objects of another owner.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/keda-about.md",
    ),
    check=_check,
)
