"""Running clusters compared with an existing fleet: whether their nodes and their software stay as they are."""

from gitgpu.adopt.clusters import ClusterOptions, cluster_name, distinct_clusters
from gitgpu.adopt.node.unknown_fields import known_fields
from gitgpu.adopt.proof import proof, software_proof
from gitgpu.adopt.undescribed_pools import Described, undescribed_pools
from gitgpu.compare.nodes import Context
from gitgpu.inventory.observed import Inventory
from gitgpu.load.schemas import Schemas
from gitgpu.objects.schema.contracts import Contracts
from gitgpu.report.imported import ImportReport, Reported
from gitgpu.runs.validate import CheckedFleet


def check_running_clusters(inventory: Inventory, options: ClusterOptions, checked: CheckedFleet) -> ImportReport:
    """Whether the nodes and software of running clusters stay as they are with an existing fleet."""
    if checked.inputs is None:
        return ImportReport("", (), (), inventory.skipped, checked=True)
    context = Context(checked.inputs.catalog, Contracts(Schemas()))
    clusters, _ = distinct_clusters(inventory.clusters, options)
    read = known_fields(inventory._replace(clusters=tuple(clusters)), context.contracts).inventory
    verdicts = tuple(proof(read.clusters, options, checked.inputs, context))
    clusters_by_name = {cluster.name: cluster for cluster in checked.inputs.clusters}
    missing: list[Reported] = []
    for running in read.clusters:
        name = cluster_name(running, options)
        pools = {(verdict.change.of, verdict.change.name) for verdict in verdicts if verdict.cluster == name}
        described = Described(name, clusters_by_name.get(name), pools)
        missing += map(Reported, undescribed_pools(running, described, context))
    software = tuple(software_proof(read.clusters, options, checked.inputs))
    return ImportReport("", tuple(missing), verdicts, inventory.skipped, checked=True, software=software)
