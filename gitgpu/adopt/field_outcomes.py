"""The outcome for each field of an object, by comparison with the object that the spec generates."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import MAPPING, reach
from gitgpu.adopt.adoption import Fate, Outcome, Ruling
from gitgpu.adopt.comparison import is_filled_in
from gitgpu.compare.normal_form import as_stored, flat
from gitgpu.inventory.observed import Observed
from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.names.kinds import MANAGED_CLUSTERS_AGENT_POOL
from gitgpu.model.names.labels import APP_INSTANCE_LABEL, APP_PART_OF_LABEL, MANAGED_BY_LABEL
from gitgpu.model.names.prefixes import (
    ARGOCD_PREFIX,
    FLUX_KUSTOMIZE_PREFIX,
    GITGPU_PREFIX,
    HELM_PREFIX,
    KARPENTER_AZURE_PREFIX,
    KARPENTER_PREFIX,
)
from gitgpu.model.spec.taint import SPOT
from gitgpu.source import Pointer, dotted_text

_SIZE = ("spec", "vmSize")
_DRIVER = ("spec", "gpuProfile", "driver")
_COUNT = ("spec", "count")
_DRIVER_TYPE = ("spec", "gpuProfile", "driverType")
_TAINTS = ("spec", "nodeTaints")
_REQUIREMENTS = ("spec", "template", "spec", "requirements")
_OF_TOOLS = (  # metadata keys that tools write for their own use
    APP_INSTANCE_LABEL,
    MANAGED_BY_LABEL,
    APP_PART_OF_LABEL,
    ARGOCD_PREFIX,
    HELM_PREFIX,
    "helm.toolkit.fluxcd.io/",
    KARPENTER_AZURE_PREFIX,
    KARPENTER_PREFIX,
    "kubectl.kubernetes.io/",
    FLUX_KUSTOMIZE_PREFIX,
    "meta.helm.sh/",
)


class GeneratedObject(NamedTuple):
    """The object that the spec generates, the catalog row `edits/<kind>`, and which key of a GpuPool sets each field.

    `places` maps a field to the key that sets it. The fields below it belong to the same key.
    """

    body: Mapping[str, Any]
    facts: Facts
    places: Mapping[Pointer, Pointer]


def field_fates(
    observed: Observed, ours: GeneratedObject, catalog: Catalog
) -> Iterator[tuple[Outcome, Pointer | None]]:
    """An outcome for each field, and the key of a GpuPool that sets it; a list is one field."""
    lists = catalog.must("lists", "kubernetes")
    after = as_stored(ours.body, ours.facts)
    for pointer, value in fields(observed.body):
        key = _key(pointer, ours.places)
        fate, reason = Fate.ADOPTED, ""
        if _is_tools(pointer):
            fate, reason, key = Fate.LEFT, "a tool or a controller manages this field", None
        # An object may have been read as gitgpu writes it, or as the API server stores it.
        elif not any(_same(value, reach(body, *pointer), pointer, lists) for body in (after, ours.body)):
            fate, reason = _changed(pointer, value, after, ours)
        elif _is_default(pointer, value, ours):
            reason = "a default"
        yield Outcome(observed, fate, reason, pointer), key


def fields(body: Mapping[str, Any], above: Pointer = ()) -> Iterator[tuple[Pointer, Any]]:
    """Every value of an object with its pointer; mappings count only if they are empty."""
    for key, value in body.items():
        if isinstance(value, MAPPING) and value:
            yield from fields(value, (*above, key))
        else:
            yield (*above, key), value


def _key(pointer: Pointer, places: Mapping[Pointer, Pointer]) -> Pointer | None:
    for length in range(len(pointer), 0, -1):
        if pointer[:length] in places:
            return (*places[pointer[:length]], *pointer[length:])
    return None


def _is_tools(pointer: Pointer) -> bool:
    if pointer[0] != "metadata" or len(pointer) < 3:
        return False
    return str(pointer[2]).startswith(_OF_TOOLS)


def _same(value: Any, other: Any, pointer: Pointer, lists: Facts) -> bool:
    """Whether two values of a field mean the same, with durations, amounts and lists as Kubernetes reads them."""
    if value == other:
        return True  # most fields; much faster than comparing normal forms
    above, name = str(pointer[-2]) if len(pointer) > 1 else "", str(pointer[-1])
    return flat({above: {name: value}}, lists) == flat({above: {name: other}}, lists)


def _is_decided_by_aks(pointer: Pointer, value: Any, after: Mapping[str, Any]) -> bool:
    """Whether it is a property that is not set, or the number of nodes that the autoscaler has chosen."""
    if pointer == _COUNT:
        return bool(reach(after, "spec", "enableAutoScaling"))
    return pointer[0] == "spec" and is_filled_in(str(pointer[1]), value)


def _is_hashed(pointer: Pointer, ours: GeneratedObject) -> bool:
    """Whether a field is part of what Karpenter hashes, where an empty list differs from no list."""
    above = tuple(str(ours.facts["hash"]["at"]).split(".")) if ours.facts["hash"] else ()
    return bool(above) and len(pointer) > len(above) and pointer[: len(above)] == above


def _changed(pointer: Pointer, value: Any, after: Mapping[str, Any], ours: GeneratedObject) -> Ruling:
    """The outcome for a field that the spec generates differently, and the reason."""
    if pointer == _REQUIREMENTS:
        return Ruling(Fate.ADOPTED, "requirements that allow the same nodes")
    if pointer == ("apiVersion",):
        return Ruling(Fate.ADOPTED, "gitgpu writes another version of the same kind")
    if pointer[0] == "metadata":
        return Ruling(Fate.LEFT, "it has no effect on the nodes")
    if pointer == _DRIVER and reach(after, "spec", "gpuProfile", "nvidia", "managementMode"):
        return Ruling(Fate.CHANGED, "AKS ignores it if it manages the GPUs, and installs the driver")
    if reason := _why_unsaid(pointer, value, after, ours):
        return Ruling(Fate.ADOPTED, reason)
    now = reach(after, *pointer)
    reason = "the spec has no key for it" if now is None else f"the spec changes it to {json.dumps(now)}"
    return Ruling(Fate.INEXPRESSIBLE, reason)


def _is_default(pointer: Pointer, value: Any, ours: GeneratedObject) -> bool:
    """Whether the field has its default, which Azure may print as another type: -1.0 for -1, 0 for "0"."""
    path = dotted_text(pointer)
    defaults = [fact["value"] for fact in ours.facts["unwritten"] if fact["field"] == path]
    return any(default == value or str(default) == str(value) for default in defaults)


def _why_unsaid(pointer: Pointer, value: Any, after: Mapping[str, Any], ours: GeneratedObject) -> str:
    """Why the spec needs no key for a field; "" if it needs one."""
    if _is_default(pointer, value, ours):
        return "a default"
    if value is None or value is False or (value in ({}, []) and not _is_hashed(pointer, ours)):
        return "not set"
    return (
        _why_agents_need_not(pointer, value, after) if ours.body.get("kind") == MANAGED_CLUSTERS_AGENT_POOL.kind else ""
    )


def _is_spot_taint_only(pointer: Pointer, value: Any, after: Mapping[str, Any]) -> bool:
    """Whether the taints of spot nodes differ at most by the one that AKS adds."""
    if pointer != _TAINTS or reach(after, "spec", "scaleSetPriority") != "Spot":
        return False
    others = reach(after, *pointer) or ()
    return {*value, SPOT.text} == {*others, SPOT.text}


def _why_agents_need_not(pointer: Pointer, value: Any, after: Mapping[str, Any]) -> str:
    """Why the spec needs no key for a field of an AKS node pool; "" if it needs one."""
    if pointer[:2] == ("spec", "owner"):
        return "the cluster that the pool is in"
    if pointer == _SIZE and str(reach(after, *pointer)).lower() == str(value).lower():
        return "size names in Azure are not case-sensitive"
    if _is_spot_taint_only(pointer, value, after):
        return "AKS adds the taint of spot nodes itself"
    if pointer == _COUNT and reach(after, "spec", "type") == "VirtualMachines":
        return "the profile of its machines has the number of nodes"
    if pointer == _DRIVER_TYPE and reach(after, "spec", "osType") == "Windows":
        return "the type that AKS installs by default"  # any other is written: `compare_nodes` reports a change
    return "chosen by AKS" if _is_decided_by_aks(pointer, value, after) else ""


def own_labels(body: Mapping[str, Any]) -> dict[str, str]:
    """The labels of an object that its owner has set, not a tool."""
    return _own(reach(body, "metadata", "labels"))


def own_annotations(body: Mapping[str, Any]) -> dict[str, str]:
    """The annotations of an object that its owner has set, not a tool."""
    return _own(reach(body, "metadata", "annotations"))


def _own(entries: Any) -> dict[str, str]:
    kept = entries.items() if isinstance(entries, Mapping) else ()
    return {key: str(value) for key, value in kept if not key.startswith((*_OF_TOOLS, GITGPU_PREFIX))}
