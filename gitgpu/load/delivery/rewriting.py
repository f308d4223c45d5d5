"""Kustomizations that change what their files say in ways that lint does not follow."""

from collections.abc import Iterator, Mapping

from gitgpu.load.delivery.kustomize import Kustomization, roots

_PATCHES = ("patchesStrategicMerge", "patches", "patchesJson6902")
_KEYS = (
    *("namePrefix", "nameSuffix", "labels", "commonLabels", "commonAnnotations", *_PATCHES),
    *("replacements", "replicas", "vars", "transformers"),
    *("configMapGenerator", "secretGenerator", "generators", "helmCharts"),
)


def rewriting(known: Mapping[str, Kustomization]) -> Iterator[tuple[Kustomization, str]]:
    """The kustomizations that change what their files say, or add to it, each with the first key that does.

    A component that none of them names changes nothing here. Images are applied, and patches that were read.
    """
    apart = {kustomization.file for kustomization in roots(known) if kustomization.data.get("kind") == "Component"}
    for file, kustomization in sorted(known.items()):
        key = next((key for key in _KEYS if _rewrites(kustomization, key)), "")
        if key and file not in apart:
            yield kustomization, key


def _rewrites(kustomization: Kustomization, key: str) -> bool:
    if key in _PATCHES:
        return key in kustomization.unread
    return bool(kustomization.data.get(key))
