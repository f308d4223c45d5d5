"""Which alert rules a cluster gets: those whose metrics its exporters export."""

from collections.abc import Collection, Iterable, Iterator

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.stack import Metrics
from gitgpu.plan.watching import Alert, Scraped


def alerts(scraped: Iterable[Scraped], metrics: Metrics, catalog: Catalog) -> tuple[Alert, ...]:
    """The rules about what is scraped, recorded series before alerts; () when nobody asks or nothing is scraped."""
    there = (one for one in scraped if one.targets and metrics.alerts)
    found = (alert for one in there for alert in _alerts(one, catalog))
    return tuple(sorted(found, key=lambda one: (one.severity != "", one.name)))


def _alerts(scraped: Scraped, catalog: Catalog) -> Iterator[Alert]:
    exporters = "|".join(sorted({one.namespace for one in scraped.targets}))
    for name in catalog.names("alerts"):
        row = catalog.must("alerts", name)
        expr = _expr(row, scraped.fields).replace("$exporters", exporters)
        if expr and row.get("series", "dcgm") == scraped.series:
            yield Alert(
                name=row.get("alert") or row["record"],
                expr=expr,
                wait=row.get("for", ""),
                severity=row.get("severity", ""),
                summary=row.get("summary", ""),
                description=row.get("description", ""),
                rows=catalog.own("alerts", name),
            )


def _expr(row: Facts, exported: Collection[str]) -> str:
    """The terms whose fields are exported, each once; "" when there is none."""
    found = (term["expr"] for term in row["terms"] if set(term["fields"]) <= set(exported))
    return " or ".join(dict.fromkeys(found))
