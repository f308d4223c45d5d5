"""Which objects of a cluster the patches of a document can select."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.emit.manifest import Manifest, Role
from gitgpu.model.fleet import Pool
from gitgpu.model.names.kinds import AKS_NODE_CLASS
from gitgpu.model.spec.origin import SpecObject
from gitgpu.model.spec.patch import Patch
from gitgpu.objects.delivery.patch_targets import is_selected
from gitgpu.plan.decided.cluster import ClusterPlan


class Scope(NamedTuple):
    """The patches of a document. `owner` is None for a cluster, whose patches can select every object.

    `node_class` is the class of a pool, which other pools may share.
    """

    patches: tuple[Patch, ...]
    owner: SpecObject | None
    node_class: str = ""

    def has(self, manifest: Manifest) -> bool:
        """Whether the patches can select the object."""
        is_own = self.owner is None or manifest.origin == self.owner
        return is_own or (manifest.ref.kind == AKS_NODE_CLASS.kind and manifest.ref.name == self.node_class)


def is_target(patch: Patch, manifest: Manifest) -> bool:
    """Whether the target of a patch matches the object. Its scope decides whether the patch can select it."""
    return is_selected(patch.target.items(), manifest.body, namespace_of(manifest))


def namespace_of(manifest: Manifest) -> str:
    """The namespace of an object. For a patch that the owner of a workload includes, it starts the folder name."""
    if manifest.role is Role.PATCH:
        return manifest.folder.partition(".")[0] if "." in manifest.folder else ""
    return manifest.ref.namespace


def scopes(plan: ClusterPlan) -> Iterator[Scope]:
    """The patches of a cluster's pools, workloads, models and teams, and its own, in the order in which they apply."""
    pools: Iterator[Pool] = (planned.pool for planned in plan.pools)
    for pool in pools:
        yield Scope(pool.patches, pool.origin.mark, pool.node_class)
    for planned in plan.workloads:
        yield Scope(planned.workload.patches, planned.workload.origin.mark)
    for served in plan.serving.models:
        yield Scope(served.model.patches, served.model.origin.mark)
    for queue in plan.queues.teams:
        yield Scope(queue.team.patches, queue.team.origin.mark)
    yield Scope(plan.cluster.patches, None)
