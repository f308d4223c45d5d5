"""What Azure must provide before the overlays can work, as commands of the Azure CLI."""

from collections.abc import Iterable, Iterator
from shlex import join, quote

from gitgpu.emit.azure_script import ON_CLUSTER, head
from gitgpu.emit.page import Page
from gitgpu.emit.terraform_cluster import is_in_terraform
from gitgpu.model.spec.delivery import TERRAFORM
from gitgpu.plan.decided.cluster import ClusterPlan, Prerequisite

UPDATE = f"az aks update {ON_CLUSTER}"
WAIT = "# (This takes minutes. Once `az feature show` says Registered, run `az provider register`, and continue.)"
# A separate kubeconfig: the current context of the person who runs this may be another cluster.
CREDENTIALS = """\
KUBECONFIG=$(mktemp)
export KUBECONFIG
trap 'rm "$KUBECONFIG"' EXIT
az aks get-credentials --resource-group "$RESOURCE_GROUP" --name "$CLUSTER" --overwrite-existing --file "$KUBECONFIG"\
"""
EXTENSION = """\
OF_CLUSTER="--cluster-type managedClusters --resource-group $RESOURCE_GROUP --cluster-name $CLUSTER"
az k8s-extension show $OF_CLUSTER {name} --output none 2>/dev/null ||
  az k8s-extension create $OF_CLUSTER {name} {rest}\
"""
FEDERATE = f"""\
federate() {{
  name=$(az identity list --query "[?clientId=='$1'].name | [0]" --output tsv)
  group=$(az identity list --query "[?clientId=='$1'].resourceGroup | [0]" --output tsv)
  if [ -z "$name" ]; then
    echo "$1 is not an identity of this subscription: give it a federated credential for $2 yourself" >&2
    return
  fi
  issuer=$(az aks show {ON_CLUSTER} --query oidcIssuerProfile.issuerUrl --output tsv)
  same=$(az identity federated-credential list --identity-name "$name" --resource-group "$group" \\
    --query "[?issuer=='$issuer' && subject=='$2'].name" --output tsv)
  if [ -z "$same" ]; then
    az identity federated-credential create --identity-name "$name" --resource-group "$group" \\
      --name "$CLUSTER-keda" --issuer "$issuer" --subject "$2" --audiences api://AzureADTokenExchange
  fi
}}\
"""
REGISTER = "az feature register --namespace Microsoft.ContainerService --name"


def write(plan: ClusterPlan) -> str:
    """A script that can be run again. AKS allows one update at a time, so each is a separate command."""
    by_hand = [prerequisite for prerequisite in plan.prerequisites if not _is_elsewhere(prerequisite, plan)]
    return "\n".join(_lines(plan, by_hand)) + "\n" if by_hand else ""


def _is_elsewhere(prerequisite: Prerequisite, plan: ClusterPlan) -> bool:
    """Whether the Terraform configuration has it."""
    return plan.cluster.delivery.azure == TERRAFORM and is_in_terraform(prerequisite)


def _lines(plan: ClusterPlan, by_hand: Iterable[Prerequisite]) -> Iterator[str]:
    yield "# Azure prerequisites of the overlays of this cluster. Run this once, and again after each change:"
    yield from head(plan.cluster, PAGE.name)
    for prerequisite in by_hand:
        yield "\n".join(
            ("", *(f"# {line}" for line in (prerequisite.what, *prerequisite.hints)), _command(prerequisite))
        )


def _command(prerequisite: Prerequisite) -> str:
    if prerequisite.feature:
        return f"{WAIT}\n{REGISTER} {quote(prerequisite.feature)}"
    if prerequisite.federated:
        calls = (join(("federate", identity, prerequisite.federated)) for identity in prerequisite.identities)
        return "\n".join((FEDERATE, *calls))
    if prerequisite.kubectl:
        return "\n".join((CREDENTIALS, *(f"kubectl {join(words)}" for words in prerequisite.kubectl)))
    if prerequisite.extension:
        name, rest = join(prerequisite.extension[:2]), join(prerequisite.extension[2:])
        return EXTENSION.format(name=name, rest=rest)
    return f"{UPDATE} {join(prerequisite.update)}"


PAGE = Page("cluster.sh", write)
