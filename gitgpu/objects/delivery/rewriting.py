"""Kustomizations that change their resources in ways that lint does not emulate."""

from collections.abc import Iterator, Mapping

from gitgpu.objects.delivery.kustomize import Kustomization, roots

_PATCHES = ("patchesStrategicMerge", "patches", "patchesJson6902")
_KEYS = (
    "namePrefix",
    "nameSuffix",
    "labels",
    "commonLabels",
    "commonAnnotations",
    *_PATCHES,
    "replacements",
    "replicas",
    "vars",
    "transformers",
    "configMapGenerator",
    "secretGenerator",
    "generators",
    "helmCharts",
)


def rewriting(kustomizations: Mapping[str, Kustomization]) -> Iterator[tuple[Kustomization, str]]:
    """The kustomizations that change or add resources in a way that lint does not emulate, with the first such key.

    A component that no kustomization names changes nothing. Lint applies images, and the patches that were read.
    """
    unused_components = {
        kustomization.file for kustomization in roots(kustomizations) if kustomization.data.get("kind") == "Component"
    }
    for file, kustomization in sorted(kustomizations.items()):
        key = next((key for key in _KEYS if _rewrites(kustomization, key)), "")
        if key and file not in unused_components:
            yield kustomization, key


def _rewrites(kustomization: Kustomization, key: str) -> bool:
    if key in (*_PATCHES, "replacements"):
        return key in kustomization.unread
    return bool(kustomization.data.get(key))
