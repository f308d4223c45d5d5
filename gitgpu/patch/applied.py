"""An object after one patch: merged, or changed by operations in order."""

from collections.abc import Mapping, Sequence
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Diagnostic, Problem
from gitgpu.emit.manifest import Manifest
from gitgpu.emit.places import ChangedPlaces, changed_places, with_changes
from gitgpu.model.spec.patch import Patch
from gitgpu.objects.delivery.jsonpatch import after_operation
from gitgpu.objects.delivery.merge import merge_value
from gitgpu.objects.delivery.patches import is_custom
from gitgpu.patch.directives import directive_faults, unread_directives
from gitgpu.patch.exposed_secrets import exposed_secrets
from gitgpu.patch.fault import fault
from gitgpu.patch.locator import Locator
from gitgpu.patch.lost_taints import lost_taints
from gitgpu.patch.missing_images import missing_images
from gitgpu.patch.operations import incomplete, refused_operation
from gitgpu.patch.overwritten import dotted_pointer, overwritten_fault, overwritten_values
from gitgpu.patch.undone import Judge
from gitgpu.source import SourceMap

_IDENTITY: Sequence[tuple[str, ...]] = (("apiVersion",), ("kind",), ("metadata", "name"), ("metadata", "namespace"))


def after_patch(manifest: Manifest, patch: Patch, judge: Judge) -> tuple[Manifest, list[Diagnostic]]:
    """The object after a patch, and what is wrong with the patch. If the patch is rejected, the object is unchanged."""
    states, faults = _states(manifest.body, patch)
    for index, body in enumerate(states):
        faults += _renaming(manifest, body, patch, index)
    if faults:
        return manifest, faults[:1]  # the others may be its consequences
    places, faults = _located(manifest, states, patch)
    after = states[-1] if states else manifest.body
    faults += _unread(after, places, patch)
    faults += exposed_secrets(manifest.body, states, patch)
    faults += [*lost_taints(manifest, states, patch), *judge.undone_decisions(manifest, states, patch)]
    faults += missing_images(manifest, states, patch)
    authors = dict.fromkeys((*manifest.patched_by, patch.origin.mark))
    return manifest._replace(body=after, places=places, patched_by=tuple(authors)), faults


def _located(
    manifest: Manifest, states: Sequence[Mapping[str, Any]], patch: Patch
) -> tuple[ChangedPlaces, list[Diagnostic]]:
    """The places of an object after the changes of a patch, and a fault for each earlier change that it overwrites."""
    faults: list[Diagnostic] = []
    before: Mapping[str, Any] = manifest.body
    places = with_changes(manifest.places or SourceMap.of(manifest.origin.span))
    for index, body in enumerate(states):
        locator = Locator(patch, index, body)
        changed = overwritten_values(places, before, body, patch)
        faults += [overwritten_fault(patch, locator.within(earlier.pointer), earlier) for earlier in changed]
        places = changed_places(places, (before, body), locator.locate, patch.span)
        before = body
    return places, faults


def _states(body: Mapping[str, Any], patch: Patch) -> tuple[list[Mapping[str, Any]], list[Diagnostic]]:
    """The object after each change of a patch; if it cannot be applied, nothing and the reasons."""
    if isinstance(patch.change, dict):
        wrong = directive_faults(patch)
        return ([] if wrong else [merge_value(dict(body), patch.change, listed=not is_custom(body))]), wrong
    if lacking := incomplete(patch):
        return [], lacking
    states: list[Mapping[str, Any]] = []
    for index, operation in enumerate(patch.change):
        after, refusal = after_operation(body, operation)
        if refusal:
            return [], [refused_operation(patch, index, body, refusal)]
        states.append(after)
        body = after
    return states, []


def _renaming(manifest: Manifest, body: Mapping[str, Any], patch: Patch, index: int) -> list[Diagnostic]:
    """A fault if a patch turns the object into another one: gitgpu, Flux and Argo CD identify it by these values."""
    faults = []
    for path in _IDENTITY:
        if reach(manifest.body, *path) != reach(body, *path):
            name = ".".join(path)
            message = (
                f"the patch changes {name} of {manifest.ref.kind} {manifest.ref.name}: it would be a different object"
            )
            remedy = f"remove {name} from the patch"
            faults.append(fault("PAT002", patch, Locator(patch, index, body).within(path), Problem(message, remedy)))
    return faults


def _unread(body: Mapping[str, Any], places: ChangedPlaces, patch: Patch) -> list[Diagnostic]:
    """Faults for the directives of the patch that are in a list which the patch replaces."""
    remedy = "write the complete list, or use JSON patch operations"
    faults = []
    for pointer in unread_directives(body):
        place = places.find(pointer)
        if place and place.by == patch.span:
            message = f"$patch has no effect in {dotted_pointer(pointer[:-2])}: a patch replaces this list"
            faults.append(fault("PAT005", patch, Locator(patch, 0, body).within(pointer), Problem(message, remedy)))
    return faults
