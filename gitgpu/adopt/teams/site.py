"""The cluster that the teams are on: its documents, linked and planned, and which pool a flavor stands for."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.adopt.adoption import SpecDocument
from gitgpu.adopt.compiled import link_documents
from gitgpu.adopt.stack.view import View
from gitgpu.adopt.teams.draft import Draft
from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.mig import resource as resource_of
from gitgpu.model.names.labels import CAPACITY_TYPE_LABEL, INSTANCE_TYPE_LABEL
from gitgpu.model.size.node_labels import labels as labels_of_size
from gitgpu.model.team_quotas import Unit, units
from gitgpu.plan.cluster_plan import plan
from gitgpu.plan.decided.cluster import PoolPlan
from gitgpu.plan.placement import nodes


class Site(NamedTuple):
    """A cluster with its documents, and its pools as planned."""

    common: Sequence[SpecDocument]
    inputs: Inputs
    cluster: Cluster
    catalog: Catalog
    pools: tuple[PoolPlan, ...]

    @property
    def has_kueue(self) -> bool:
        """Whether the stack of the cluster has Kueue."""
        return self.cluster.stack.queues != "none"

    @property
    def units(self) -> Iterator[Unit]:
        """Everything that quotas can count."""
        for planned in self.pools:
            yield from units(planned.pool, self.cluster, self.catalog)

    def document(self, draft: Draft) -> SpecDocument:
        """The document of a team, on this cluster only."""
        namespaces = {"namespaces": draft.spec["namespaces"], "clusters": [self.cluster.name]}
        return SpecDocument("GpuTeam", draft.name, {**namespaces, **draft.spec})

    def pools_with(self, labels: Mapping[str, Any]) -> list[PoolPlan]:
        """The pools whose nodes have all labels of a flavor."""
        return [planned for planned in self.pools if all(_has(planned, key, str(labels[key])) for key in labels)]


def site_of(documents: Sequence[SpecDocument], view: View) -> Site | None:
    """The cluster of these documents; None if they do not link, or have no pool."""
    inputs = link_documents(documents, view.catalog)
    found = [cluster for cluster in inputs.clusters if cluster.name == view.cluster.name] if inputs else []
    if not inputs or not found:
        return None
    planned = plan(inputs, found[0])
    return Site(documents, inputs, found[0], inputs.catalog_for(found[0]), planned.pools) if planned.pools else None


def _has(planned: PoolPlan, key: str, value: str) -> bool:
    [own] = nodes([planned])
    if key == own.label:
        return value in own.values
    if key == CAPACITY_TYPE_LABEL:
        return value in planned.pool.capacity and planned.pool.by_karpenter
    if key in planned.labels:
        return planned.labels[key] == value
    if key == INSTANCE_TYPE_LABEL or planned.pool.by_karpenter:
        texts = [labels_of_size(sku).get(key) for sku in planned.pool.skus]
        return bool(texts) and all(text is not None and text.values == frozenset((value,)) for text in texts)
    return False


def selection(unit: Unit) -> dict[str, Any]:
    """The keys of an entry of a quota that select a unit: its pool, and what distinguishes it within the pool."""
    entry = {"pool": unit.pool.name}
    if unit.capacity:
        entry["capacity"] = unit.capacity
    mig = unit.pool.mig
    if mig is not None and not mig.single and not unit.claimed and len(mig.resources) > 1:
        entry["mig"] = min(name for layout in mig.layouts for name in layout if resource_of(name) == unit.resource)
    return entry
