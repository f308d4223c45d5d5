"""Turns decisions into Kubernetes objects: each module in `kinds/` emits one kind, as dictionaries and never as text.

A new module in `kinds/` is found automatically; its layer has to be among `layers`. `emit` gives every object gitgpu's
labels and the annotations that the cluster's GitOps engine reads, and takes images from the cluster's registry.
`pages/` is for what no engine applies: commands and queries to run manually.
"""

from collections.abc import Sequence

from gitgpu.emit import kinds
from gitgpu.emit import pages as runbook
from gitgpu.emit.emitter import Emitter
from gitgpu.emit.manifest import Manifest
from gitgpu.emit.mirror import mirror_manifest
from gitgpu.emit.page import Page
from gitgpu.emit.stamp import own_metadata, stamp
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.registry import collect


def emitters() -> tuple[Emitter, ...]:
    """All emitters, sorted by module name."""
    return collect(kinds, "EMITTER", Emitter)


def pages() -> tuple[Page, ...]:
    """All pages, sorted by module name."""
    return collect(runbook, "PAGE", Page)


def emit(plan: ClusterPlan, using: Sequence[Emitter]) -> list[Manifest]:
    """All manifests of one cluster."""
    own = own_metadata(plan)
    manifests: list[Manifest] = []
    for emitter in using:
        manifests += (stamp(mirror_manifest(manifest, plan.registry), plan, own) for manifest in emitter.emit(plan))
    return manifests
