"""A script that lists nodes with failed GPUs, and replaces one. Nothing in Kubernetes does that."""

from itertools import chain
from shlex import quote

from gitgpu.emit.node.agent_pool import cluster_options
from gitgpu.emit.page import Page
from gitgpu.model.names.labels import AGENTPOOL_LABEL, NODEPOOL_LABEL
from gitgpu.plan.decided.cluster import ClusterPlan

HEAD = """\
# Lists nodes with unhealthy GPUs, and replaces one. Neither AKS nor Karpenter acts on these conditions.
#     sh gpu-health.sh                  list the nodes and their faults
#     sh gpu-health.sh replace NODE     drain the node and delete it
set -eu
"""
LIST = """\
if [ "$#" -eq 0 ]; then
  TEMPLATE='{{range .items}}{{$node := .metadata.name}}{{range .status.conditions}}{{if eq .status "True"}}\
{{$node}} {{.type}}: {{.message}}{{"\\n"}}{{end}}{{end}}{{end}}'
  SAID=$(LISTED)
  echo "$SAID" | grep -E " ($CONDITIONS): " || echo "no node says that its GPUs are unwell"
  exit 0
fi
if [ "$#" -ne 2 ] || [ "$1" != replace ]; then
  echo "usage: sh gpu-health.sh [replace NODE]" >&2
  exit 2
fi
# No new pods start on the node. Its pods are evicted as their PodDisruptionBudgets allow.
kubectl cordon "$2"
"""
LISTED = 'kubectl get nodes --selector "$NODES" --output go-template="$TEMPLATE"'
LISTED_OF_BOTH = """\
for NODES in "$KARPENTER_NODES" "$AKS_NODES"; do
    kubectl get nodes --selector "$NODES" --output go-template="$TEMPLATE"
  done"""
BY_KARPENTER = """\
# Karpenter drains the node, deletes the VM, and starts another node for pending pods. A pod that must not be disrupted
# blocks this, but only until the terminationGracePeriod of the pool if it has one.
kubectl delete nodeclaim "$(kubectl get nodes "$2" --output go-template="$CLAIM")"
"""
BY_EITHER = """\
NODECLAIM=$(kubectl get nodes "$2" --output go-template="$CLAIM")
if [ -n "$NODECLAIM" ]; then
  # Karpenter drains the node, deletes the VM, and starts another node for pending pods. A pod that must not be
  # disrupted blocks this, but only until the terminationGracePeriod of the pool if it has one.
  kubectl delete nodeclaim "$NODECLAIM"
  exit
fi
"""
CLAIM = """\
CLAIM='{{range .metadata.ownerReferences}}{{if eq .kind "NodeClaim"}}{{.name}}{{end}}{{end}}'
"""
BY_AKS = """\
kubectl drain "$2" --ignore-daemonsets --delete-emptydir-data
POOL=$(kubectl get nodes "$2" --output jsonpath='{.metadata.labels.kubernetes\\.azure\\.com/agentpool}')
# The autoscaler starts another node for pending pods. A pool of fixed size now has one node less: scale it up again.
az aks nodepool delete-machines $CLUSTER --name "$POOL" --machine-names "$2"
"""


def write(plan: ClusterPlan) -> str:
    """A script for NodePools, for AKS node pools or for both; "" if health checks are off."""
    if not plan.care.health:
        return ""
    types = "|".join(chain.from_iterable(condition.types for condition in plan.care.health.conditions))
    selectors = {nodes.label: f"{nodes.label} in ({','.join(nodes.values)})" for nodes in plan.care.health.nodes}
    head = f"{HEAD}CONDITIONS={quote(types)}\n"
    if len(selectors) > 1:
        head += f"KARPENTER_NODES={quote(selectors[NODEPOOL_LABEL])}\nAKS_NODES={quote(selectors[AGENTPOOL_LABEL])}\n"
        return f"{head}{_cluster(plan)}{CLAIM}{LIST.replace('LISTED', LISTED_OF_BOTH)}{BY_EITHER}{BY_AKS}"
    [selector] = selectors.values()
    head, listing = f"{head}NODES={quote(selector)}\n", LIST.replace("LISTED", LISTED)
    if NODEPOOL_LABEL in selectors:
        return f"{head}{CLAIM}{listing}{BY_KARPENTER}"
    return f"{head}{_cluster(plan)}{listing}{BY_AKS}"


def _cluster(plan: ClusterPlan) -> str:
    return f"CLUSTER={quote(cluster_options(plan.cluster))}\n"


PAGE = Page("gpu-health.sh", write)
