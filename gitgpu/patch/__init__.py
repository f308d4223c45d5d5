"""Applies the patches in the spec to the objects of a cluster: those of pools, of workloads, then of the cluster.

A patch that cannot be applied leaves an object as it was, and is reported. A patch that selects nothing is reported
only if it does so on every cluster, which `unmatched` decides.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic
from gitgpu.emit.manifest import Manifest
from gitgpu.model.spec.patch import Patch
from gitgpu.patch.applied import after_patch
from gitgpu.patch.scope import Scope, is_target, scopes
from gitgpu.patch.undone import Judge, judge
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.source import Span


class Patched(NamedTuple):
    """The objects after all patches, the faults of the patches, and the places of those that selected an object."""

    manifests: list[Manifest]
    faults: tuple[Diagnostic, ...] = ()
    matched: frozenset[Span] = frozenset()


def apply_patches(manifests: Iterable[Manifest], plan: ClusterPlan) -> Patched:
    """The objects of a cluster after the patches of its pools, its workloads, and the cluster itself."""
    objects = list(manifests)
    wanted_scopes = [scope for scope in scopes(plan) if scope.patches]
    if not wanted_scopes:
        return Patched(objects)
    judged = _Judged(judge(plan), [], set())
    for index, manifest in enumerate(objects):
        objects[index] = _after_all(manifest, wanted_scopes, judged)
    return Patched(objects, tuple(judged.faults), frozenset(judged.matched))


class _Judged(NamedTuple):
    judge: Judge
    faults: list[Diagnostic]
    matched: set[Span]


def _after_all(manifest: Manifest, wanted: Sequence[Scope], judged: _Judged) -> Manifest:
    """The object after the patches that select it, each once: pools that share a node class may share a patch too."""
    seen: dict[Span, list[Patch]] = {}
    for scope in wanted:
        for patch in scope.patches if scope.has(manifest) else ():
            # Documents that were not read from a file have one span.
            if patch not in seen.get(patch.span, ()) and is_target(patch, manifest):
                seen.setdefault(patch.span, []).append(patch)
                manifest, wrong = after_patch(manifest, patch, judged.judge)
                judged.faults.extend(wrong)
    judged.matched.update(seen)
    return manifest
