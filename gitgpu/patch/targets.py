"""Patches that select no object: those with an invalid target, and those without a match on any cluster."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic, Problem
from gitgpu.emit.manifest import Manifest
from gitgpu.model.names.kinds import group_kind
from gitgpu.model.spec.patch import Patch
from gitgpu.objects.delivery.patch_targets import is_pattern, is_selected
from gitgpu.patch.fault import fault
from gitgpu.patch.scope import Scope, is_target, namespace_of
from gitgpu.source import Span
from gitgpu.spelling import comma_separated, nearest

_MAX_LISTED = 12  # the most objects that a remedy lists


class Candidate(NamedTuple):
    """A patch on one of its clusters, with the objects of the cluster."""

    patch: Patch
    scope: Scope
    cluster: str
    manifests: Sequence[Manifest]


def _is_valid(patch: Patch) -> bool:
    """Whether all texts of the target are regular expressions."""
    return all(map(is_pattern, patch.target.values()))


def unmatched_patches(candidates: Iterable[Candidate], matched: frozenset[Span]) -> Iterator[Diagnostic]:
    """A fault for each patch that selects nothing on any of its clusters."""
    first: dict[Span, Candidate] = {}
    for candidate in candidates:
        if candidate.patch.span not in matched:
            first.setdefault(candidate.patch.span, candidate)
    for candidate in first.values():
        if _is_valid(candidate.patch):
            yield _no_match(candidate)
        else:
            yield from _not_patterns(candidate.patch)


def _not_patterns(patch: Patch) -> Iterator[Diagnostic]:
    remedy = "escape its special characters with a backslash, or use the exact text"
    for key, text in patch.target.items():
        if not is_pattern(text):
            problem = Problem(f"target.{key} '{text}' is not a valid regular expression", remedy)
            yield fault("PAT005", patch, ("target", key), problem)


def _no_match(candidate: Candidate) -> Diagnostic:
    """The fault of a patch that selects nothing, with the objects that it could select."""
    patch, scope, cluster, manifests = candidate
    candidates = [manifest for manifest in manifests if scope.has(manifest)]
    other_manifests = [manifest for manifest in manifests if is_target(patch, manifest)]
    owner = f"{patch.origin.ref.kind} {patch.origin.ref.name}" if scope.owner is None else _document(scope)
    if other_manifests:
        message = f"{_title(other_manifests[0])} on cluster {cluster} is not generated from {owner}"
        remedy = f"put the patch in Cluster {cluster}, under spec.patches"
    else:
        where = "" if scope.owner is None else f" on cluster {cluster}"
        message, remedy = f"the patch does not match any object of {owner}{where}", _remedy(patch.target, candidates)
    return fault("PAT001", patch, ("target",), Problem(message, remedy))


def _document(scope: Scope) -> str:
    return f"{scope.owner.ref.kind} {scope.owner.ref.name}" if scope.owner else ""


def _remedy(target: Mapping[str, str], candidates: Sequence[Manifest]) -> str:
    """What to correct, with the existing objects of the kind, or else all objects."""
    if not candidates:
        return "remove the patch: gitgpu does not generate objects from this document"
    kinds = sorted({manifest.ref.kind for manifest in candidates})
    same_kind = [manifest for manifest in candidates if _is_selected(manifest, target, "kind")]
    closest = nearest(target["kind"], kinds)
    if same_kind:
        return f"{_correction(target, same_kind)}; the objects of this kind are: {_titles(same_kind)}"
    if closest:
        alike = [manifest for manifest in candidates if manifest.ref.kind == closest]
        return f"set kind: {closest}; the objects of this kind are: {_titles(alike)}"
    objects = (
        f"the objects are: {_titles(candidates)}"
        if len(candidates) <= _MAX_LISTED
        else f"the kinds are: {', '.join(kinds)}"
    )
    return f"correct the target; {objects}"


def _correction(target: Mapping[str, str], same: Sequence[Manifest]) -> str:
    """The keys that exclude all objects of the kind; all keys if they do so only together."""
    keys = [key for key in target if key != "kind"]
    wrong_keys = [key for key in keys if not _selects_any(same, target, key)]
    if wrong_keys == ["group"]:
        group, _ = group_kind(same[0].body)
        return f"set group: {group}" if group else "remove group"
    return f"correct {' and '.join(wrong_keys or keys)}"


def _is_selected(manifest: Manifest, target: Mapping[str, str], key: str) -> bool:
    return is_selected(((key, target[key]),), manifest.body, namespace_of(manifest))


def _selects_any(manifests: Sequence[Manifest], target: Mapping[str, str], key: str) -> bool:
    return any(_is_selected(manifest, target, key) for manifest in manifests)


def _titles(manifests: Iterable[Manifest]) -> str:
    return comma_separated(sorted({_title(manifest) for manifest in manifests}), _MAX_LISTED)


def _title(manifest: Manifest) -> str:
    return "/".join(part for part in (manifest.ref.kind, namespace_of(manifest), manifest.ref.name) if part)
