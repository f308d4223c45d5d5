"""Facts of the catalog that running nodes contradict."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gitgpu.access import reach, text_at
from gitgpu.diagnostic import Diagnostic, Places, Severity
from gitgpu.model.catalog import Catalog
from gitgpu.model.driver_owner import AKS_ONLY, driver_on
from gitgpu.model.inputs import Inputs
from gitgpu.model.names.labels import AGENTPOOL_LABEL, INSTANCE_TYPE_LABEL, LEGACY_AGENTPOOL_LABEL, NODEPOOL_LABEL
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.version import version
from gitgpu.source import Pointer, Span

_POOLS = (NODEPOOL_LABEL, AGENTPOOL_LABEL, LEGACY_AGENTPOOL_LABEL)
_BY_AKS = ("aks", AKS_ONLY)
# Set by GPU feature discovery: internal/lm/nvml.go of NVIDIA/k8s-device-plugin.
_DRIVER = "nvidia.com/cuda.driver-version.full"


def newer_drivers(nodes: Iterable[tuple[Mapping[str, Any], Span]], inputs: Inputs) -> Iterator[Diagnostic]:
    """Drivers on nodes that are newer than the drivers that AKS installs according to the catalog, each reported once.

    Each node comes with the place of the label that names its driver.
    """
    pools = {
        pool.name for cluster, pool in inputs.placements() if driver_on(cluster, pool) in _BY_AKS and not pool.windows
    }
    seen: set[str] = set()
    for node, place in nodes:
        sku = inputs.catalog.sku(text_at(node, "metadata", "labels", INSTANCE_TYPE_LABEL))
        reported = text_at(node, "metadata", "labels", _DRIVER)
        here = {text_at(node, "metadata", "labels", key) for key in _POOLS}
        if not (sku and sku.driver and reported and here & pools) or sku.driver in seen:
            continue
        if reason := _newer(sku, reported, inputs.catalog):
            seen.add(sku.driver)
            message = f"node {text_at(node, 'metadata', 'name')} reports driver {reported}; {reason}"
            remedy = f"update gitgpu; or add a row drivers/{sku.driver} to your own catalog"
            yield Diagnostic("CAT018", Severity.WARNING, message, remedy, place)


def _newer(sku: Sku, reported: str, catalog: Catalog) -> str:
    """The driver of a size in the catalog, if it is older than the driver that a node reports."""
    listed = (catalog.facts("drivers", sku.driver or "") or {}).get("version") or ""
    try:
        is_newer = version(reported) > version(listed)
    except ValueError:
        return ""
    return f"the catalog says that AKS installs {listed} on {sku.name}" if is_newer else ""


def foreign_documents(documents: Iterable[tuple[Any, Places]]) -> Iterator[Diagnostic]:
    """Faults for documents that are neither nodes nor lists of nodes. An empty list is valid."""
    message = "not the output of `kubectl get nodes -o json`"
    remedy = "pass the output of `kubectl get nodes -o json` with --nodes"
    for data, places in documents:
        if not any(nodes_in(data, places)) and not _is_empty_list(data):
            yield Diagnostic("CAT011", Severity.ERROR, message, remedy, places.span())


def _is_empty_list(data: Any) -> bool:
    return text_at(data, "kind") in ("List", "NodeList") and reach(data, "items") == []


def nodes_in(data: Any, places: Places) -> Iterator[tuple[Mapping[str, Any], Span]]:
    """The nodes in the output of `kubectl get nodes`, in the form that `newer_drivers` expects."""
    items = reach(data, "items")
    documents: list[tuple[Pointer, Any]] = [((), data)]
    if isinstance(items, list):
        documents = [(("items", index), item) for index, item in enumerate(items)]
    for pointer, item in documents:
        if reach(item, "kind") == "Node":
            yield item, places.span((*pointer, "metadata", "labels", _DRIVER))
