"""A script that lists nodes with failed GPUs, and replaces one. Nothing in Kubernetes does that."""

from itertools import chain
from shlex import quote

from gitgpu.emit.node.agent_pool import cluster_options
from gitgpu.emit.page import Page
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
  SAID=$(kubectl get nodes --selector "$NODES" --output go-template="$TEMPLATE")
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
BY_KARPENTER = """\
# Karpenter drains the node, deletes the VM, and starts another node for pending pods. A pod that must not be disrupted
# blocks this, but only until the terminationGracePeriod of the pool if it has one.
kubectl delete nodeclaim "$(kubectl get nodes "$2" --output go-template="$CLAIM")"
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
    """A script for Karpenter or for the cluster autoscaler; "" if health checks are off."""
    if not plan.care.health:
        return ""
    nodes = plan.care.health.nodes
    types = "|".join(chain.from_iterable(condition.types for condition in plan.care.health.conditions))
    selector = f"{nodes.label} in ({','.join(nodes.values)})"
    assignments = f"CONDITIONS={quote(types)}\nNODES={quote(selector)}\n"
    if not plan.cluster.has_node_pools:
        return f"{HEAD}{assignments}{CLAIM}{LIST}{BY_KARPENTER}"
    return f"{HEAD}{assignments}CLUSTER={quote(cluster_options(plan.cluster))}\n{LIST}{BY_AKS}"


PAGE = Page("gpu-health.sh", write)
