"""Node pools of Azure Service Operator that name their cluster in another way, which the operator does not change.

gitgpu names the cluster by its ID in Azure. A pool that names the object of its cluster keeps that, with a patch.
So does one whose ID differs in case (`az` prints `resourcegroups`): Azure ignores case, and the operator does not.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from gitgpu.access import mapping_at
from gitgpu.adopt.adoption import Adopted, Destination, Fate, Outcome
from gitgpu.adopt.compiled import output_of
from gitgpu.adopt.kept_patches import PATCHES, patch_of, with_patches
from gitgpu.inventory.observed import Observed
from gitgpu.model.inputs import Inputs
from gitgpu.model.names.kinds import MANAGED_CLUSTERS_AGENT_POOL, group_kind
from gitgpu.objects.objects import identity

_OWNER = ("spec", "owner")
_REASON = "Azure Service Operator rejects another owner"


def with_kept_owners(fleet: Adopted, inputs: Inputs | None, running: Mapping[str, Iterable[Observed]]) -> Adopted:
    """The fleet with patches for these pools. `running` are the objects by the name of their Cluster."""
    documents, outcomes = list(fleet.documents), list(fleet.outcomes)
    for cluster in inputs.clusters if inputs else ():
        resource = cluster.resource_id or ""
        seen = {identity(each.body): each for each in running.get(cluster.name, ()) if _has_other_owner(each, resource)}
        if inputs and seen:
            bodies = [manifest.body for manifest in output_of(inputs, cluster).manifests]
            kept = [seen[identity(body)] for body in bodies if identity(body) in seen]
            patches = [_patch(each) for each in kept]
            documents = [with_patches(entry, cluster.name, patches, _REASON) for entry in documents]
            into = Destination("Cluster", cluster.name, PATCHES)
            outcomes += [Outcome(each, Fate.INFERRED, _REASON, _OWNER, into) for each in kept]
    return fleet._replace(documents=tuple(documents), outcomes=tuple(outcomes))


def _has_other_owner(observed: Observed, resource: str) -> bool:
    """Whether it is a pool that names its cluster in another way than by this ID, letter by letter."""
    if group_kind(observed.body) != MANAGED_CLUSTERS_AGENT_POOL:
        return False
    owner = mapping_at(observed.body, *_OWNER)
    written = str(owner.get("armId") or "")
    return bool(owner.get("name")) or (written != resource and written.lower() == resource.lower())


def _patch(observed: Observed) -> dict[str, Any]:
    owner = mapping_at(observed.body, *_OWNER)
    spec = {"owner": {"armId": None, **owner}}
    return patch_of(MANAGED_CLUSTERS_AGENT_POOL.kind, identity(observed.body).name, spec)
