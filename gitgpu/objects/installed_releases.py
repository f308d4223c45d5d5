"""The releases of operators that manifests install, with the patches and images of their kustomizations."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from gitgpu.model.names.kinds import CUSTOM_RESOURCE_DEFINITION, group_kind
from gitgpu.model.software.cluster_releases import Versions
from gitgpu.objects.delivery.images import Image
from gitgpu.objects.delivery.kustomize import included_by, roots
from gitgpu.objects.delivery.patches import apply_patches
from gitgpu.objects.found_definitions import defined_releases
from gitgpu.objects.found_releases import INSTALLING, found_releases
from gitgpu.objects.manifest.manifests import Manifests
from gitgpu.objects.schema.contract import Contracts


def installed_releases(manifests: Manifests, contracts: Contracts) -> Versions:
    """The versions of each project that the manifests install; of others, the releases whose CRDs are among them."""
    images = (change for item in manifests.kustomizations.values() for change in item.changes)
    tags = [(image.name, image.tag) for image in images if isinstance(image, Image)]
    found = dict(found_releases(_installing(manifests), contracts.release_lists, tags))
    objects = chain.from_iterable(file.objects for file in manifests.files.values())
    crds = [loaded.body for loaded in objects if group_kind(loaded.body) == CUSTOM_RESOURCE_DEFINITION]
    return tuple(sorted({**dict(defined_releases(crds, contracts)), **found}.items()))


def _installing(manifests: Manifests) -> Iterator[Mapping[str, Any]]:
    """The objects that may install an operator, as each root kustomization applies them."""
    bodies = {
        name: [loaded.body for loaded in file.objects if loaded.body.get("kind") in INSTALLING]
        for name, file in manifests.files.items()
    }
    parts = [
        part
        for root in roots(manifests.kustomizations)
        for part in included_by(root, manifests.kustomizations).parts
        if bodies.get(part.file)
    ]
    included = {part.file for part in parts}
    yield from chain.from_iterable(of_file for name, of_file in bodies.items() if name not in included)
    for part in parts:
        applied = (apply_patches(body, part.changes, part.namespace) for body in bodies[part.file])
        yield from filter(None, applied)
