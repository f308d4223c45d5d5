"""What the API server or a rule reports about objects with values or patches, at the place of the value or patch."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from gitgpu.access import value_at
from gitgpu.adjust.compiled import Compiled
from gitgpu.diagnostic import Diagnostic, ObjectRef, Severity
from gitgpu.emit.manifest import Manifest
from gitgpu.emit.node.agent_pool import kinds_beyond
from gitgpu.emit.places import ChangedPlaces
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.cluster_releases import cluster_releases
from gitgpu.objects.norms import Norms
from gitgpu.objects.safeguards import Safeguards
from gitgpu.patch.emitted import as_given
from gitgpu.rules.object_findings import object_findings
from gitgpu.source import Pointer, Span


class _Changed(NamedTuple):
    """The body of an object that the user has changed, and its places."""

    body: Any
    places: ChangedPlaces


def conformity(clusters: Sequence[Compiled], inputs: Inputs, norms: Norms, *, everywhere: bool) -> Iterator[Diagnostic]:
    """All findings about values that the user has changed and, with `everywhere`, errors about other values."""
    for compiled in clusters:
        objects = _changed_objects(compiled.patched.manifests)
        changes = set[Span]().union(*map(_changes, objects.values()))
        for finding in _findings(compiled, inputs, norms):
            if _is_changed(finding, objects):
                yield finding
            elif everywhere and finding.severity is Severity.ERROR:
                # Without values and patches there are no errors, so a cluster's only change causes all of them.
                yield finding._replace(span=next(iter(changes))) if len(changes) == 1 else finding


def _findings(compiled: Compiled, inputs: Inputs, norms: Norms) -> Iterable[Diagnostic]:
    """The findings about the patched objects of a cluster."""
    cluster = compiled.plan.cluster
    safeguards = Safeguards(cluster.excluded) if cluster.is_automatic else None
    own = replace(norms, versions=cluster_releases(inputs, cluster), safeguards=safeguards, of_fleet=True)
    given = map(as_given, compiled.patched.manifests)
    return object_findings(given, cluster.kubernetes, own, beyond=kinds_beyond(compiled.plan))


def _changed_objects(manifests: Sequence[Manifest]) -> dict[ObjectRef, _Changed]:
    changed: dict[ObjectRef, _Changed] = {}
    for manifest in manifests:
        if isinstance(manifest.places, ChangedPlaces):
            changed[manifest.ref] = _Changed(manifest.body, manifest.places)
    return changed


def _changes(changed: _Changed) -> Iterator[Span]:
    """The places of the values and patches that change an object."""
    return (value.by for value in changed.places.written.values())


def _is_changed(finding: Diagnostic, objects: Mapping[ObjectRef, _Changed]) -> bool:
    """Whether a finding is about a value that the user has changed."""
    changed = objects.get(finding.object)
    return changed is not None and changed.places.find(_pointer(finding.pointer, changed.body)) is not None


def _pointer(text: str, body: Any) -> Pointer:
    """The pointer in a text; steps into a list become numbers."""
    steps: list[str | int] = []
    for part in text.split("/")[1:]:
        step = int(part) if isinstance(body, list) else part.replace("~1", "/").replace("~0", "~")
        body = value_at(body, (step,))
        steps.append(step)
    return tuple(steps)
