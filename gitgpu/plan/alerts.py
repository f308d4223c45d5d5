"""Which alert rules a cluster gets: those whose fields its exporters export."""

from collections.abc import Collection, Iterator, Sequence

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.stack import Metrics
from gitgpu.plan.watching import Alert, Monitor


def alerts(
    targets: Sequence[Monitor], exported: Collection[str], metrics: Metrics, catalog: Catalog
) -> tuple[Alert, ...]:
    """The rules about what is scraped, recorded series before alerts; () when nobody asks or nothing is scraped."""
    exporters = "|".join(sorted({one.namespace for one in targets}))
    found = _alerts(exported, exporters, catalog) if targets and metrics.alerts else ()
    return tuple(sorted(found, key=lambda one: (one.severity != "", one.name)))


def _alerts(exported: Collection[str], exporters: str, catalog: Catalog) -> Iterator[Alert]:
    for name, row in catalog.rows("alerts").items():
        expr = _expr(row, exported).replace("$exporters", exporters)
        if expr:
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
