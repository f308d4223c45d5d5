"""Which charts a cluster's dashboard has: those whose fields its exporters export.

Depending on its version, the exporter writes the node name as Hostname or hostname. A matcher that also accepts ""
matches both, because a label that a series does not have is "". An Azure Monitor workspace may contain the metrics of
many clusters. Azure's own job for managed GPU nodes keeps neither label: there the node is the instance. AMD's exporter
writes hostname, and gpu_id for gpu.
"""

from itertools import chain
from typing import NamedTuple

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
# Of the first two, a MIG instance has only the first.
BUSY: Terms = {(ENGINE,): f"{ENGINE}%", (UTIL,): f"{UTIL}% / 100", (GFX,): f"{GFX}% / 100"}
MEMORY: Terms = {(USED, FREE): f"{USED}% / ({USED}% + {FREE}%)", (VRAM, ALL_VRAM): f"{VRAM}% / {ALL_VRAM}%"}


class _Chart(NamedTuple):
    """A chart, whether or not its fields are exported. `terms` are expressions by the fields that each of them needs.

    `frame` is the expression around them, with @ in their place.
    """

    title: str
    unit: str
    terms: Terms
    frame: str
    legend: str


def panels(seen: Watched, cluster: Cluster) -> tuple[Panel, ...]:
    """The charts, in the order in which they are shown; % is replaced by the label matchers."""
    is_azure = cluster.stack.metrics.scrape == "azure-managed"
    cluster_matcher = f'cluster="{cluster.aks_name}"' if is_azure else ""
    matchers = f"{cluster_matcher},{CHOSEN}" if cluster_matcher else CHOSEN
    # Series of managed GPU nodes have no pod.
    pod_matchers = f'{matchers},pod!=""' if seen.nodes else matchers
    legend = AZURE_GPU if seen.nodes and not seen.nodes.brought else GPU
    gpu = legend.replace("{{gpu}}", "{{gpu}}{{gpu_id}}") if seen.amd else legend
    exported = (_exported(seen, chart) for chart in _charts(seen, gpu))
    shown_charts = [chart for chart in exported if chart.terms]
    terms = chain.from_iterable(chart.terms for chart in shown_charts)
    series = _series({fields[0] for fields in terms}, seen, cluster_matcher)
    all_panels = []
    for chart in shown_charts:
        query = _expr(chart.terms, chart.frame, f"{{{pod_matchers if chart.frame == BY_POD else matchers}}}")
        all_panels.append(Panel(chart.title, series, chart.unit, query, chart.legend))
    return tuple(all_panels)


def _charts(seen: Watched, gpu: str) -> tuple[_Chart, ...]:
    """All charts in order; `gpu` is the legend of a series for each GPU."""
    by_pod = BUSY if seen.by_pod or seen.amd else {}
    return (
        _Chart("Busy", "percentunit", BUSY, "@", gpu),
        _Chart("Busy, by pod", "percentunit", by_pod, BY_POD, "{{namespace}}/{{pod}}"),
        _Chart("Tensor cores busy", "percentunit", _plain("DCGM_FI_PROF_PIPE_TENSOR_ACTIVE"), "@", gpu),
        _Chart("Memory used", "percentunit", MEMORY, "@", gpu),
        _Chart("Temperature", "celsius", _plain("DCGM_FI_DEV_GPU_TEMP"), "@", gpu),
        _Chart("Power", "watt", _plain("DCGM_FI_DEV_POWER_USAGE"), "@", gpu),
        _Chart("Last XID error", "none", _plain("DCGM_FI_DEV_XID_ERRORS"), "@", gpu),
        _Chart("Health of AMD GPUs (1 is well)", "none", _plain("gpu_health"), "@", gpu),
        _Chart("Uncorrectable errors of AMD GPUs", "none", _plain("gpu_ecc_uncorrect_total"), "@", gpu),
    )


def _exported(seen: Watched, wanted: _Chart) -> _Chart:
    """The chart with those terms whose fields are all exported."""
    exported = seen.by_pod | seen.by_node | seen.of_amd
    terms = {fields: expr for fields, expr in wanted.terms.items() if exported.issuperset(fields)}
    return wanted._replace(terms=terms)


def _expr(terms: Terms, frame: str, chosen: str) -> str:
    return frame.replace("@", " or ".join(terms.values())).replace("%", chosen)


def _series(shown: set[str], seen: Watched, cluster_matcher: str) -> tuple[str, ...]:
    """One of the shown series for each kind of exporter; DEV comes before PROF, which not every GPU has."""
    fields = [min(shown & exported, default="") for exported in (seen.by_pod, seen.by_node, seen.of_amd)]
    matchers = f"{{{cluster_matcher}}}" if cluster_matcher else ""
    return tuple(f"{field}{matchers}" for field in dict.fromkeys(fields) if field)


def _plain(field: str) -> Terms:
    return {(field,): f"{field}%"}
