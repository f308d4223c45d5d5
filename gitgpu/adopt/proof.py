"""The proof of an import: what happens to the nodes of a running cluster with its fleet."""

from collections.abc import Iterator, Sequence

from gitgpu.access import reach
from gitgpu.adopt.clusters import ClusterOptions, cluster_name
from gitgpu.adopt.comparison import compare_nodes
from gitgpu.adopt.compiled import Output, node_object, output_of
from gitgpu.adopt.node.node_objects import as_ours, is_of_nodes
from gitgpu.adopt.verdict import PoolVerdict
from gitgpu.compare.nodes import Context
from gitgpu.counting import counting
from gitgpu.inventory.observed import ObservedCluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.names.kinds import AKS_NODE_CLASS


def outputs(
    clusters: Sequence[ObservedCluster], options: ClusterOptions, inputs: Inputs
) -> Iterator[tuple[ObservedCluster, Output]]:
    """The running clusters that are in a fleet, each with its output there."""
    named = {cluster.name: cluster for cluster in inputs.clusters}
    for running in counting(clusters, options.on_compare):
        if cluster := named.get(cluster_name(running, options)):
            yield running, output_of(inputs, cluster)


def pool_verdicts(running: ObservedCluster, output: Output, context: Context) -> Iterator[PoolVerdict]:
    """The verdict for each pool of a cluster in the fleet, in order of name."""
    cluster, before = output.plan.cluster, {}
    for observed in running.objects:
        if is_of_nodes(observed.body):
            stored = node_object(as_ours(observed.body, cluster.stack.aso.namespace), cluster.name)
            before[stored.key] = stored
    after = output.nodes
    classes = {obj.identity.name for obj in before.values() if obj.identity.kind == AKS_NODE_CLASS.kind}
    compared = compare_nodes(before, after, cluster.region, context)
    objects = {(obj.identity.kind, obj.identity.name): obj for obj in after.values()}
    for key, change in sorted(compared.pools.items()):
        if key in objects:
            class_name = reach(objects[key].body, "spec", "template", "spec", "nodeClassRef", "name")
            unread = class_name if class_name and class_name not in classes else ""
            yield PoolVerdict(cluster.name, change, str(unread))
