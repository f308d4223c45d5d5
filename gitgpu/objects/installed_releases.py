"""The releases of operators that manifests install, as kustomizations, Flux and Argo CD apply them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from gitgpu.access import reach, rows
from gitgpu.model.names.kinds import APPLICATION, CUSTOM_RESOURCE_DEFINITION, FLUX_KUSTOMIZATION, group_kind
from gitgpu.model.software.cluster_releases import Versions
from gitgpu.objects.delivery.application_sources import sources_of, spec_place
from gitgpu.objects.delivery.images import Image
from gitgpu.objects.delivery.kustomize import ANY, Part, inclusions, roots, unread_kinds
from gitgpu.objects.delivery.patches import Change, application_changes, apply_patches, changes
from gitgpu.objects.found_definitions import defined_releases, newer_definitions
from gitgpu.objects.found_releases import INSTALLING, found_releases
from gitgpu.objects.grouping.groups import Group
from gitgpu.objects.manifest.manifests import Manifests
from gitgpu.objects.schema.contracts import Contracts
from gitgpu.objects.schema.crd import Definitions


def installed_releases(groups: Sequence[Group], manifests: Manifests, contracts: Contracts) -> Versions:
    """The versions of each project that the groups install; of others, the releases whose CRDs are among them."""
    bodies = chain.from_iterable(_installing(groups, manifests))
    found = dict(found_releases(bodies, contracts.release_lists, _tags(manifests)))
    return tuple(sorted({**dict(defined_releases(_crds(manifests), contracts)), **found}.items()))


def newer_installed_definitions(manifests: Manifests, contracts: Contracts) -> Definitions:
    """The contracts in CRDs among the manifests that are newer than those of gitgpu."""
    return newer_definitions(_crds(manifests), contracts)


def _crds(manifests: Manifests) -> Iterator[dict[str, Any]]:
    objects = chain.from_iterable(file.objects for file in manifests.files.values())
    return (loaded.body for loaded in objects if group_kind(loaded.body) == CUSTOM_RESOURCE_DEFINITION)


def releases_by_group(groups: Sequence[Group], manifests: Manifests, contracts: Contracts) -> list[Versions]:
    """What each group installs, of projects that have different versions in different groups.

    Of files that nothing joins, it is not known: what one of them installs may not be for the cluster of another.
    """
    own = [found_releases(bodies, contracts.release_lists) for bodies in _installing(groups, manifests)]
    distinct: dict[str, set[tuple[str, ...]]] = {}
    for project, versions in chain.from_iterable(own):
        distinct.setdefault(project, set()).add(versions)
    several = {project for project, versions in distinct.items() if len(versions) > 1}
    return [
        tuple(pair for pair in releases if pair[0] in several and not group.by_hand)
        for group, releases in zip(groups, own, strict=True)
    ]


def _installing(groups: Sequence[Group], manifests: Manifests) -> Iterator[list[Mapping[str, Any]]]:
    """The objects of each group that may install an operator, as they are applied."""
    by_file: dict[str, list[dict[str, Any]]] = {}
    for name, file in manifests.files.items():
        bodies = [loaded.body for loaded in file.objects if group_kind(loaded.body) in INSTALLING]
        if bodies:
            by_file[name] = bodies
    for group in groups:
        parts = (part for part in group.parts if part.file in by_file and not part.patch)
        applied = (_applied(body, part) for part in parts for body in by_file[part.file])
        yield list(filter(None, applied))


def _applied(body: dict[str, Any], part: Part) -> dict[str, Any] | None:
    """The object as it is applied, but with the original names of images; None if a patch deletes it."""
    applied = apply_patches(body, part.changes, part.namespace) if part.changes else body
    for change in reversed(part.changes):
        if applied is not None and isinstance(change, Image) and change.new_name:
            applied = apply_patches(applied, (Image(change.new_name, change.name, "", ""),))
    return applied


def _tags(manifests: Manifests) -> Iterator[tuple[str, str]]:
    """The tags of images whose objects may be elsewhere: those that kustomizations, Flux and Argo CD set.

    An outer kustomization overrides those that it includes.
    """
    for root in roots(manifests.kustomizations):
        names = inclusions(root, manifests.kustomizations).kustomizations  # the outer ones come first
        if any(ANY in unread_kinds(manifests.kustomizations[name]) for name in names):
            tags: dict[str, str] = {}
            for name in names:
                tags = {**_images(manifests.kustomizations[name].changes), **tags}
            yield from tags.items()
    for loaded in chain.from_iterable(file.objects for file in manifests.files.values()):
        if group_kind(loaded.body) == FLUX_KUSTOMIZATION:
            yield from _images(changes({"images": rows(loaded.body, "spec", "images")})).items()
        elif group_kind(loaded.body) == APPLICATION:
            for source in sources_of(reach(loaded.body, *spec_place(loaded.body))):
                yield from _images(application_changes({"images": reach(source, "kustomize", "images")})).items()


def _images(applied: Sequence[Change]) -> dict[str, str]:
    """The tags that changes set, by the name of the image."""
    return {change.name: change.tag for change in applied if isinstance(change, Image) and change.tag}
