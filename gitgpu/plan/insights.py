"""GPUs in Container insights: what its agent is told to scrape, and which queries have an answer."""

from collections.abc import Sequence

from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster
from gitgpu.plan.decided.cluster import Exporter
from gitgpu.plan.decided.monitoring import Insights, Query
from gitgpu.plan.metrics import NAMESPACE


def insights(own: Sequence[Exporter], cluster: Cluster, catalog: Catalog) -> Insights | None:
    """What the cluster asked for; its agent finds gitgpu's own exporters alone, by their pods' annotations."""
    asked = cluster.stack.metrics.insights
    if asked == "none":
        return None
    scraped = own if asked == "utilization" else ()
    exported = {counter.field for exporter in scraped for counter in exporter.counters}
    rows = catalog.rows("queries")
    name_in_azure = cluster.aks_name
    needs = [need_ for row in rows.values() for need_ in row["needs"] if exported.issuperset(need_)]
    fields = sorted({field for need_ in needs for field in need_})
    return Insights(
        namespaces=(NAMESPACE,) if fields else (),
        fields=tuple(fields),
        queries=tuple(
            Query(
                row["title"], row["kql"].replace("$cluster", name_in_azure), row["chart"], catalog.own("queries", name)
            )
            for name, row in rows.items()
            if not row["needs"] or any(exported.issuperset(need_) for need_ in row["needs"])
        ),
    )
