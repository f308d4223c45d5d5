"""The values that a release takes from outside its own values, as far as the input contains them.

A HelmRelease of Flux takes them from ConfigMaps, in order, below its own; an Application of Argo CD has parameters over
its values. `helm status` prints all values of a release.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at, mapping_at, reach, text_at
from gitgpu.load.parse.quick import mapping_in
from gitgpu.model.names.kinds import APPLICATION, CONFIG_MAP, HELM_RELEASE, HELM_VALUES
from gitgpu.objects.gitops.layered_values import merge_values
from gitgpu.objects.gitops.releases import Release
from gitgpu.objects.objects import Objects
from gitgpu.spelling import join_names

_FROM = ("spec", "valuesFrom")
_PATH = re.compile(r"[^\\\[\],{}=]+")  # keys only: no list entries, no escapes
_WHOLE_NUMBER = re.compile(r"0|-?[1-9]\d*")
_WORDS: Mapping[str, Any] = {"true": True, "false": False, "null": None, "": ""}


def with_all_values(release: Release, objects: Objects) -> Release:
    """The release with all its values; the same one if they are not all in the input."""
    if release.whole:
        return release
    layers = _layers(release, objects)
    if layers is None:
        return release
    values: Mapping[str, Any] = {}
    for layer in layers:
        values = merge_values(values, layer)
    return release._replace(values=values, whole=True)


def why_values_stay(release: Release) -> str:
    """Why a release whose values are not all in the input stays with its owner, as a clause; "" if all are."""
    sources = [] if release.whole else list(_sources(release))
    if not sources:
        return ""
    is_flux = release.item.identity.kind == HELM_RELEASE.kind
    way = "add the output of `helm status RELEASE --output json` to the input" if is_flux else "set all in valuesObject"
    return (
        f"its values come from {join_names(sources)}, and the input does not have all of them: it stays as it is; to "
        f"manage it, {way} and import again"
    )


def _sources(release: Release) -> Iterator[str]:
    """What the values of a release come from except its own, as messages name it."""
    for source in list_at(release.item.body, *_FROM):
        yield f"{text_at(source, 'kind')} {text_at(source, 'name')}"
    if reach(release.item.body, "spec", "chart", "spec", "valuesFiles"):
        yield "spec.chart.spec.valuesFiles"
    helm = _helm(release)
    for key in ("valueFiles", "fileParameters", "parameters"):
        if helm.get(key):
            yield f"helm.{key}"


def _layers(release: Release, objects: Objects) -> list[Mapping[str, Any]] | None:
    """The values from each source, the first is overridden by the others; None if one cannot be read."""
    if stored := _stored_by_helm(release, objects):
        return [stored]
    if release.item.identity.kind == HELM_RELEASE.kind:
        return _flux_layers(release, objects)
    return _argo_layers(release) if release.item.identity.kind == APPLICATION.kind else None


def _stored_by_helm(release: Release, objects: Objects) -> Mapping[str, Any]:
    """All values of a HelmRelease, if the input contains what `helm status` prints about its release."""
    spec, name = mapping_at(release.item.body, "spec"), release.item.identity.name
    target = spec.get("targetNamespace")
    named = spec.get("releaseName") or (f"{target}-{name}" if target else name)
    for item in objects.of(*HELM_VALUES):
        is_it = item.body.get("release") == named and item.body.get("namespace") == release.namespace
        if is_it and item.body.get("whole") and item.body.get("chart") == release.chart:
            return mapping_at(item.body, "values")
    return {}


def _flux_layers(release: Release, objects: Objects) -> list[Mapping[str, Any]] | None:
    body, name = release.item.body, release.item.identity.name
    if reach(body, "spec", "chart", "spec", "valuesFiles") or name in objects.patched_names(*HELM_RELEASE):
        return None
    found = [_config_map_values(source, release, objects) for source in list_at(body, *_FROM)]
    return None if None in found else [*(layer for layer in found if layer is not None), release.values]


def _config_map_values(source: Any, release: Release, objects: Objects) -> Mapping[str, Any] | None:
    if text_at(source, "kind") != CONFIG_MAP.kind:
        return None
    key = text_at(source, "valuesKey") or "values.yaml"
    for item in objects.by_name(*CONFIG_MAP, text_at(source, "name")):
        text = reach(item.body, "data", key)
        if item.identity.namespace == release.item.identity.namespace and isinstance(text, str):
            if target := text_at(source, "targetPath"):
                return _set(target, text)
            values = mapping_in(text)
            return values if values or not text.strip() else None
    return None


def _argo_layers(release: Release) -> list[Mapping[str, Any]] | None:
    helm = _helm(release)
    unread = release.text and helm.get("values") and not release.values
    if unread or helm.get("valueFiles") or helm.get("fileParameters"):
        return None
    found: list[Mapping[str, Any] | None] = [release.values]
    for entry in list_at(helm, "parameters"):
        name, value = text_at(entry, "name"), text_at(entry, "value")
        found.append(
            _nested(name, value) if reach(entry, "forceString") and _PATH.fullmatch(name) else _set(name, value)
        )
    return None if None in found else [layer for layer in found if layer is not None]


def _helm(release: Release) -> Mapping[str, Any]:
    """The Helm settings of an Application's source."""
    return mapping_at(release.item.body, *release.pointer[:-1]) if release.pointer[-2:-1] == ("helm",) else {}


def _set(path: str, text: str) -> Mapping[str, Any] | None:
    """The values of `helm --set PATH=TEXT`; None for a list and for text with escapes."""
    if not _PATH.fullmatch(path) or not _PATH.fullmatch(text or "-"):
        return None
    return _nested(path, int(text) if _WHOLE_NUMBER.fullmatch(text) else _WORDS.get(text, text))


def _nested(path: str, value: Any) -> Mapping[str, Any]:
    for key in reversed(path.split(".")):
        value = {key: value}
    return mapping_at(value)
