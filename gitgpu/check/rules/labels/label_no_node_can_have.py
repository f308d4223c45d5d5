"""A label under a well-known key is a demand on nodes, which some node must meet."""

from collections.abc import Iterator

from gitgpu.check.clusters import karpenter_pools_with_clusters
from gitgpu.check.names import join_names
from gitgpu.check.node_labels import labels
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import pool_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  limits: {gpus: 8}
  labels: {karpenter.sh/capacity-type: spot}
"""
GOOD = BAD.replace("labels: {karpenter.sh/capacity-type: spot}", "capacity: [spot]")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Labels of pools whose value no node of the pool can have, on some of its clusters."""
    for pool, clusters in karpenter_pools_with_clusters(inputs):
        for key, value in sorted(pool.labels.items()) if pool.skus else ():
            known = ((cluster.name, labels(pool, cluster, inputs.catalog).get(key)) for cluster in clusters)
            odd = {name: values for name, values in known if values is not None and value not in values}
            if odd:
                can = join_names(next(iter(odd.values()))) or "no such label at all"
                message = f"a label {key} chooses nodes, and on {join_names(list(odd))} they have {can}, never {value}"
                remedy = "remove the label; capacity, zones, placement, sku and image say which nodes there are"
                yield Finding(*pool_place(inputs, pool, "labels", key), message, remedy)


RULE = Rule(
    code="SCH013",
    name="label-no-node-can-have",
    severity=Severity.ERROR,
    summary="A label of the pool demands what none of its nodes can be.",
    help="Karpenter takes labels of a NodePool as requirements. For keys that it sets itself, such as the capacity "
    "type, a label with another value than the nodes have leaves no size, and nothing ever starts.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/provisioning/scheduling/nodeclaimtemplate.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
