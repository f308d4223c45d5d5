"""What the delivery engine of a cluster does with an edit: in which order it applies, and what it deletes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.compare.change import Change
from gitgpu.compare.snapshot import PAGE, Thing, at
from gitgpu.emit.manifest import Layer

FLUX, ARGO = "flux", "argocd"
LAYERS = tuple(layer.value for layer in Layer if not layer.by_hand)
_UNTENDED = tuple(layer.value for layer in Layer if layer.by_hand or layer is Layer.SYNC)  # of which no engine prunes
_FLUX, _ARGO = ("kustomize.toolkit.fluxcd.io", "Kustomization"), ("argoproj.io", "Application")
_PRUNE, _OPTIONS = "kustomize.toolkit.fluxcd.io/prune", "argocd.argoproj.io/sync-options"
_WAVE = "argocd.argoproj.io/sync-wave"
_BY_HAND = "you, with kubectl apply -k sync"


class Step(NamedTuple):
    """A layer that changes, who applies it, and the layers among those that change which come before."""

    layer: str
    by: str
    after: tuple[str, ...]


class Fate(NamedTuple):
    """What becomes of an object that leaves the overlays; `stays` where the engine does not delete it by itself."""

    thing: Thing
    stays: bool
    reason: str


def engine(sync: Iterable[Thing]) -> str:
    """flux, argocd, or "" where the objects in sync/ do not tell."""
    kinds = {(thing.identity.group, thing.identity.kind) for thing in sync}
    if _FLUX in kinds:
        return FLUX
    return ARGO if _ARGO in kinds else ""


def steps(changes: Sequence[Change], sync: Sequence[Thing]) -> tuple[Step, ...]:
    """The layers that change, in the order in which they are applied."""
    touched = [change.thing for change in changes if not change.is_silent and not change.thing.is_patch]
    layers = [name for name in LAYERS if any(thing.layer == name for thing in touched)]
    by = engine(sync)
    waits = _waits(sync) if by == FLUX else _waves(touched)
    who = _kustomizations(sync) if by == FLUX else dict.fromkeys(LAYERS, "Argo CD" if by == ARGO else "")
    who["sync"] = _BY_HAND
    return tuple(Step(name, who.get(name, ""), _before(name, waits, layers)) for name in layers)


def _kustomizations(sync: Iterable[Thing]) -> dict[str, str]:
    return {_layer(thing): thing.name for thing in sync if (thing.identity.group, thing.identity.kind) == _FLUX}


def _layer(kustomization: Thing) -> str:
    """The layer that a Flux Kustomization applies: the last part of its path."""
    path = at(kustomization.body, "spec", "path")
    return path.rstrip("/").rpartition("/")[2] if isinstance(path, str) else ""


def _waits(sync: Iterable[Thing]) -> dict[str, set[str]]:
    """For each layer those that its Kustomization waits for."""
    found = [thing for thing in sync if (thing.identity.group, thing.identity.kind) == _FLUX]
    layers = {thing.identity.name: _layer(thing) for thing in found}
    waits: dict[str, set[str]] = {}
    for thing in found:
        needs = at(thing.body, "spec", "dependsOn")
        if isinstance(needs, list):
            names = [entry.get("name") for entry in needs if isinstance(entry, Mapping)]
            waits[_layer(thing)] = {layers[name] for name in names if name in layers}
    return waits


def _waves(touched: Iterable[Thing]) -> dict[str, set[str]]:
    """For each layer those whose sync waves are all earlier: of one layer, what scales is in the last wave."""
    waves: dict[str, set[str]] = {}
    for thing in touched:
        if thing.layer != "sync":
            waves.setdefault(thing.layer, set()).add(str(_annotations(thing).get(_WAVE, "")))
    return {wave: {other for other in waves if max(waves[other]) < min(waves[wave])} for wave in waves}


def _before(layer: str, waits: Mapping[str, set[str]], layers: Sequence[str]) -> tuple[str, ...]:
    """The layers among some that come before one, at whatever distance."""
    found: set[str] = set()
    waiting = [layer]
    while waiting:
        new = waits.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return tuple(layer for layer in layers if layer in found)


def fate(gone: Thing, by: str, left: Iterable[str]) -> Fate:
    """What becomes of an object; `left` are the layers of its cluster that still have objects."""
    kept = _kept(gone, by, left)
    who = {FLUX: "Flux deletes it", ARGO: "Argo CD deletes it"}
    return Fate(gone, bool(kept), kept or who.get(by, "it is deleted if the tool that applies the overlays prunes"))


def _kept(gone: Thing, by: str, left: Iterable[str]) -> str:
    """Why an object stays where it is; empty when it does not."""
    places = {
        "a file for people; it has no effect on the cluster": gone.identity.kind == PAGE,
        "the patch is removed; its object is as you wrote it": gone.is_patch,
        f"Flux and Argo CD do not delete objects of {gone.layer}/: delete it by hand": gone.layer in _UNTENDED,
        "its folder is gone: Flux or Argo CD reports an error and deletes nothing": by and gone.layer not in left,
    }
    return next((reason for reason, holds in places.items() if holds), _marked(gone, by))


def _marked(gone: Thing, by: str) -> str:
    """Why the engine does not delete an object of a layer that goes on: a mark that it carries."""
    notes = _annotations(gone)
    if by == FLUX and str(notes.get(_PRUNE, "")).lower() == "disabled":
        return "Flux keeps it (prune: disabled) until you delete it"
    options = {name.strip() for name in str(notes.get(_OPTIONS, "")).split(",")} if by == ARGO else set()
    if "Prune=false" in options:
        return "Argo CD keeps it (Prune=false) until you delete it"
    confirm = "Argo CD asks before it deletes it (Prune=confirm), and syncs nothing else of the Application until then"
    return confirm if "Prune=confirm" in options else ""


def _annotations(thing: Thing) -> Mapping[str, Any]:
    found = at(thing.body, "metadata", "annotations")
    return found if isinstance(found, Mapping) else {}
