"""The releases of operators in manifests: versions of charts, and tags of images."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gitgpu.access import mapping_at, rows, text_at
from gitgpu.model.names.kinds import (
    APPLICATION,
    APPLICATION_SET,
    DAEMON_SET,
    DEPLOYMENT,
    HELM_RELEASE,
    HELM_REPOSITORY,
    OCI_REPOSITORY,
    STATEFUL_SET,
    group_kind,
)
from gitgpu.model.software.cluster_releases import Versions
from gitgpu.objects.delivery.application_sources import sources_of, spec_place
from gitgpu.objects.delivery.flux import INSTANCE

_EXACT = re.compile(r"v?([0-9]+)\.([0-9]+)\.([0-9]+)", re.ASCII)
_MINOR = re.compile(r"v?([0-9]+\.[0-9]+)\.(?:[x*]|[0-9]+)", re.ASCII)
_WITH_PODS = (DEPLOYMENT, DAEMON_SET, STATEFUL_SET)
_WITH_CHARTS = (APPLICATION, APPLICATION_SET)
_FLUX = "flux"
INSTALLING = frozenset(
    (*_WITH_PODS, HELM_RELEASE, HELM_REPOSITORY, OCI_REPOSITORY, *_WITH_CHARTS, INSTANCE)
)  # kinds that name a release


def found_releases(
    bodies: Iterable[Mapping[str, Any]], projects: Mapping[str, Any], tags: Iterable[tuple[str, str]] = ()
) -> Versions:
    """The versions of each project that objects install. `projects` is the list of releases of contracts.

    `tags` are those of images that are set elsewhere, such as in a kustomization.
    """
    listed = {project: row for project, row in projects.items() if project[0] != "$"}
    charts = {chart: project for project, row in listed.items() for chart in row["charts"]}
    images = {
        _path(image): (project, row["images"][image]) for project, row in listed.items() for image in row["images"]
    }
    found: dict[str, set[str]] = {}
    all_tags, listed_bodies = list(tags), list(bodies)
    repositories = dict(_repository(body) for body in listed_bodies if group_kind(body) == HELM_REPOSITORY)
    for body in listed_bodies:
        all_tags += _images(body)
        for chart, version in _charts(body, repositories):
            if chart in charts and _EXACT.fullmatch(version):
                found.setdefault(charts[chart], set()).add(version)
        distribution = _MINOR.fullmatch(_distribution(body))
        if distribution:
            found.setdefault(_FLUX, set()).add(distribution[1])
    for image, tag in all_tags:
        match, known = _EXACT.match(tag), next((path for path in _endings(image) if path in images), "")
        if known and match:
            project, minors = images[known]
            minor = f"{match[1]}.{match[2]}"
            found.setdefault(project, set()).add(minors.get(minor, match[0]) if minors else match[0])
    return tuple((project, tuple(sorted(versions))) for project, versions in sorted(found.items()))


def _path(image: str) -> str:
    """The path of an image in its registry, which mirrors keep."""
    return image.partition("/")[2]


def _endings(image: str) -> Iterator[str]:
    """The path of an image, and what may be its path in the registry that it was copied from."""
    parts = image.split("/")
    return ("/".join(parts[start:]) for start in range(1, len(parts)))


def _repository(body: Mapping[str, Any]) -> tuple[tuple[str, str], str]:
    """The name of a HelmRepository with its namespace, and its address."""
    place = (text_at(body, "metadata", "namespace"), text_at(body, "metadata", "name"))
    return place, text_at(body, "spec", "url").rstrip("/")


def _charts(body: Mapping[str, Any], repositories: Mapping[tuple[str, str], str]) -> Iterator[tuple[str, str]]:
    """The charts that an object installs, each with its version: by name, and by the address of their repository."""
    if group_kind(body) == HELM_RELEASE:
        spec = mapping_at(body, "spec", "chart", "spec")
        chart, version = text_at(spec, "chart"), text_at(spec, "version")
        namespace = text_at(spec, "sourceRef", "namespace") or text_at(body, "metadata", "namespace")
        address = repositories.get((namespace, text_at(spec, "sourceRef", "name")), "")
        yield chart, version
        yield f"{address}/{chart}", version
        yield _oci_chart(spec)
    if group_kind(body) == OCI_REPOSITORY:
        yield _oci_chart(mapping_at(body, "spec"))
    if group_kind(body) in _WITH_CHARTS:
        for source in sources_of(mapping_at(body, *spec_place(body))):
            chart, version = text_at(source, "chart"), text_at(source, "targetRevision")
            yield chart.rpartition("/")[2], version
            yield f"{text_at(source, 'repoURL').rstrip('/')}/{chart}", version


def _oci_chart(spec: Mapping[str, Any]) -> tuple[str, str]:
    """The chart in an OCI registry that a Flux object names by its address and tag."""
    return text_at(spec, "url").rpartition("/")[2], text_at(spec, "ref", "tag")


def _distribution(body: Mapping[str, Any]) -> str:
    """The version of Flux that a FluxInstance installs, such as "2.10.x"; "" for other objects."""
    return text_at(body, "spec", "distribution", "version") if group_kind(body) == INSTANCE else ""


def _images(body: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The images of the containers of an object, each with its tag."""
    if group_kind(body) not in _WITH_PODS:
        return
    for container in rows(body, "spec", "template", "spec", "containers"):
        name, _, tag = text_at(container, "image").partition("@")[0].rpartition(":")
        yield name, tag
