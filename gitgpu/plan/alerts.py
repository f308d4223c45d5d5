"""Which alert rules a cluster gets: those whose metrics its exporters export."""

from collections.abc import Iterator

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.spec.stack import Metrics
from gitgpu.plan.decided.monitoring import Alert, Watched

OF_NODES = ("tainted", "initialized")  # the scopes of alerts that need no exporter


def alerts(seen: Watched, metrics: Metrics, catalog: Catalog) -> tuple[Alert, ...]:
    """The rules for scraped metrics, recorded series before alerts; () if alerts are off or nothing is scraped."""
    all_alerts = _alerts(seen, catalog) if metrics.alerts else ()
    return tuple(sorted(all_alerts, key=lambda alert: (alert.severity != "", alert.name)))


def _alerts(seen: Watched, catalog: Catalog) -> Iterator[Alert]:
    for name, row in catalog.rows("alerts").items():
        if row.get("scope") in OF_NODES:
            continue
        services = (seen.amd.service,) if seen.amd and row.get("scope") == "amd" else seen.services
        exporters = "|".join(sorted({service.namespace for service in services}))
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


def _exported(row: Facts, seen: Watched) -> frozenset[str] | None:
    """The metrics that the exporters in a row's scope export; None if there is no such exporter."""
    scopes = {
        "amd": seen.of_amd if seen.amd else None,
        "pods": seen.by_pod if seen.services else None,
        "nodes": seen.by_node if seen.nodes else None,
    }
    return scopes.get(row.get("scope", ""), seen.by_pod | seen.by_node)


def _expr(row: Facts, exported: frozenset[str] | None) -> str:
    """The terms whose fields are exported, each once; "" if there are none."""
    if exported is None:
        return ""
    terms = (term["expr"] for term in row["terms"] if exported.issuperset(term["fields"]))
    return " or ".join(dict.fromkeys(terms))
