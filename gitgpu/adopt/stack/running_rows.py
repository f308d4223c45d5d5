"""Rows of a catalog for versions that run and that the catalog does not have, so that a fleet can pin them.

A row has the facts of the nearest older version, without those that every version has its own of.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gitgpu.access import list_at, mapping_at, text_at
from gitgpu.adopt.adoption import Adopted
from gitgpu.adopt.stack.chart_versions import EXACT, lacking
from gitgpu.adopt.stack.installed import InstalledChart, installed_charts
from gitgpu.adopt.stack.running_images import RunningImage, running_images
from gitgpu.adopt.stack.view import View, bare_view
from gitgpu.inventory.observed import Observed, ObservedCluster
from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.names.groups import ARGO_GROUP, FLUX_HELM_GROUP, FLUX_SOURCE_GROUP, GITGPU_GROUP
from gitgpu.model.names.kinds import CONFIG_MAP, DEVICE_CONFIG, NIC_CLUSTER_POLICY
from gitgpu.model.syntax.version import NUMBERS, version
from gitgpu.objects.schema.contract import api_group

# Of the other charts, the software that they install has versions of its own, which would have to be known too, such as
# the driver for AMD's operator.
_CHARTS = (
    "dra-driver-nvidia-gpu",
    "gpu-operator",
    "kaito-workspace",
    "keda",
    "network-operator",
    "node-feature-discovery",
    "prometheus-adapter",
)
_GROUPS = (FLUX_HELM_GROUP, FLUX_SOURCE_GROUP, ARGO_GROUP, GITGPU_GROUP)  # of releases of charts
_KINDS = ("DaemonSet", DEVICE_CONFIG.kind, NIC_CLUSTER_POLICY.kind)  # that name images
_UNKNOWN: Mapping[str, Any] = {
    "driver": None,
    "kubeVersion": None,
    "microsoft": None,
    "validated": [],
    "components": {},
}
_OMITTED = ("definitions", "images", "newer")
_ABOUT = ("notes", "source", "asOf", "verified", "digest")  # keys about a row itself, and what a release never inherits


def running_rows(clusters: Sequence[ObservedCluster], catalog: Catalog) -> dict[str, dict[str, Any]]:
    """The rows of all versions that the catalog lacks, if they are exact, and the values of a chart were read.

    By path below the directory of a catalog. A row says nothing about the cluster, so that all that run one share it.
    """
    charts: set[tuple[str, str, str]] = set()
    images: set[RunningImage] = set()
    for cluster in clusters:
        objects = tuple(_naming_versions(cluster))
        if objects:
            view = bare_view(cluster._replace(objects=objects), catalog)
            images |= set(running_images(view))
            for chart in installed_charts(view, *_CHARTS):
                if running := _version(chart, view):
                    charts.add((chart.chart, running, chart.release.chart if chart.release else ""))
    rows = {_path(*each[:2]): _chart_row(*each, catalog) for each in sorted(charts)}
    return rows | {_path(*each): _image_row(each, catalog) for each in sorted(images)}


def pinned_rows(rows: Mapping[str, str], fleet: Adopted) -> dict[str, str]:
    """Those of these rows, by path, that a cluster of the fleet pins."""
    pins: set[str] = set()
    for _, document in fleet.documents:
        pins |= {_path(*pin) for pin in mapping_at(document.spec, "stack", "versions").items()}
    return {path: row for path, row in rows.items() if path in pins}


def _path(software: str, running: str) -> str:
    return f"releases/{software}-{running}.yaml"


def _naming_versions(cluster: ObservedCluster) -> Iterator[Observed]:
    """The objects that can name the version of a chart or an image, and ConfigMaps with values of a chart."""
    releases = [each for each in cluster.objects if api_group(str(each.body.get("apiVersion", ""))) in _GROUPS]
    names = {text_at(source, "name") for each in releases for source in list_at(each.body, "spec", "valuesFrom")}
    yield from releases
    for observed in cluster.objects:
        kind = observed.body.get("kind")
        if kind in _KINDS or (kind == CONFIG_MAP.kind and text_at(observed.body, "metadata", "name") in names):
            yield observed


def _version(chart: InstalledChart, view: View) -> str:
    """The version of a chart that gets a row, as the catalog spells versions of this chart; "" if it gets none."""
    running = lacking(chart, view).partition("+")[0].removeprefix("v")
    if not EXACT.fullmatch(running) or not chart.release or not chart.release.whole:
        return ""
    if chart.chart == "kaito-workspace" and running not in view.catalog.names("kaito"):
        return ""  # its sizes and models are not known
    starts_with_v = str(view.catalog.must("charts", chart.chart)["version"]).startswith("v")
    return f"v{running}" if starts_with_v else running


def _chart_row(software: str, running: str, name: str, catalog: Catalog) -> dict[str, Any]:
    changed, removed = _chart(software, running, catalog, name)
    whole = {**catalog.must("charts", software), **changed}
    return _row(software, running, {"chart": changed, "image": None}, removed, whole)


def _image_row(running: RunningImage, catalog: Catalog) -> dict[str, Any]:
    software, tag = running
    changed, removed = _chart(software, running.chart, catalog) if running.chart else (None, [])
    whole = catalog.must("containers", software)
    if "digests" in whole:
        removed.append("/image/digests")
    return _row(software, tag, {"chart": changed, "image": {"version": tag, "digest": None}}, removed, whole)


def _row(software: str, running: str, parts: Facts, removed: list[str], whole: Facts) -> dict[str, Any]:
    return {
        "name": f"{software}-{running}",
        "software": software,
        "version": running,
        **parts,
        **({"without": removed} if removed else {}),
        "source": [f"https://{whole['repository'].rpartition('://')[2]}"],
        "asOf": None,
        "verified": whole["verified"],  # of the facts that it takes over
    }


def _chart(software: str, running: str, catalog: Catalog, name: str = "") -> tuple[dict[str, Any], list[str]]:
    """The keys of the chart that differ from gitgpu's row, and the pointers of those that it does not have.

    `name` is what the running release calls the chart: before it was renamed, it was in another repository too.
    """
    shipped = catalog.files.shipped_row("charts", software)
    whole = shipped.data if shipped else catalog.must("charts", software)
    base = {key: value for key, value in whole.items() if key not in _ABOUT}
    nearest = _nearest(software, running, catalog, name)
    wanted = {key: value for key, value in nearest.items() if key not in (*_ABOUT, *_OMITTED)}
    wanted |= {key: value for key, value in _UNKNOWN.items() if key in wanted}
    wanted |= {"version": running, "appVersion": _app_version(nearest, running)}
    required = {key: wanted[key] for key in ("version", "appVersion")}
    return {**required, **_changes(base, wanted)}, sorted(_removed(base, wanted, "/chart"))


def _app_version(nearest: Facts, running: str) -> str:
    """The version of the software, if it has that of its chart."""
    numbers, app = str(nearest["version"]).removeprefix("v"), str(nearest["appVersion"])
    return app.replace(numbers, running.removeprefix("v")) if numbers in app else "unknown"


def _nearest(software: str, running: str, catalog: Catalog, name: str) -> Facts:
    """The facts of the newest version that is not newer, else of the oldest that the catalog has."""
    every = [facts for each in catalog.versions(software).values() if (facts := each.facts.get("charts"))]
    known = [facts for facts in every if facts["chart"] == name] or every
    older = [facts for facts in known if _numbers(facts["version"]) <= _numbers(running)]
    return (older or known[:1])[-1]


def _numbers(text: str) -> tuple[int, ...]:
    match = NUMBERS.match(text)
    return version(match[1]) if match else ()


def _changes(base: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """What differs in `wanted`, for a merge of mappings key by key."""
    changes: dict[str, Any] = {}
    for key, value in wanted.items():
        was = base.get(key)
        if isinstance(was, Mapping) and isinstance(value, Mapping):
            if inner := _changes(was, value):
                changes[key] = inner
        elif key not in base or was != value:
            changes[key] = value
    return changes


def _removed(base: Mapping[str, Any], wanted: Mapping[str, Any], at: str) -> Iterator[str]:
    """The pointers of the keys that `wanted` does not have."""
    for key, was in base.items():
        if key not in wanted:
            yield f"{at}/{key}"
        elif isinstance(was, Mapping) and isinstance(wanted[key], Mapping):
            yield from _removed(was, wanted[key], f"{at}/{key}")
