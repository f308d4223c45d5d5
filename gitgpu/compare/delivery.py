"""What the delivery engine of a cluster does with a change: the order in which it applies, and what it deletes."""

from collections.abc import Iterable, Mapping, Sequence
from posixpath import basename
from typing import Any, NamedTuple

from gitgpu.access import mapping_at, reach
from gitgpu.compare.change import Change
from gitgpu.compare.snapshot import PAGE, OverlayObject
from gitgpu.emit.manifest import Layer
from gitgpu.model.names.annotations import FLUX_PRUNE_ANNOTATION, SYNC_OPTIONS_ANNOTATION, SYNC_WAVE_ANNOTATION
from gitgpu.model.names.kinds import APPLICATION, FLUX_KUSTOMIZATION

FLUX, ARGO = "flux", "argocd"
LAYERS = tuple(layer.value for layer in Layer if not layer.by_hand)
# No engine prunes these layers.
_UNTENDED = tuple(layer.value for layer in Layer if layer.by_hand or layer is Layer.SYNC)
_BY_HAND = "you, with kubectl apply -k sync"


class Step(NamedTuple):
    """A layer that changes, what applies it, and which of the other changed layers come before it."""

    layer: str
    by: str
    after: tuple[str, ...]


class Fate(NamedTuple):
    """What happens to an object that is removed from the overlays. It `stays` if the engine does not delete it."""

    object: OverlayObject
    stays: bool
    reason: str


def engine(sync: Iterable[OverlayObject]) -> str:
    """flux, argocd, or "" if the objects in sync/ do not show which."""
    kinds = {(obj.identity.group, obj.identity.kind) for obj in sync}
    if FLUX_KUSTOMIZATION in kinds:
        return FLUX
    return ARGO if APPLICATION in kinds else ""


def steps(changes: Sequence[Change], sync: Sequence[OverlayObject]) -> tuple[Step, ...]:
    """The layers that change, in the order in which they are applied."""
    touched = [change.object for change in changes if not change.is_silent and not change.object.is_patch]
    changed = {obj.layer for obj in touched}
    layers = [name for name in LAYERS if name in changed]
    by = engine(sync)
    waits = _waits(sync) if by == FLUX else _waves(touched)
    appliers = dict.fromkeys(LAYERS, "Argo CD") if by == ARGO else {}
    if by == FLUX:
        appliers = _kustomizations(sync)
    appliers["sync"] = _BY_HAND
    return tuple(Step(name, appliers.get(name, ""), _before(name, waits, layers)) for name in layers)


def _kustomizations(sync: Iterable[OverlayObject]) -> dict[str, str]:
    return {_layer(obj): obj.name for obj in sync if (obj.identity.group, obj.identity.kind) == FLUX_KUSTOMIZATION}


def _layer(kustomization: OverlayObject) -> str:
    """The layer that a Flux Kustomization applies: the last part of its path."""
    path = reach(kustomization.body, "spec", "path")
    return basename(path.rstrip("/")) if isinstance(path, str) else ""


def _waits(sync: Iterable[OverlayObject]) -> dict[str, set[str]]:
    """For each layer, the layers that its Kustomization waits for."""
    kustomizations = [obj for obj in sync if (obj.identity.group, obj.identity.kind) == FLUX_KUSTOMIZATION]
    layers = {obj.identity.name: _layer(obj) for obj in kustomizations}
    waits: dict[str, set[str]] = {}
    for obj in kustomizations:
        needs = reach(obj.body, "spec", "dependsOn")
        if isinstance(needs, list):
            names = [entry.get("name") for entry in needs if isinstance(entry, Mapping)]
            waits[_layer(obj)] = {layers[name] for name in names if name in layers}
    return waits


def _waves(touched: Iterable[OverlayObject]) -> dict[str, set[str]]:
    """For each layer, the layers whose sync waves are all earlier. Within a layer, scalers are in the last wave."""
    waves: dict[str, set[int]] = {}
    for obj in touched:
        if obj.layer != "sync":
            waves.setdefault(obj.layer, set()).add(_wave(obj))
    earlier: dict[str, set[str]] = {}
    for layer, own_waves in waves.items():
        earlier[layer] = {other for other, other_waves in waves.items() if max(other_waves) < min(own_waves)}
    return earlier


def _wave(obj: OverlayObject) -> int:
    """The sync wave of an object, as Argo CD reads it: 0 without an annotation that is a whole number."""
    try:
        return int(_annotations(obj).get(SYNC_WAVE_ANNOTATION, 0))
    except (TypeError, ValueError):
        return 0


def _before(layer: str, waits: Mapping[str, set[str]], layers: Sequence[str]) -> tuple[str, ...]:
    """The layers in `layers` that come before a layer, directly or indirectly."""
    earlier: set[str] = set()
    waiting = [layer]
    while waiting:
        new = waits.get(waiting.pop(), set()) - earlier
        earlier |= new
        waiting += new
    return tuple(layer for layer in layers if layer in earlier)


def fate(removed: OverlayObject, by: str, left: Iterable[str]) -> Fate:
    """What happens to a removed object; `left` are the layers of its cluster that still have objects."""
    kept = _kept(removed, by, left)
    if kept:
        return Fate(removed, stays=True, reason=kept)
    deleted = {FLUX: "Flux deletes it", ARGO: "Argo CD deletes it"}
    return Fate(removed, False, deleted.get(by, "it is deleted if the tool that applies the overlays prunes"))


def _kept(removed: OverlayObject, by: str, left: Iterable[str]) -> str:
    """Why an object is not deleted; empty if it is."""
    if removed.identity.kind == PAGE:
        return "a file to read or run manually; it has no effect on the cluster"
    if removed.is_patch:
        return "the patch is removed; the object keeps your own configuration"
    if removed.layer in _UNTENDED:
        return f"Flux and Argo CD do not delete objects of {removed.layer}/: delete it manually"
    if by and removed.layer not in left:
        return "its folder was removed: Flux or Argo CD reports an error and deletes nothing"
    return _marked(removed, by)


def _marked(removed: OverlayObject, by: str) -> str:
    """Why the engine does not delete an object of a remaining layer: an annotation of the object."""
    notes = _annotations(removed)
    if by == FLUX and str(notes.get(FLUX_PRUNE_ANNOTATION, "")).lower() == "disabled":
        return "Flux keeps it (prune: disabled) until you delete it"
    if by != ARGO:
        return ""
    options = {name.strip() for name in str(notes.get(SYNC_OPTIONS_ANNOTATION, "")).split(",")}
    if "Prune=false" in options:
        return "Argo CD keeps it (Prune=false) until you delete it"
    if "Prune=confirm" in options:
        waits = "Argo CD waits for confirmation before it deletes it (Prune=confirm)"
        return f"{waits}, and syncs nothing else of the Application until then"
    return ""


def _annotations(obj: OverlayObject) -> Mapping[str, Any]:
    return mapping_at(obj.body, "metadata", "annotations")
