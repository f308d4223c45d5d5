"""Labels and annotations of pools, workloads and teams that something else sets on their objects."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Model, Pool, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.names.annotations import (
    AKS_NODE_CLASS_HASH_ANNOTATION,
    FLUX_PRUNE_ANNOTATION,
    NODEPOOL_HASH_ANNOTATION,
    SYNC_OPTIONS_ANNOTATION,
    SYNC_WAVE_ANNOTATION,
)
from gitgpu.model.names.labels import APP_PART_OF_LABEL, MANAGED_BY_LABEL
from gitgpu.model.names.prefixes import GITGPU_PREFIX
from gitgpu.model.spec.team import Team
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import clusters_of

Placed: TypeAlias = Pool | Workload | Model | Team
LABELS = (MANAGED_BY_LABEL, APP_PART_OF_LABEL)
KARPENTER = "Karpenter sets it to detect drifted nodes"
HASHES = (NODEPOOL_HASH_ANNOTATION, AKS_NODE_CLASS_HASH_ANNOTATION)
# what gitgpu sets for each engine: on every object, and only on NodePools and their node classes
EVERYWHERE: Mapping[str, tuple[str, ...]] = {"argocd": (SYNC_WAVE_ANNOTATION,), "flux": ()}
ON_POOLS: Mapping[str, tuple[str, ...]] = {"argocd": (SYNC_OPTIONS_ANNOTATION,), "flux": (FLUX_PRUNE_ANNOTATION,)}


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Keys that gitgpu, the delivery engine's settings or Karpenter already set."""
    engines = {cluster.name: cluster.delivery.engine for cluster in inputs.clusters}
    for pool in inputs.pools:
        yield from _reserved(pool, {engines[name] for name in pool.clusters})
    for team in inputs.teams:
        yield from _reserved(team, {engines[name] for name in team.clusters})
    placed: list[Workload | Model] = [*inputs.workloads, *inputs.models]
    for workload in placed:
        yield from _reserved(workload, {cluster.delivery.engine for cluster in clusters_of(inputs, workload)})


def _reserved(document: Placed, engines: set[str]) -> Iterator[Finding]:
    meta = document.metadata
    taken = dict.fromkeys(LABELS, "gitgpu sets it on every object")
    for key in sorted(meta.labels):
        if why := taken.get(key) or _by_prefix(key):
            yield _finding(document, ("labels", key), why)
    taken = _annotations(engines, is_pool=isinstance(document, Pool))
    for key in sorted(meta.annotations):
        if why := taken.get(key) or _by_prefix(key):
            yield _finding(document, ("annotations", key), why)


def _by_prefix(key: str) -> str:
    return f"keys that start with {GITGPU_PREFIX} are gitgpu's" if key.startswith(GITGPU_PREFIX) else ""


def _annotations(engines: set[str], *, is_pool: bool) -> dict[str, str]:
    """The reserved annotations, and what sets them."""
    reserved: dict[str, str] = {}
    for engine in engines:
        reserved |= dict.fromkeys(EVERYWHERE[engine], "gitgpu sets it for Argo CD")
        if is_pool:
            reserved |= dict.fromkeys(ON_POOLS[engine], f"gitgpu sets it on pools for {engine}")
    if is_pool:
        for key in HASHES:
            reserved |= {key: KARPENTER, f"{key}-version": KARPENTER}
    return reserved


def _finding(document: Placed, path: tuple[str, str], why: str) -> Finding:
    message = f"{path[0].removesuffix('s')} {path[1]} is reserved: {why}"
    return Finding(document.origin, ("metadata", *path), message, "remove it, or use another key")


RULE = Rule(
    code="SCH026",
    name="reserved-metadata",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool or workload has a label or an annotation that gitgpu or a controller sets on its objects.",
    help="gitgpu marks its objects with app.kubernetes.io/managed-by and app.kubernetes.io/part-of, and sets the "
    "annotations that order and protect them for Flux or Argo CD. Karpenter keeps the hash of a NodePool and of an "
    "AKSNodeClass in annotations; a value from Git would be written back at each sync.",
    sources=(
        "https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/labels.go",
    ),
    check=_check,
)
