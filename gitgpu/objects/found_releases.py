"""The releases of operators in manifests: versions of charts, and tags of images."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gitgpu.access import mapping_at, rows, text_at
from gitgpu.model.names.kinds import APPLICATION, DAEMON_SET, DEPLOYMENT, HELM_RELEASE, STATEFUL_SET
from gitgpu.model.software.cluster_releases import Versions

_EXACT = re.compile(r"v?([0-9]+)\.([0-9]+)\.([0-9]+)", re.ASCII)
_WITH_PODS = (DEPLOYMENT.kind, DAEMON_SET.kind, STATEFUL_SET.kind)
INSTALLING = frozenset((*_WITH_PODS, HELM_RELEASE.kind, APPLICATION.kind))  # kinds of objects that install software


def found_releases(
    bodies: Iterable[Mapping[str, Any]], projects: Mapping[str, Any], tags: Iterable[tuple[str, str]] = ()
) -> Versions:
    """The versions of each project that objects install. `projects` is the list of releases of contracts.

    `tags` are those of images that are set elsewhere, such as in a kustomization.
    """
    listed = {project: row for project, row in projects.items() if project[0] != "$"}
    charts = {chart: project for project, row in listed.items() for chart in row["charts"]}
    images = {image: (project, minors) for project, row in listed.items() for image, minors in row["images"].items()}
    found: dict[str, set[str]] = {}
    all_tags = list(tags)
    for body in bodies:
        all_tags += _images(body)
        for chart, version in _charts(body):
            if chart in charts and _EXACT.fullmatch(version):
                found.setdefault(charts[chart], set()).add(version)
    for image, tag in all_tags:
        match = _EXACT.match(tag)
        if image in images and match:
            project, minors = images[image]
            minor = f"{match[1]}.{match[2]}"
            found.setdefault(project, set()).add(minors.get(minor, match[0]) if minors else match[0])
    return tuple((project, tuple(sorted(versions))) for project, versions in sorted(found.items()))


def _charts(body: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The charts that an object installs, each with its version."""
    if body.get("kind") == HELM_RELEASE.kind:
        spec = mapping_at(body, "spec", "chart", "spec")
        yield text_at(spec, "chart"), text_at(spec, "version")
    if body.get("kind") == APPLICATION.kind:
        for source in (mapping_at(body, "spec", "source"), *rows(body, "spec", "sources")):
            yield text_at(source, "chart"), text_at(source, "targetRevision")


def _images(body: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The images of the containers of an object, each with its tag."""
    if body.get("kind") not in _WITH_PODS:
        return
    for container in rows(body, "spec", "template", "spec", "containers"):
        name, _, tag = text_at(container, "image").partition("@")[0].rpartition(":")
        yield name, tag
