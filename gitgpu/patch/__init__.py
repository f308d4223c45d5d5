"""Applies the patches in the spec to the objects of a cluster: those of pools, of workloads, then of the cluster.

A patch that cannot be applied leaves an object as it was, and is reported. A patch that selects nothing is reported
only if it does so on every cluster, which `unmatched` decides.
"""

from collections.abc import Iterable
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic
from gitgpu.emit.manifest import Manifest
from gitgpu.patch.scope import scopes
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
    from gitgpu.patch.all_patches import with_patches  # noqa: PLC0415  most fleets have no patches

    patched, faults, matched = with_patches(objects, wanted_scopes, plan)
    return Patched(patched, tuple(faults), frozenset(matched))
