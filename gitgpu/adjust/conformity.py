"""What the API server or a rule says about objects with values or patches, at the place of the value or patch."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gitgpu.adjust.compiled import Compiled
from gitgpu.conform import Norms, conform
from gitgpu.conform.objects import Given
from gitgpu.diagnostic import Diagnostic, ObjectRef, Severity
from gitgpu.emit.manifest import Manifest, Role
from gitgpu.emit.places import ChangedPlaces
from gitgpu.source import Pointer, SourceMap, Span


def conformity(clusters: Sequence[Compiled], norms: Norms, *, everywhere: bool) -> Iterator[Diagnostic]:
    """All findings about values that the user has changed, and with `everywhere` the errors about other values.

    Without values and patches there are no errors: if a cluster has one only, it is the cause of all of them.
    """
    for cluster in clusters:
        manifests = {manifest.ref: manifest for manifest in cluster.patched.manifests}
        found = conform(map(given, cluster.patched.manifests), cluster.plan.cluster.kubernetes, norms)
        changes = set[Span]().union(*map(_changes, manifests.values()))
        for finding in found:
            if _is_changed(finding, manifests):
                yield finding
            elif everywhere and finding.severity is Severity.ERROR:
                yield finding._replace(span=next(iter(changes))) if len(changes) == 1 else finding


def _changes(manifest: Manifest) -> Iterator[Span]:
    """The places of the values and patches that change an object."""
    written = manifest.places.written.values() if isinstance(manifest.places, ChangedPlaces) else ()
    return (value.by for value in written)


def given(manifest: Manifest) -> Given:
    """A manifest of ours: what the user does not write is on the line of the spec that it comes from."""
    places = manifest.places or SourceMap.of(manifest.origin.span)
    return Given(manifest.body, places, manifest.role is Role.PATCH)


def _is_changed(finding: Diagnostic, manifests: Mapping[ObjectRef, Manifest]) -> bool:
    """Is a finding about a value that the user has changed?"""
    manifest = manifests.get(finding.object)
    if manifest is None or not isinstance(manifest.places, ChangedPlaces):
        return False
    return manifest.places.found(_pointer(finding.pointer, manifest.body)) is not None


def _pointer(text: str, body: Any) -> Pointer:
    """The pointer of a text; a step into a list is a number."""
    found: list[str | int] = []
    for part in text.split("/")[1:]:
        step = part.replace("~1", "/").replace("~0", "~")
        if isinstance(body, list):
            index = int(step)
            body = body[index] if index < len(body) else None
            found.append(index)
        else:
            body = body.get(step) if isinstance(body, Mapping) else None
            found.append(step)
    return tuple(found)
