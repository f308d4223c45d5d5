"""GPUs in Container insights: what its agent scrapes, and which queries have results."""

from collections.abc import Sequence
from itertools import chain

from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster
from gitgpu.model.software.names import NAMESPACE
from gitgpu.plan.decided.cluster import Exporter
from gitgpu.plan.decided.monitoring import Insights, Query


def insights(exporters: Sequence[Exporter], cluster: Cluster, catalog: Catalog) -> Insights | None:
    """What the stack of the cluster requests. The agent finds only gitgpu's exporters, by annotations of their pods."""
    wanted = cluster.stack.metrics.insights
    if wanted == "none":
        return None
    exported = _exported(exporters) if wanted == "utilization" else set()
    fields: set[str] = set()
    queries = []
    for name, row in catalog.rows("queries").items():
        answered = [needed for needed in row["needs"] if exported.issuperset(needed)]
        fields.update(*answered)
        # A query that needs no field reads what the agent always collects.
        if answered or not row["needs"]:
            kql = row["kql"].replace("$cluster", cluster.aks_name)
            queries.append(Query(row["title"], kql, row["chart"], catalog.own("queries", name)))
    return Insights(
        namespaces=(NAMESPACE,) if fields else (),
        fields=tuple(sorted(fields)),
        queries=tuple(queries),
    )


def _exported(exporters: Sequence[Exporter]) -> set[str]:
    """The fields of all counters that the exporters have."""
    counters = chain.from_iterable(exporter.counters for exporter in exporters)
    return {counter.field for counter in counters}
