"""Which charts a cluster's dashboard has: those whose fields its exporters export.

The exporter writes the node's name as Hostname or as hostname, by its version. A matcher that also takes "" lets either
pass, because a label that a series does not have is "". An Azure Monitor workspace may hold many clusters' metrics.
Azure's own job for managed GPU nodes keeps neither: there the node is the instance.
"""

from gitgpu.model.fleet import Cluster
from gitgpu.plan.watching import Panel, Watched

Terms = dict[tuple[str, ...], str]

CHOSEN = 'Hostname=~"$node|",hostname=~"$node|",namespace=~"$namespace"'
GPU = "{{Hostname}}{{hostname}} GPU {{gpu}} {{GPU_I_PROFILE}} {{namespace}}/{{pod}}"
AZURE_GPU = "{{Hostname}}{{hostname}} {{instance}} GPU {{gpu}} {{GPU_I_PROFILE}} {{namespace}}/{{pod}}"
ENGINE, UTIL = "DCGM_FI_PROF_GR_ENGINE_ACTIVE", "DCGM_FI_DEV_GPU_UTIL"
BY_POD = "avg by (namespace, pod) (@)"
USED, FREE = "DCGM_FI_DEV_FB_USED", "DCGM_FI_DEV_FB_FREE"
BUSY: Terms = {(ENGINE,): f"{ENGINE}%", (UTIL,): f"{UTIL}% / 100"}  # a partition (MIG) has the first only


def panels(seen: Watched, cluster: Cluster) -> tuple[Panel, ...]:
    """The charts, in the order in which they are shown; % stands for what chooses the series."""
    of_azure = cluster.stack.metrics.scrape == "azure-managed"
    own = f'cluster="{cluster.name}"' if of_azure else ""
    chosen = f"{{{own}{',' if own else ''}{CHOSEN}}}"
    with_pod = f'{chosen[:-1]},pod!=""}}' if seen.nodes else chosen
    gpu = AZURE_GPU if seen.nodes and not seen.nodes.brought else GPU
    wanted: tuple[tuple[str, str, Terms, str, str], ...] = (
        ("Busy", "percentunit", BUSY, "@", gpu),
        ("Busy, by pod", "percentunit", BUSY if seen.by_pod else {}, BY_POD, "{{namespace}}/{{pod}}"),
        ("Tensor cores busy", "percentunit", _plain("DCGM_FI_PROF_PIPE_TENSOR_ACTIVE"), "@", gpu),
        ("Memory used", "percentunit", {(USED, FREE): f"{USED}% / ({USED}% + {FREE}%)"}, "@", gpu),
        ("Temperature", "celsius", _plain("DCGM_FI_DEV_GPU_TEMP"), "@", gpu),
        ("Power", "watt", _plain("DCGM_FI_DEV_POWER_USAGE"), "@", gpu),
        ("Last XID error", "none", _plain("DCGM_FI_DEV_XID_ERRORS"), "@", gpu),
    )
    exported = seen.by_pod | seen.by_node
    return tuple(
        Panel(title, _series(next(iter(found))[0], own), unit, _expr(found, frame, series), legend)
        for title, unit, terms, frame, legend in wanted
        if (found := {fields: expr for fields, expr in terms.items() if set(fields) <= exported})
        for series in (with_pod if frame == BY_POD else chosen,)
    )


def _expr(terms: Terms, frame: str, chosen: str) -> str:
    return frame.replace("@", " or ".join(terms.values())).replace("%", chosen)


def _series(field: str, own: str) -> str:
    return f"{field}{{{own}}}" if own else field


def _plain(field: str) -> Terms:
    return {(field,): f"{field}%"}
