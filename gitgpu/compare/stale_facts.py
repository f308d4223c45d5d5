"""Facts of the catalog that are old, or that running nodes contradict."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from typing import Any

from gitgpu.diagnostic import Diagnostic, Places, Severity
from gitgpu.load.access import inner, words
from gitgpu.model.catalog import Catalog
from gitgpu.model.inputs import Inputs, driver_on
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.version import minor, version
from gitgpu.source import Pointer, Span

OLD = timedelta(days=90)
_SIZE = "node.kubernetes.io/instance-type"
_POOLS = ("karpenter.sh/nodepool", "kubernetes.azure.com/agentpool", "agentpool")
# Set by GPU feature discovery: internal/lm/nvml.go of NVIDIA/k8s-device-plugin.
_DRIVER = "nvidia.com/cuda.driver-version.full"
_NO_AGE = "9999-12-31"


def old_facts(inputs: Inputs, today: str) -> Iterator[Diagnostic]:
    """One note about the facts of this fleet that Azure changes often, and that were looked up long before a day."""
    if not today:
        return
    before = (date.fromisoformat(today) - OLD).isoformat()
    found = [f"{what} of {day}" for what, day in sorted(_oldest(inputs).items()) if day < before]
    if found:
        message = f"on {today}, these facts are older than {OLD.days} days: {', '.join(found)}"
        remedy = "update gitgpu, or run `gitgpu catalog refresh`"
        yield Diagnostic("CAT017", Severity.INFO, message, remedy, Span("", 0, 0))


def _oldest(inputs: Inputs) -> dict[str, str]:
    """The oldest day on which facts of each kind were looked up, of those that the fleet uses."""
    regions = {cluster.region for cluster in inputs.clusters}
    sizes = {sku.name for _, pool in inputs.placed() for sku in pool.skus}
    rows = {
        "prices": (("prices", region) for region in regions),
        "regions": (("regions", region) for region in regions),
        "sizes": (("skus", size) for size in sizes),
        "Kubernetes versions": (("kubernetes", minor(cluster.kubernetes)) for cluster in inputs.clusters),
    }
    days = {what: min((_day(inputs.catalog, *row) for row in named), default=_NO_AGE) for what, named in rows.items()}
    return {what: day for what, day in days.items() if day != _NO_AGE}


def _day(catalog: Catalog, kind: str, name: str) -> str:
    row = catalog.facts(kind, name)
    return str(row.get("date", row["verified"])) if row else _NO_AGE


def newer_drivers(nodes: Iterable[tuple[Mapping[str, Any], Span]], inputs: Inputs) -> Iterator[Diagnostic]:
    """Drivers that AKS installed on nodes of the fleet, and that are newer than the catalog says; each once.

    The nodes come with the places of the label that names the driver.
    """
    pools = {pool.name for cluster, pool in inputs.placed() if driver_on(cluster, pool) == "aks" and not pool.windows}
    seen: set[str] = set()
    for node, place in nodes:
        sku = inputs.catalog.sku(words(node, "metadata", "labels", _SIZE))
        reported = words(node, "metadata", "labels", _DRIVER)
        here = {words(node, "metadata", "labels", key) for key in _POOLS}
        if not (sku and sku.driver and reported and here & pools) or sku.driver in seen:
            continue
        if found := _newer(sku, reported, inputs.catalog):
            seen.add(sku.driver)
            message = f"node {words(node, 'metadata', 'name')} reports driver {reported}; {found}"
            remedy = f"update gitgpu; or write a row drivers/{sku.driver} of your own"
            yield Diagnostic("CAT018", Severity.WARNING, message, remedy, place)


def _newer(sku: Sku, reported: str, catalog: Catalog) -> str:
    """What the catalog says of the driver of a size, if that is older than what a node reports."""
    known = (catalog.facts("drivers", sku.driver or "") or {}).get("version") or ""
    try:
        is_newer = version(reported) > version(known)
    except ValueError:
        return ""
    return f"the catalog says that AKS installs {known} on {sku.name}" if is_newer else ""


def nodes_in(data: Any, places: Places) -> Iterator[tuple[Mapping[str, Any], Span]]:
    """The nodes of an object or a list of `kubectl get nodes`, as `newer_drivers` takes them."""
    items = inner(data, "items")
    listed: list[tuple[Pointer, Any]] = [((), data)]
    if isinstance(items, list):
        listed = [(("items", at), item) for at, item in enumerate(items)]
    for pointer, item in listed:
        if inner(item, "kind") == "Node":
            yield item, places.span((*pointer, "metadata", "labels", _DRIVER))
