"""Values for charts that no cluster installs."""

from collections.abc import Iterator, Sequence
from itertools import chain

from gitgpu.adjust.compiled import Compiled
from gitgpu.adjust.fault import ValuePlace, fault
from gitgpu.diagnostic import Diagnostic, Problem
from gitgpu.emit.chart.decisions import INSTALLED_BY
from gitgpu.emit.manifest import Manifest
from gitgpu.model.catalog import Catalog
from gitgpu.source import Span
from gitgpu.spelling import nearest

_RUNNING = ("DaemonSet", "Deployment")


def missing_charts(clusters: Sequence[Compiled], catalog: Catalog) -> Iterator[Diagnostic]:
    """A fault for each chart with values that no cluster installs. Values of the Fleet are for every cluster."""
    missing: dict[Span, tuple[ValuePlace, list[Compiled]]] = {}
    used: set[Span] = set()
    for cluster in clusters:
        emitted = {release.chart.release for release in cluster.releases}
        for layer in cluster.plan.cluster.values:
            for name in layer.values:
                place = ValuePlace(layer, (name,), at_key=True)
                _, with_values = missing.setdefault(place.span, (place, []))
                with_values.append(cluster)
                if name in emitted:
                    used.add(place.span)
    for span, (place, where) in missing.items():
        if span not in used:
            yield _missing(place, where, catalog)


def _missing(place: ValuePlace, clusters: Sequence[Compiled], catalog: Catalog) -> Diagnostic:
    name = str(place.path[0])
    releases = chain.from_iterable(cluster.releases for cluster in clusters)
    emitted = sorted({release.chart.release for release in releases})
    whose = f"cluster {clusters[0].name} does not install" if len(clusters) == 1 else "no cluster installs"
    charts = f"the charts are: {', '.join(emitted) or 'none'}"
    return fault(
        "VAL001", place, Problem(f"{whose} a chart '{name}'; {charts}", _remedy(name, emitted, clusters, catalog))
    )


def _remedy(name: str, emitted: Sequence[str], clusters: Sequence[Compiled], catalog: Catalog) -> str:
    """The name that was probably meant, or the objects that gitgpu generates instead of a chart."""
    rows = catalog.rows("charts")
    installed = next((release for release in INSTALLED_BY if rows[release]["chart"] == name), "")
    closest = installed or nearest(name, (*emitted, *INSTALLED_BY))
    generated = next(_generated(name, clusters), None)
    if generated:
        kind, _, object_name = generated.ref
        target = f"target: {{kind: {kind}, name: {object_name}}}"
        return f"remove it, and patch {kind} {object_name} ({target}), which gitgpu generates instead of this chart"
    if name in INSTALLED_BY:
        return f"remove it, or set {INSTALLED_BY[name]}"
    if not closest or name in rows:
        return "remove it: gitgpu does not install this chart"
    return f"use {closest}" + ("" if closest in emitted else f", and set {INSTALLED_BY[closest]}")


def _generated(name: str, clusters: Sequence[Compiled]) -> Iterator[Manifest]:
    """The objects that gitgpu generates instead of a chart."""
    for cluster in clusters:
        for manifest in cluster.patched.manifests:
            if _runs(name, manifest):
                yield manifest


def _runs(name: str, manifest: Manifest) -> bool:
    object_name = manifest.ref.name
    return manifest.ref.kind in _RUNNING and (object_name == name or object_name.startswith(f"{name}-"))
