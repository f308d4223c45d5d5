"""The labels and annotations that every object gets, of any kind."""

from collections.abc import Mapping

from gitgpu.emit.manifest import Layer, Manifest, Role
from gitgpu.model.fleet import Model, Pool, Workload
from gitgpu.model.names.annotations import FLUX_PRUNE_ANNOTATION
from gitgpu.model.names.kinds import AKS_NODE_CLASS, MANAGED_CLUSTERS_AGENT_POOL, NODE_POOL, SCHEDULER_CONFIGURATION
from gitgpu.model.names.labels import APP_PART_OF_LABEL, MANAGED_BY_LABEL
from gitgpu.model.spec.metadata import Metadata
from gitgpu.model.spec.origin import SpecObject
from gitgpu.model.spec.team import Team
from gitgpu.plan.decided.cluster import ClusterPlan

# Argo CD waits until a wave is healthy, except for the last one. Nodes and scalers are in the last: a pool that is not
# Ready, or a metric that does not exist yet, must not hold back anything else. Only pools with models come before:
# KAITO rejects a model while its pool has no node, and a rejected object makes Argo CD wait for the rest of its wave.
WAVES = {Layer.CONTROLLERS: "0", Layer.MONITORING: "1"}
OF_MODELS, LAST = "2", "3"
# Deleting one of these also deletes its nodes or everything in the namespace, or new pods that select it stay Pending.
PRECIOUS = (
    NODE_POOL.kind,
    AKS_NODE_CLASS.kind,
    MANAGED_CLUSTERS_AGENT_POOL.kind,
    "Namespace",
    SCHEDULER_CONFIGURATION.kind,
)
ARGO = "argocd.argoproj.io"
# Argo CD stops in the wave in which it asks for confirmation, before it applies anything of it. So it asks after the
# last one.
CONFIRMED = "Delete=confirm,Prune=confirm,PruneLast=true"
# A retired pool is pruned without confirmation: until it is given, Argo CD syncs nothing else.
RETIRED = "Delete=confirm,PruneLast=true"
_NO_METADATA = Metadata()


def own_metadata(plan: ClusterPlan) -> dict[SpecObject, Metadata]:
    """The labels and annotations that pools, workloads, models and teams set for their objects, by document."""
    parts: list[Pool | Workload | Model | Team] = [planned.pool for planned in plan.pools]
    parts += [planned.workload for planned in plan.workloads]
    parts += [planned.model for planned in plan.serving.models]
    parts += [queue.team for queue in plan.queues.teams]
    return {part.origin.mark: part.metadata for part in parts}


def stamp(manifest: Manifest, plan: ClusterPlan, own: Mapping[SpecObject, Metadata]) -> Manifest:
    """The manifest with gitgpu's labels, the engine's annotations, and the annotations of its document."""
    # Only the metadata of the object itself: another label on a pod template or a node would replace it.
    if manifest.role is Role.PATCH:
        return manifest
    meta, document_metadata = manifest.body["metadata"], own.get(manifest.origin, _NO_METADATA)
    labels = {MANAGED_BY_LABEL: "gitgpu", APP_PART_OF_LABEL: plan.fleet}
    annotations = {**document_metadata.annotations, **_for_engine(manifest, plan), **meta.get("annotations", {})}
    stamped = {**meta, "labels": dict(sorted({**document_metadata.labels, **meta.get("labels", {}), **labels}.items()))}
    if annotations:
        stamped["annotations"] = dict(sorted(annotations.items()))
    return manifest._replace(body={**manifest.body, "metadata": stamped})


def _for_engine(manifest: Manifest, plan: ClusterPlan) -> Mapping[str, str]:
    precious = manifest.body["kind"] in PRECIOUS
    if manifest.layer is Layer.SYNC or manifest.layer.by_hand:
        return {}
    if plan.cluster.delivery.engine == "flux":
        return {FLUX_PRUNE_ANNOTATION: "disabled"} if precious else {}
    wave = {f"{ARGO}/sync-wave": _wave(manifest, plan)}
    if not precious:
        return wave
    retiring = manifest.origin in {pool.pool.origin.mark for pool in plan.pools if pool.pool.retire}
    return {**wave, f"{ARGO}/sync-options": RETIRED if retiring else CONFIRMED}


def _wave(manifest: Manifest, plan: ClusterPlan) -> str:
    if manifest.layer in WAVES:
        return WAVES[manifest.layer]
    served = {model.pool for model in plan.serving.models}
    pools = {planned.pool.origin.mark for planned in plan.pools if planned.name in served}
    is_holder = manifest.layer is Layer.WORKLOADS and manifest.body["kind"] == "Deployment"
    is_pool = manifest.layer is Layer.NODES and manifest.origin in pools
    return OF_MODELS if is_holder or is_pool else LAST
