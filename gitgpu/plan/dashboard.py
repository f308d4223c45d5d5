"""Which charts a cluster's dashboard has: those whose fields its exporters export.

The exporter writes the node's name as Hostname or as hostname, by its version. A matcher that also takes "" lets either
pass, because a label that a series does not have is "". An Azure Monitor workspace may hold many clusters' metrics.
Azure's own job for managed GPU nodes keeps neither: there the node is the instance. AMD's exporter writes hostname, and
gpu_id for gpu.
"""

from gitgpu.model.fleet import Cluster
from gitgpu.plan.decided.monitoring import Panel, Watched

Terms = dict[tuple[str, ...], str]

# Exporters spell the label of the node differently, so both spellings are matched.
CHOSEN = 'Hostname=~"$node|",hostname=~"$node|",namespace=~"$namespace"'
GPU = "{{Hostname}}{{hostname}} GPU {{gpu}} {{GPU_I_PROFILE}} {{namespace}}/{{pod}}"
AZURE_GPU = "{{Hostname}}{{hostname}} {{instance}} GPU {{gpu}} {{GPU_I_PROFILE}} {{namespace}}/{{pod}}"
ENGINE, UTIL = "DCGM_FI_PROF_GR_ENGINE_ACTIVE", "DCGM_FI_DEV_GPU_UTIL"
BY_POD = "avg by (namespace, pod) (@)"
USED, FREE = "DCGM_FI_DEV_FB_USED", "DCGM_FI_DEV_FB_FREE"
GFX, VRAM, ALL_VRAM = "gpu_gfx_activity", "gpu_used_vram", "gpu_total_vram"
# Of the first two a partition (MIG) has the first only.
BUSY: Terms = {(ENGINE,): f"{ENGINE}%", (UTIL,): f"{UTIL}% / 100", (GFX,): f"{GFX}% / 100"}
MEMORY: Terms = {(USED, FREE): f"{USED}% / ({USED}% + {FREE}%)", (VRAM, ALL_VRAM): f"{VRAM}% / {ALL_VRAM}%"}


def panels(seen: Watched, cluster: Cluster) -> tuple[Panel, ...]:
    """The charts, in the order in which they are shown; % is replaced by the label matchers."""
    of_azure = cluster.stack.metrics.scrape == "azure-managed"
    own = f'cluster="{cluster.aks_name}"' if of_azure else ""
    chosen = f"{{{own}{',' if own else ''}{CHOSEN}}}"
    with_pod = f'{chosen[:-1]},pod!=""}}' if seen.nodes else chosen
    legend = AZURE_GPU if seen.nodes and not seen.nodes.brought else GPU
    gpu = legend.replace("{{gpu}}", "{{gpu}}{{gpu_id}}") if seen.amd else legend
    wanted: tuple[tuple[str, str, Terms, str, str], ...] = (
        ("Busy", "percentunit", BUSY, "@", gpu),
        ("Busy, by pod", "percentunit", BUSY if seen.by_pod or seen.amd else {}, BY_POD, "{{namespace}}/{{pod}}"),
        ("Tensor cores busy", "percentunit", _plain("DCGM_FI_PROF_PIPE_TENSOR_ACTIVE"), "@", gpu),
        ("Memory used", "percentunit", MEMORY, "@", gpu),
        ("Temperature", "celsius", _plain("DCGM_FI_DEV_GPU_TEMP"), "@", gpu),
        ("Power", "watt", _plain("DCGM_FI_DEV_POWER_USAGE"), "@", gpu),
        ("Last XID error", "none", _plain("DCGM_FI_DEV_XID_ERRORS"), "@", gpu),
        ("Health of AMD GPUs (1 is well)", "none", _plain("gpu_health"), "@", gpu),
        ("Uncorrectable errors of AMD GPUs", "none", _plain("gpu_ecc_uncorrect_total"), "@", gpu),
    )
    exported = seen.by_pod | seen.by_node | seen.of_amd
    shown = []
    first_fields: set[str] = set()
    for title, unit, terms, frame, legend in wanted:
        answered = {fields: expr for fields, expr in terms.items() if set(fields) <= exported}
        if answered:
            query = _expr(answered, frame, with_pod if frame == BY_POD else chosen)
            shown.append((title, unit, query, legend))
            first_fields.update(fields[0] for fields in answered)
    series = _series(first_fields, seen, own)
    return tuple(Panel(title, series, unit, query, legend) for title, unit, query, legend in shown)


def _expr(terms: Terms, frame: str, chosen: str) -> str:
    return frame.replace("@", " or ".join(terms.values())).replace("%", chosen)


def _series(shown: set[str], seen: Watched, own: str) -> tuple[str, ...]:
    """One of the shown series for each sort of exporter; DEV comes before PROF, which not every GPU has."""
    fields = dict.fromkeys(min(shown & there, default="") for there in (seen.by_pod, seen.by_node, seen.of_amd))
    return tuple(f"{field}{{{own}}}" if own else field for field in fields if field)


def _plain(field: str) -> Terms:
    return {(field,): f"{field}%"}
