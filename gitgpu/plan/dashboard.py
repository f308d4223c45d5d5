"""Which charts a cluster's dashboard has: those whose fields its exporters export.

The exporter writes the node's name as Hostname or as hostname, by its version. A matcher that also takes "" lets either
pass, because a label that a series does not have is "". An Azure Monitor workspace may hold many clusters' metrics.
"""

from collections.abc import Collection

from gitgpu.model.fleet import Cluster
from gitgpu.plan.watching import Panel

Terms = dict[tuple[str, ...], str]

CHOSEN = 'Hostname=~"$node|",hostname=~"$node|",namespace=~"$namespace"'
GPU = "{{Hostname}}{{hostname}} GPU {{gpu}} {{GPU_I_PROFILE}} {{namespace}}/{{pod}}"
ENGINE, UTIL = "DCGM_FI_PROF_GR_ENGINE_ACTIVE", "DCGM_FI_DEV_GPU_UTIL"
USED, FREE = "DCGM_FI_DEV_FB_USED", "DCGM_FI_DEV_FB_FREE"
BUSY: Terms = {(ENGINE,): f"{ENGINE}%", (UTIL,): f"{UTIL}% / 100"}  # a partition (MIG) has the first only


def panels(exported: Collection[str], cluster: Cluster) -> tuple[Panel, ...]:
    """The charts, in the order in which they are shown; % stands for what chooses the series."""
    of_azure = cluster.stack.metrics.scrape == "azure-managed"
    own = f'cluster="{cluster.name}"' if of_azure else ""
    chosen = f"{{{own}{',' if own else ''}{CHOSEN}}}"
    wanted: tuple[tuple[str, str, Terms, str, str], ...] = (
        ("Busy", "percentunit", BUSY, "@", GPU),
        ("Busy, by pod", "percentunit", BUSY, "avg by (namespace, pod) (@)", "{{namespace}}/{{pod}}"),
        ("Tensor cores busy", "percentunit", _plain("DCGM_FI_PROF_PIPE_TENSOR_ACTIVE"), "@", GPU),
        ("Memory used", "percentunit", {(USED, FREE): f"{USED}% / ({USED}% + {FREE}%)"}, "@", GPU),
        ("Temperature", "celsius", _plain("DCGM_FI_DEV_GPU_TEMP"), "@", GPU),
        ("Power", "watt", _plain("DCGM_FI_DEV_POWER_USAGE"), "@", GPU),
        ("Last XID error", "none", _plain("DCGM_FI_DEV_XID_ERRORS"), "@", GPU),
    )
    return tuple(
        Panel(title, _series(next(iter(found))[0], own), unit, _expr(found, frame, chosen), legend)
        for title, unit, terms, frame, legend in wanted
        if (found := {fields: expr for fields, expr in terms.items() if set(fields) <= set(exported)})
    )


def _expr(terms: Terms, frame: str, chosen: str) -> str:
    return frame.replace("@", " or ".join(terms.values())).replace("%", chosen)


def _series(field: str, own: str) -> str:
    return f"{field}{{{own}}}" if own else field


def _plain(field: str) -> Terms:
    return {(field,): f"{field}%"}
