"""Running clusters compared with an existing fleet: whether their nodes and their software stay as they are."""

from gitgpu.adopt.clusters import ClusterOptions, cluster_name, distinct_clusters
from gitgpu.adopt.first_build import software_changes
from gitgpu.adopt.first_build.software_change import SoftwareChange
from gitgpu.adopt.node.unknown_fields import known_fields
from gitgpu.adopt.proof import outputs, pool_verdicts
from gitgpu.adopt.reading.passed_values import with_named_releases
from gitgpu.adopt.undescribed_pools import Described, undescribed_pools
from gitgpu.adopt.verdict import PoolVerdict
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
    named = with_named_releases(clusters)
    read = known_fields(inventory._replace(clusters=tuple(named)), context.contracts).inventory
    verdicts: list[PoolVerdict] = []
    software: list[SoftwareChange] = []
    for running, output in outputs(read.clusters, options, checked.inputs):
        verdicts += pool_verdicts(running, output, context)
        software += software_changes(running, output)
    clusters_by_name = {cluster.name: cluster for cluster in checked.inputs.clusters}
    missing: list[Reported] = []
    for running in read.clusters:
        name = cluster_name(running, options)
        pools = {(verdict.change.of, verdict.change.name) for verdict in verdicts if verdict.cluster == name}
        described = Described(name, clusters_by_name.get(name), pools)
        missing += map(Reported, undescribed_pools(running, described, context))
    return ImportReport("", tuple(missing), tuple(verdicts), inventory.skipped, checked=True, software=tuple(software))
