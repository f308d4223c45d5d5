"""A label under a well-known key is a requirement that a node must be able to meet."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import karpenter_pools_with_clusters
from gitgpu.rules.inputs.node_labels import labels
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Labels of pools whose value no node of the pool can have on some of its clusters."""
    for pool, clusters in karpenter_pools_with_clusters(inputs):
        # Without sizes it is unknown what the nodes have.
        if not pool.skus:
            continue
        for key, value in sorted(pool.labels.items()):
            possible = ((cluster.name, labels(pool, cluster, inputs.catalog).get(key)) for cluster in clusters)
            # `labels` omits keys whose values are not known.
            odd = {name: values for name, values in possible if values is not None and value not in values}
            if odd:
                can = join_names(next(iter(odd.values()))) or "no such label"
                message = f"label {key} requires {value}, but nodes on {join_names(list(odd))} have {can}"
                remedy = "remove the label; use capacity, zones, placement, sku or image to choose nodes"
                yield Finding(*pool_place(pool, "labels", key), message, remedy)


RULE = Rule(
    code="SCH013",
    name="label-value-not-possible",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A label of the pool has a value that none of its nodes can have.",
    help="Karpenter treats the labels of a NodePool as requirements. For keys that it sets itself, such as the "
    "capacity type, a label with a value that no node has leaves no size, and no node ever starts.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/provisioning/scheduling/nodeclaimtemplate.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
    ),
    check=_check,
)
