"""Objects after all patches that select them. A fleet without patches does not import this."""

from collections.abc import Sequence
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic
from gitgpu.emit.manifest import Manifest
from gitgpu.model.spec.patch import Patch
from gitgpu.patch.applied import after_patch
from gitgpu.patch.scope import Scope, is_target
from gitgpu.patch.undone import Judge, judge
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.source import Span


class _Judged(NamedTuple):
    judge: Judge
    faults: list[Diagnostic]
    matched: set[Span]


def with_patches(
    manifests: Sequence[Manifest], wanted: Sequence[Scope], plan: ClusterPlan
) -> tuple[list[Manifest], list[Diagnostic], set[Span]]:
    """The objects after their patches, the faults of these, and the places of those that selected an object."""
    judged = _Judged(judge(plan), [], set())
    return [_after_all(manifest, wanted, judged) for manifest in manifests], judged.faults, judged.matched


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
