"""Which alert rules a cluster gets: those whose fields its exporters export."""

from collections.abc import Collection, Iterator

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.stack import Metrics
from gitgpu.plan.watching import Alert, Watched


def alerts(seen: Watched, metrics: Metrics, catalog: Catalog) -> tuple[Alert, ...]:
    """The rules about what is scraped, recorded series before alerts; () when nobody asks or nothing is scraped."""
    found = _alerts(seen, catalog) if metrics.alerts else ()
    return tuple(sorted(found, key=lambda one: (one.severity != "", one.name)))


def _alerts(seen: Watched, catalog: Catalog) -> Iterator[Alert]:
    exporters = "|".join(sorted({one.namespace for one in seen.monitors}))
    for name, row in catalog.rows("alerts").items():
        expr = _expr(row, _exported(row, seen)).replace("$exporters", exporters)
        if expr:
            yield Alert(
                name=row.get("alert") or row["record"],
                expr=expr.replace("$job", seen.nodes.job if seen.nodes else ""),
                wait=row.get("for", ""),
                severity=row.get("severity", ""),
                summary=row.get("summary", ""),
                description=row.get("description", ""),
                rows=catalog.own("alerts", name),
            )


def _exported(row: Facts, seen: Watched) -> Collection[str] | None:
    """The fields that the exporters of a row's scope export, None when there is no such exporter."""
    if row.get("scope") == "pods":
        return seen.by_pod if seen.monitors else None
    if row.get("scope") == "nodes":
        return seen.by_node if seen.nodes else None
    return seen.by_pod | seen.by_node


def _expr(row: Facts, exported: Collection[str] | None) -> str:
    """The terms whose fields are exported, each once; "" when there is none."""
    there = () if exported is None else row["terms"]
    found = (term["expr"] for term in there if set(term["fields"]) <= set(exported or ()))
    return " or ".join(dict.fromkeys(found))
