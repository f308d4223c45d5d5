"""Where the chart of a release comes from. It distinguishes charts of different projects that have the same name."""

from collections.abc import Iterator

from gitgpu.load.access import mapping, text_at
from gitgpu.model.names.groups import FLUX_SOURCE_GROUP
from gitgpu.model.names.kinds import HELM_RELEASE, HELM_VALUES
from gitgpu.objects.gitops.releases import Release
from gitgpu.objects.objects import Item, Objects


def is_from(project: str, release: Release, objects: Objects) -> bool:
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
        source = mapping(body, *release.pointer[:-2])
        yield text_at(source, "repoURL")
        yield text_at(source, "chart").rpartition("/")[0]


def _source(item: Item, objects: Objects) -> str:
    """The address of the source of a HelmRelease, or its name if it is not among the objects."""
    reference = mapping(item.body, "spec", "chartRef") or mapping(item.body, "spec", "chart", "spec", "sourceRef")
    kind, name = text_at(reference, "kind"), text_at(reference, "name")
    namespace = text_at(reference, "namespace") or item.identity.namespace
    for source in objects.named(FLUX_SOURCE_GROUP, kind, name):
        if source.identity.namespace == namespace:
            return text_at(source.body, "spec", "url")
    return name
