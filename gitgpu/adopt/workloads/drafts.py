"""The documents of workloads before their `scaling` is known."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.adopt.adoption import SpecDocument
from gitgpu.adopt.node.node_objects import is_of_nodes
from gitgpu.adopt.stack.view import View
from gitgpu.adopt.workloads.jobs import own_job
from gitgpu.adopt.workloads.scaling import Scaler
from gitgpu.adopt.workloads.targets import Target, asks_for_gpus, target
from gitgpu.model.fleet import KARPENTER
from gitgpu.model.names.kinds import DEPLOYMENT, JOB, SCALED_JOB, STATEFUL_SET
from gitgpu.model.names.labels import (
    AGENTPOOL_LABEL,
    LEGACY_AGENTPOOL_LABEL,
    NODEPOOL_LABEL,
    QUEUE_PRIORITY_LABEL,
)
from gitgpu.model.spec.taint import parse_taint
from gitgpu.objects.objects import Identity, Item
from gitgpu.objects.workload.autoscalers import Target as Scaled
from gitgpu.objects.workload.autoscalers import target as scaled_target
from gitgpu.objects.workload.known_kinds import SHAPES, WORKLOAD_KINDS
from gitgpu.objects.workload.pods import Pod, described_pods
from gitgpu.objects.workload.shaped_pods import group_of
from gitgpu.source import Pointer

_BUILT_IN = (DEPLOYMENT, STATEFUL_SET, JOB, SCALED_JOB)
_UNSAFE = re.compile(r"[^a-z0-9-]")
_LONGEST = 63  # characters of a name
_POOL_LABELS = (NODEPOOL_LABEL, AGENTPOOL_LABEL, LEGACY_AGENTPOOL_LABEL)
# Why a workload has no pools, by whether other objects complete its pods.
_NO_POOL = {
    False: "none of the adopted pools accepts its pods",
    True: "other objects complete its pods, which name no adopted pool, so that it is not certain which pools run them",
}


class Draft(NamedTuple):
    """A workload that requests GPUs: its document and its scaler; `reason` says why there is no document."""

    pod: Pod
    document: SpecDocument | None
    scaler: Scaler | None = None
    cuda_at: Pointer = ()
    reason: str = ""

    @property
    def item(self) -> Item:
        """The object that creates the pods."""
        return self.pod.item


class Site(NamedTuple):
    """The documents that a cluster already has: Fleet, Cluster, GpuPools by the name of their node pool, GpuTeams."""

    fleet: SpecDocument
    cluster: SpecDocument
    pools: Mapping[str, SpecDocument]
    teams: tuple[SpecDocument, ...] = ()

    def common(self, documents: Iterable[SpecDocument]) -> list[SpecDocument]:
        """The documents that are needed to compile workloads: Fleet, Cluster, the pools that they name, and teams."""
        named = set(chain.from_iterable(document.spec["pools"] for document in documents))
        pools = [pool for pool in self.pools.values() if pool.name in named]
        return [self.fleet, self.cluster, *pools, *self.teams]

    @property
    def server(self) -> str | None:
        """The Prometheus of the cluster's stack."""
        address = reach(self.cluster.spec, "stack", "metrics", "server")
        return str(address) if address else None


def site_of(documents: Sequence[SpecDocument]) -> Site:
    """The documents of one cluster."""
    [fleet] = [document for document in documents if document.kind == "Fleet"]
    [cluster] = [document for document in documents if document.kind == "Cluster"]
    default = cluster.spec.get("provisioner", KARPENTER)
    pools: dict[str, SpecDocument] = {}
    for document in documents:
        if document.kind == "GpuPool":
            by_karpenter = document.spec.get("provisioner", default) == KARPENTER
            # Names of AKS node pools cannot contain dashes.
            agent_pool = document.spec.get("nodePoolName") or document.name.replace("-", "")
            pools[document.name if by_karpenter else str(agent_pool)] = document
    return Site(fleet, cluster, pools, tuple(document for document in documents if document.kind == "GpuTeam"))


def drafts(view: View, site: Site, scalers: Sequence[Scaler]) -> Iterator[Draft]:
    """The workloads with GPU requests, in order of namespace and name."""
    if all(is_of_nodes(item.body) for item in view.objects.items):
        return
    from gitgpu.simulate import Setup, possible_pools  # noqa: PLC0415  many modules, which only workloads need

    setup = Setup(site.cluster.name, str(site.cluster.spec["region"]), _max_pods(view))
    # Of several scalers of a target, the first one counts.
    by_target = {_target(scaler): scaler for scaler in reversed(scalers)}
    taken: set[tuple[str, str]] = set()
    complete = possible_pools(view.objects, setup, lambda pod: asks_for_gpus(pod, view.objects))
    partial = ((pod, _pools_named_by(pod)) for pod in described_pods(view.objects) if pod.partial)
    for pod, names in chain(complete, partial):
        identity = pod.item.identity
        if identity[:2] not in _BUILT_IN and list_at(pod.item.body, "metadata", "ownerReferences"):
            continue  # its owner creates it again without the patch
        if pod.partial and not asks_for_gpus(pod, view.objects):
            continue
        scaler = by_target.get(Scaled(*identity))
        pools = [site.pools[name].name for name in names if name in site.pools]
        draft = _with_priority(_draft(pod, sorted(pools), scaler, view), site)
        # Objects of different kinds can have the same name.
        if draft.document and (identity.namespace, draft.document.name) in taken:
            name = f"{draft.document.name}-{identity.kind.lower()}"
            draft = draft._replace(document=draft.document._replace(name=name))
        if draft.document:
            taken.add((identity.namespace, draft.document.name))
        yield draft


def _pools_named_by(pod: Pod) -> tuple[str, ...]:
    """The node pools that every term of the pods names: only with these is it certain where partial pods run."""
    named: set[str] = set()
    for term in pod.terms():
        required = next((term[key] for key in _POOL_LABELS if key in term), None)
        if required is None or required.complement:
            return ()
        named |= required.values
    return tuple(named)


def _draft(pod: Pod, pools: list[str], scaler: Scaler | None, view: View) -> Draft:
    """The document of a workload, without `scaling`, or why there is none."""
    identity = pod.item.identity
    kind = (identity.group, identity.kind)
    known = WORKLOAD_KINDS.get(kind)
    can_be_target = known is not None and known.shape is not None
    if kind != SCALED_JOB and (not can_be_target or group_of(pod) is None):
        cannot = f"a GpuWorkload cannot target the pods of a {_named(identity)}"
        return Draft(pod, None, reason=_NO_POOL[True] if can_be_target and pod.partial else cannot)
    described = target(pod, view.objects)
    if described.reason or not pools:
        return Draft(pod, None, scaler, reason=described.reason or _NO_POOL[pod.partial])
    spec: dict[str, Any] = {"pools": pools, **described.spec}
    if kind == SCALED_JOB:
        spec = _made_of_job(spec, pod, described, view)
    # gitgpu names a scaler after its workload, so the running scaler keeps its name.
    name = scaler.item.identity.name if scaler and kind != SCALED_JOB and scaler.candidates else identity.name
    if group := str(described.spec["target"].get("group", "")):
        name = f"{name}-{_UNSAFE.sub('-', group.lower())}"[:_LONGEST].rstrip("-")
    return Draft(
        pod, SpecDocument("GpuWorkload", name, spec, identity.namespace or "default"), scaler, described.cuda_at
    )


def _with_priority(draft: Draft, site: Site) -> Draft:
    """The draft with the priority that a label names, if it is one of its team."""
    document = draft.document
    team = next((team for team in site.teams if document and document.namespace in team.spec["namespaces"]), None)
    if document is None or team is None:
        return draft
    labels = {**draft.pod.labels, **mapping_at(draft.item.body, "metadata", "labels")}
    name = str(labels.get(QUEUE_PRIORITY_LABEL) or draft.pod.spec.get("priorityClassName"))
    priority = name.removeprefix(f"{team.name}-")
    if priority == name or priority not in team.spec.get("priorities", {}):
        return draft
    return draft._replace(document=document._replace(spec={**document.spec, "priority": priority}))


def _named(identity: Identity) -> str:
    """The kind, with its group if another one of the name can be a target."""
    return f"{identity.kind} of {identity.group}" if identity.kind in SHAPES else identity.kind


def _made_of_job(spec: dict[str, Any], pod: Pod, described: Target, view: View) -> dict[str, Any]:
    """The spec for a ScaledJob, with the Job in the document."""
    job = pod.item.body["spec"]["jobTargetRef"]
    container = described.spec["target"].get("container") or pod.item.identity.name
    taints = {str(toleration.get("key")) for toleration in pod.tolerations if toleration.get("key")}
    resources = (name for _, name, _ in pod.devices())
    bare_job = own_job(job, container, next(resources, ""), taints & _taints(view))
    return {"pools": spec["pools"], "target": {**spec["target"], "kind": "Job"}, "job": bare_job, **_rest(spec)}


def _rest(spec: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in spec.items() if key not in ("pools", "target")}


def _taints(view: View) -> set[str]:
    """The taint keys of all pools."""
    keys: set[str] = set()
    for observed in view.cluster.objects:
        spec = mapping_at(observed.body, "spec")
        for taint in list_at(observed.body, "spec", "template", "spec", "taints"):
            keys.add(str(reach(taint, "key")))
        for text in list_at(spec, "nodeTaints"):
            keys.add(parse_taint(str(text)).key)
    return keys


def _target(scaler: Scaler) -> Scaled:
    """The object that a scaler scales; a ScaledJob itself creates the pods."""
    if scaler.item.identity.kind == SCALED_JOB.kind:
        return Scaled(*scaler.item.identity)
    return scaled_target(scaler.item)


def _max_pods(view: View) -> int:
    return int(view.catalog.must("networks", "azure-overlay")["maxPods"])
