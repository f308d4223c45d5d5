"""What Azure must provide before the overlays can work, as commands of the Azure CLI."""

from collections.abc import Iterator
from shlex import join, quote

from gitgpu.emit.page import Page
from gitgpu.model.syntax.resource_id import ResourceId
from gitgpu.plan.decided.cluster import ClusterPlan, Prerequisite

UPDATE = 'az aks update --resource-group "$RESOURCE_GROUP" --name "$CLUSTER"'
WAIT = "# (This takes minutes. Once `az feature show` says Registered, run `az provider register`, and continue.)"
# A separate kubeconfig: the current context of the person who runs this may be another cluster.
CREDENTIALS = """\
KUBECONFIG=$(mktemp)
export KUBECONFIG
trap 'rm "$KUBECONFIG"' EXIT
az aks get-credentials --resource-group "$RESOURCE_GROUP" --name "$CLUSTER" --overwrite-existing --file "$KUBECONFIG"\
"""
REGISTER = "az feature register --namespace Microsoft.ContainerService --name"


def write(plan: ClusterPlan) -> str:
    """A script that can be run again. AKS allows one update at a time, so each is a separate command."""
    return "\n".join(_lines(plan)) + "\n" if plan.prerequisites else ""


def _lines(plan: ClusterPlan) -> Iterator[str]:
    yield "# Azure prerequisites of the overlays of this cluster. Run this once, and again after each change:"
    azure = plan.cluster.azure
    yield from _known(azure) if azure else _asked(plan.cluster.name)
    for prerequisite in plan.prerequisites:
        yield "\n".join(
            ("", *(f"# {line}" for line in (prerequisite.what, *prerequisite.hints)), _command(prerequisite))
        )


def _known(cluster: ResourceId) -> Iterator[str]:
    yield f"#     sh {PAGE.name}"
    yield "set -eu"
    yield f"RESOURCE_GROUP={quote(cluster.group)}"
    yield f"CLUSTER={quote(cluster.name)}"
    yield f'az() {{ command az "$@" --subscription {quote(cluster.subscription)}; }}'


def _asked(name: str) -> Iterator[str]:
    """The head of the script if the spec does not contain the resource ID of the cluster."""
    yield f"#     RESOURCE_GROUP=my-group sh {PAGE.name}"
    yield "set -eu"
    yield ': "${RESOURCE_GROUP:?name the resource group of the cluster}"'
    yield f': "${{CLUSTER:={name}}}"'


def _command(prerequisite: Prerequisite) -> str:
    if prerequisite.feature:
        return f"{WAIT}\n{REGISTER} {quote(prerequisite.feature)}"
    if prerequisite.kubectl:
        return "\n".join((CREDENTIALS, *(f"kubectl {join(words)}" for words in prerequisite.kubectl)))
    return f"{UPDATE} {join(prerequisite.update)}"


PAGE = Page("cluster.sh", write)
