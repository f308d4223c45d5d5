"""Kustomizations that change what their files say in ways that lint does not follow."""

from collections.abc import Iterator, Mapping

from gitgpu.load.delivery.kustomize import Kustomization, roots

_KEYS = (
    *("namePrefix", "nameSuffix", "labels", "commonLabels", "commonAnnotations", "patchesStrategicMerge", "patches"),
    *("patchesJson6902", "replacements", "replicas", "vars", "transformers"),
    *("configMapGenerator", "secretGenerator", "generators", "helmCharts"),
)


def rewriting(known: Mapping[str, Kustomization]) -> Iterator[tuple[Kustomization, str]]:
    """The kustomizations that change what their files say, or add to it, each with the first key that does.

    A component that none of them names changes nothing here. Images, and patches written in place, are applied.
    """
    apart = {one.file for one in roots(known) if one.data.get("kind") == "Component"}
    for file, one in sorted(known.items()):
        key = next((key for key in _KEYS if _rewrites(one, key)), "")
        if key and file not in apart:
            yield one, key


def _rewrites(one: Kustomization, key: str) -> bool:
    given = one.data.get(key)
    if key == "patches" and isinstance(given, list):
        return any(not isinstance(patch, dict) or "path" in patch for patch in given)
    return bool(given)
