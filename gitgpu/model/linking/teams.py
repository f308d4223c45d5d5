"""GpuTeam documents to teams. A document that differs between clusters becomes several."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from gitgpu.diagnostic import Diagnostic, Problem
from gitgpu.load.explain.messages import value_text
from gitgpu.load.spec.override_faults import override_faults
from gitgpu.load.spec.shape import Document
from gitgpu.model import decode
from gitgpu.model.catalog import Catalog
from gitgpu.model.document_names import missing_name_remedy
from gitgpu.model.fleet import Pool
from gitgpu.model.linking.clusters import Clusters
from gitgpu.model.linking.faults import Faults, fault
from gitgpu.model.linking.normaliser import normaliser_of
from gitgpu.model.linking.overrides import apply_overrides, entries_by_cluster, override_problems
from gitgpu.model.linking.patches import patches_of
from gitgpu.model.linking.selectors import selector_faults
from gitgpu.model.linking.workloads import KnownPools
from gitgpu.model.size.size_selection import plain
from gitgpu.model.size.unmet_requirements import unknown_names
from gitgpu.model.spec.team import Team
from gitgpu.spelling import MAX_LISTED, one_of


class TeamFinder:
    """Finds the clusters of teams. Contains what all teams share."""

    def __init__(self, clusters: Clusters, pools: KnownPools, catalog: Catalog, faults: Faults) -> None:
        self.clusters, self.pools, self.catalog, self.faults = clusters, pools, catalog, faults

    def teams(self, document: Document) -> Iterator[Team]:
        """A team; if it differs between clusters, one for each group of clusters that are alike."""
        base = apply_overrides(document, ())
        entries = entries_by_cluster(document, self.clusters)
        by_entries: dict[tuple[int, ...], list[str]] = {}
        for name in self._cluster_names(base, entries, document):
            by_entries.setdefault(entries.get(name, ()), []).append(name)
        own_names = [name for names in by_entries.values() for name in names]
        self.faults += override_problems(document, self.clusters, own_names)
        self.faults += self._unknown_names(base)
        for chosen, names in by_entries.items() if by_entries else [((), [])]:
            effective = apply_overrides(document, chosen)
            wrong = override_faults(effective) if chosen else []
            self.faults += wrong or (self._unknown_names(effective) if chosen else ())
            if not wrong:
                yield _decoded(effective, names)

    def _cluster_names(
        self, base: Document, entries: Mapping[str, tuple[int, ...]], document: Document
    ) -> Iterator[str]:
        """The clusters that the team selects, or else those with a pool of its quota."""
        wanted = base.data["spec"].get("clusters")
        selected = self.clusters.select(wanted) if wanted else set()
        if wanted:
            self.faults += selector_faults(base, ("spec", "clusters"), wanted, self.clusters)
        for cluster in self.clusters.sound:
            own = apply_overrides(document, entries.get(cluster.name, ()))
            if (self._has_pools(base, cluster.name) or self._has_pools(own, cluster.name)) and (
                not wanted or cluster.name in selected
            ):
                yield cluster.name
            elif cluster.name in selected and self.pools.whole:
                self.faults.append(self._without_pools(base, cluster.name))

    def _has_pools(self, document: Document, cluster: str) -> bool:
        """Whether the cluster has a pool of the quota. An override may set anything as the quota."""
        quota = document.data["spec"].get("quota")
        here = self.pools.on.get(cluster, {}).values()
        return isinstance(quota, list) and any(is_of(entry, pool) for entry in quota for pool in here)

    def _without_pools(self, base: Document, cluster: str) -> Diagnostic:
        """The fault that a selected cluster has no pool of the quota."""
        wanted = base.data["spec"]["clusters"]
        where = ("spec", "clusters", wanted.index(cluster) if isinstance(wanted, list) else "matchLabels")
        pools = sorted(self.pools.on.get(cluster, ()))
        remedy = f"add a quota of {one_of(pools[:MAX_LISTED])}, or " if pools else ""
        message = f"no pool of the team's quota is on cluster {value_text(cluster)}"
        return fault("LNK010", base, where, Problem(message, f"{remedy}remove the cluster from the team"))

    def _unknown_names(self, document: Document) -> Iterator[Diagnostic]:
        """A fault for each pool that does not exist, and each GPU model that the catalog does not have."""
        names = self.pools.names
        for index, entry in enumerate(document.data["spec"]["quota"]):
            name = entry.get("pool")
            if name is not None and name not in names and "" not in names:
                missing = Problem(
                    f"no GpuPool is named {value_text(name)}", missing_name_remedy(name, names, "GpuPool")
                )
                yield fault("LNK005", document, ("spec", "quota", index, "pool"), missing)
            if "model" in entry:
                for _, message, remedy in unknown_names(self.catalog, {"gpu": {"model": [entry["model"]]}}):
                    where = ("spec", "quota", index, "model")
                    yield fault("LNK008", document, where, Problem(message.replace("gpu.model", "model"), remedy))


def is_of(entry: Mapping[str, Any], pool: Pool) -> bool:
    """Whether an entry of a quota, as written, names a pool or the GPU model of one of its sizes."""
    if not isinstance(entry, Mapping):
        return False
    model = entry.get("model")
    return entry.get("pool") == pool.name or (isinstance(model, str) and model_of(pool) == plain(model))


def model_of(pool: Pool) -> str:
    """The only GPU model of a pool, in a plain spelling; "" if it has several."""
    models = {plain(sku.gpu.model) for sku in pool.skus if sku.gpu}
    return models.pop() if len(models) == 1 else ""


def _decoded(document: Document, clusters: Collection[str]) -> Team:
    spec = normaliser_of("GpuTeam")(document.data["spec"])
    return decode.team(document, spec, clusters)._replace(patches=patches_of(document, spec))


def unknown_teams(workloads: Iterable[Document], names: Collection[str]) -> Iterator[Diagnostic]:
    """A fault for each workload that names a team that does not exist."""
    for document in workloads:
        name = document.data["spec"].get("team") if document.sound else None
        if name is not None and name not in names and "" not in names:
            missing = Problem(f"no GpuTeam is named {value_text(name)}", missing_name_remedy(name, names, "GpuTeam"))
            yield fault("LNK005", document, ("spec", "team"), missing)
        elif document.sound and not names and "priority" in document.data["spec"]:
            problem = Problem(
                "priorities are those of a team, and there is no GpuTeam", "create one, or remove priority"
            )
            yield fault("LNK005", document, ("spec", "priority"), problem)
