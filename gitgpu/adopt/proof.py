"""The proof of an import: what happens to the nodes and the software of running clusters with their fleet."""

from collections.abc import Iterable, Iterator, Sequence

from gitgpu.access import reach
from gitgpu.adopt.clusters import ClusterOptions, cluster_name
from gitgpu.adopt.comparison import compare_nodes
from gitgpu.adopt.compiled import node_object, node_objects
from gitgpu.adopt.first_build import software_changes
from gitgpu.adopt.first_build.software_change import SoftwareChange
from gitgpu.adopt.node.node_objects import as_ours, is_of_nodes
from gitgpu.adopt.verdict import PoolVerdict
from gitgpu.compare.nodes import Context
from gitgpu.counting import counting
from gitgpu.inventory.observed import ObservedCluster
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.names.kinds import AKS_NODE_CLASS


def proof(
    clusters: Sequence[ObservedCluster], options: ClusterOptions, inputs: Inputs, context: Context
) -> Iterator[PoolVerdict]:
    """The verdict for each pool of the fleet, in order of cluster and name."""
    named = {cluster.name: cluster for cluster in inputs.clusters}
    for running in counting(clusters, options.on_compare):
        cluster = named.get(cluster_name(running, options))
        if cluster:
            yield from _proof(running, cluster, inputs, context)


def _proof(running: ObservedCluster, cluster: Cluster, inputs: Inputs, context: Context) -> Iterator[PoolVerdict]:
    before = {}
    for observed in running.objects:
        if is_of_nodes(observed.body):
            stored = node_object(as_ours(observed.body, cluster.stack.aso.namespace), cluster.name)
            before[stored.key] = stored
    after = node_objects(inputs, cluster)
    classes = {obj.identity.name for obj in before.values() if obj.identity.kind == AKS_NODE_CLASS.kind}
    compared = compare_nodes(before, after, cluster.region, context)
    objects = {(obj.identity.kind, obj.identity.name): obj for obj in after.values()}
    for key, change in sorted(compared.pools.items()):
        if key in objects:
            of_class = reach(objects[key].body, "spec", "template", "spec", "nodeClassRef", "name")
            unread = of_class if of_class and of_class not in classes else ""
            yield PoolVerdict(cluster.name, change, str(unread))


def software_proof(
    clusters: Iterable[ObservedCluster], options: ClusterOptions, inputs: Inputs
) -> Iterator[SoftwareChange]:
    """What the first build changes about the software of these clusters."""
    named = {cluster.name: cluster for cluster in inputs.clusters}
    for running in clusters:
        if cluster := named.get(cluster_name(running, options)):
            yield from software_changes(running, inputs, cluster)
