"""The commands that create an AKS Automatic cluster, and exclude namespaces from its safeguards."""

from collections.abc import Iterator
from shlex import join

from gitgpu.emit.azure_script import ON_CLUSTER, head
from gitgpu.emit.page import Page
from gitgpu.plan.decided.cluster import ClusterPlan

GUIDE = "https://learn.microsoft.com/azure/aks/automatic/quick-automatic-custom-network"
# `az aks show` fails in the same way without a cluster and without access to it; a list is empty without a cluster.
TEXT = """\
sku=$(az aks list --resource-group "$RESOURCE_GROUP" --query "[?name=='$CLUSTER'].sku.name" --output tsv)
case $sku in
Automatic) ;;
"") {create} ;;
*)
  echo "$CLUSTER has sku $sku, which AKS cannot change to Automatic: create a cluster with another name" >&2
  exit 1
  ;;
esac"""
# Without a managed network, the cluster also needs an identity, and subnets for the API server and the system nodes.
IN_OWN_NETWORK = f"""\
echo "create $CLUSTER in your virtual network first: {GUIDE}" >&2
  exit 1"""
IDENTITY = """\

# Each managed identity that KEDA uses needs a federated credential for this subject:
#     system:serviceaccount:kube-system:keda-operator"""
SAFEGUARDS = """\

# All namespaces that are excluded from the deployment safeguards and from the Pod Security level baseline. Their level
# stays as it is. If the Azure CLI does not know the command, run `az extension add --name aks-preview`.
az aks safeguards update {on_cluster} --excluded-ns {names}"""


def write(plan: ClusterPlan) -> str:
    """A script that can be run again; "" for any other cluster."""
    return "\n".join(_lines(plan)) + "\n" if plan.cluster.is_automatic else ""


def _lines(plan: ClusterPlan) -> Iterator[str]:
    cluster = plan.cluster
    yield "# Creates this AKS Automatic cluster unless it exists. Needs Azure CLI 2.86.0 or newer. A cluster with"
    yield "# another SKU cannot become one. Run it once, and again after each change of the safeguards:"
    yield from head(cluster, PAGE.name)
    yield ""
    options = ["--location", cluster.region, "--kubernetes-version", cluster.kubernetes, "--sku", "automatic"]
    created = f"az aks create {ON_CLUSTER} {join([*options, '--enable-hosted-system'])}"
    yield TEXT.format(create=IN_OWN_NETWORK if cluster.network.get("subnet") else created)
    if any(trigger.identity for workload in plan.workloads for trigger in workload.triggers):
        yield IDENTITY
    if cluster.excluded:
        yield SAFEGUARDS.format(on_cluster=ON_CLUSTER, names=join(sorted(cluster.excluded)))


PAGE = Page("create-cluster.sh", write)
