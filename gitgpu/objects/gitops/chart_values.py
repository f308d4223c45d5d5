"""The effective values of a release: its own values over the chart's values in the catalog."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from gitgpu.access import list_at, mapping_at, text_at
from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.names.groups import FLUX_SOURCE_GROUP
from gitgpu.model.names.kinds import CLUSTER_POLICY, HELM_RELEASE, HELM_VALUES
from gitgpu.objects.gitops.layered_values import merged_value
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.objects import Item, Objects

OPERATOR = "gpu-operator"
PLUGIN = "nvidia-device-plugin"
DRA = "dra-driver-nvidia-gpu"


def chart_row(release: Release, objects: Objects) -> Mapping[str, Any]:
    """The catalog's row of the chart; empty if the catalog does not have the chart."""
    row = _rows(objects.catalog).get(release.chart, {})
    if not row or is_of_another_project(release, objects):
        return {}
    return _version_row(objects.catalog, row, release.version)


def is_of_another_project(release: Release, objects: Objects) -> bool:
    """Whether the chart only has the name of one in the catalog."""
    project = text_at(_rows(objects.catalog).get(release.chart), "project")
    return bool(project) and not _is_from(project, release, objects)


def effective_value(release: Release, objects: Objects, *path: str) -> Any:
    """The value at a path: in the release, else in the chart. null removes the chart's value."""
    return merged_value(chart_row(release, objects).get("defaults") or {}, release.values, path)


def effective_dotted_value(release: Release, objects: Objects, paths: str) -> Any:
    """The value at a dotted path. Of several paths, separated by commas, the first one that is set counts."""
    values = (effective_value(release, objects, *path.split(".")) for path in paths.split(","))
    return next((value for value in values if value is not None), None)


def object_values(release: Release, objects: Objects, kind: str) -> list[tuple[str, ...]]:
    """The paths of the chart's values that name a ConfigMap or Secret of the user."""
    named = mapping_at(chart_row(release, objects), "objects")
    return [tuple(path.split(".")) for path in list_at(named, kind)]


def operators(objects: Objects) -> Iterator[Release]:
    """The GPU Operator in any form: releases of its chart, and separate ClusterPolicies."""
    yield from releases(objects, OPERATOR)
    yield from policies(objects)


def policies(objects: Objects) -> Iterator[Release]:
    """The ClusterPolicies as releases: their spec has the same keys as the values of the chart."""
    for item in objects.of(*CLUSTER_POLICY):
        yield Release(item, OPERATOR, "", "", ("spec",), item.body.get("spec") or {})


def title(release: Release) -> str:
    """The name of a release in messages."""
    identity = release.item.identity
    if identity.kind != HELM_VALUES.kind:
        return f"{identity.kind} {identity.name}"
    name = release.item.body.get("release")
    return f"Helm release {name}" if name else f"Helm values of {release.chart}"


def _version_row(catalog: Catalog, row: Mapping[str, Any], version: str) -> Mapping[str, Any]:
    """The row for this version of the chart, with or without a leading v; the newest if the version is unknown."""
    plain = version.removeprefix("v")
    if row["version"].removeprefix("v") == plain:
        return row
    versions = (other.facts.get("charts", row) for other in catalog.versions(row["name"]).values())
    return next((facts for facts in versions if facts["version"].removeprefix("v") == plain), row)


@lru_cache(maxsize=2)  # a comparison has the catalogs of two sides
def _rows(catalog: Catalog) -> Mapping[str, Mapping[str, Any]]:
    """The rows by the current and former names of the charts."""
    rows = catalog.rows("charts").values()
    by_chart: dict[str, Facts] = {}
    for row in rows:
        by_chart |= dict.fromkeys((row["chart"], *row.get("renamed", ())), row)
    return by_chart


def _is_from(project: str, release: Release, objects: Objects) -> bool:
    """Whether the repository of the chart, or what stands for it in the objects, names the project.

    A values file that was passed for a chart of the catalog names no repository, and is for that chart.
    """
    names = [name for name in _origin(release, objects) if name]
    return not names or any(project in name.lower() for name in names)


def _origin(release: Release, objects: Objects) -> Iterator[str]:
    body = release.item.body
    kind = release.item.identity[:2]
    if kind == HELM_RELEASE:
        yield text_at(body, "spec", "chart", "spec", "chart").rpartition("/")[0]
        yield _source(release.item, objects)
    elif kind == HELM_VALUES:
        # Of a release that is installed, Helm does not keep the repository.
        yield text_at(body, "repository") or f"{text_at(body, 'release')} {text_at(body, 'namespace')}".strip()
    else:
        source = mapping_at(body, *release.pointer[:-2])
        yield text_at(source, "repoURL")
        yield text_at(source, "chart").rpartition("/")[0]


def _source(item: Item, objects: Objects) -> str:
    """The address of the source of a HelmRelease, or its name if it is not among the objects."""
    reference = mapping_at(item.body, "spec", "chartRef") or mapping_at(item.body, "spec", "chart", "spec", "sourceRef")
    kind, name = text_at(reference, "kind"), text_at(reference, "name")
    namespace = text_at(reference, "namespace") or item.identity.namespace
    for source in objects.by_name(FLUX_SOURCE_GROUP, kind, name):
        if source.identity.namespace == namespace:
            return text_at(source.body, "spec", "url")
    return name
