"""GpuPool documents to pools, with clusters, defaults and sizes. A pool with overrides becomes several."""

from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Any, NamedTuple

from gitgpu.diagnostic import Problem
from gitgpu.load.explain.messages import value_text
from gitgpu.load.spec.normalise import merge
from gitgpu.load.spec.override_faults import override_faults
from gitgpu.load.spec.shape import Document
from gitgpu.model import decode
from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import KARPENTER, Pool
from gitgpu.model.linking.clusters import Clusters
from gitgpu.model.linking.faults import Faults, fault
from gitgpu.model.linking.normaliser import normaliser_of
from gitgpu.model.linking.overrides import apply_overrides, entries_by_cluster, override_problems
from gitgpu.model.linking.patches import patches_of
from gitgpu.model.linking.selectors import selector_faults
from gitgpu.model.size.exact_requirements import derived_settings, joined_requirements, required_sizes
from gitgpu.model.size.size_selection import matching_sizes
from gitgpu.model.size.unmet_requirements import unknown_names, unmet
from gitgpu.model.sku import Sku
from gitgpu.model.spec.origin import Layer
from gitgpu.source import Pointer


class Variant(NamedTuple):
    """A document as it applies to some clusters: overrides applied, and their defaults, highest precedence first."""

    document: Document
    clusters: tuple[str, ...]
    defaults: tuple[Layer, ...]

    def spec(self) -> dict[str, Any]:
        """The values of the document merged over the defaults, normalised."""
        merged = reduce(merge, (layer.values for layer in self.defaults), self.document.data["spec"])
        return normaliser_of(self.document.kind)(merged)


def variants(document: Document, names: list[str], clusters: Clusters) -> list[Variant]:
    """The document as it applies to its clusters. Clusters with the same values are in one variant.

    They share the places of the defaults of the first of them.
    """
    entries = entries_by_cluster(document, clusters)
    groups: dict[tuple[tuple[int, ...], str], list[str]] = {}
    for name in names:
        groups.setdefault((entries.get(name, ()), clusters.alike[name]), []).append(name)
    if not groups:
        return [Variant(apply_overrides(document, ()), (), ())]
    return [
        Variant(apply_overrides(document, chosen), tuple(alike), clusters.defaults[alike[0]])
        for (chosen, _), alike in groups.items()
    ]


class PoolFinder:
    """Finds the clusters and sizes of pools. Contains what all pools share."""

    def __init__(self, clusters: Clusters, catalog: Catalog, faults: Faults) -> None:
        self.clusters, self.catalog, self.faults = clusters, catalog, faults
        self.provisioners = {cluster.name: cluster.provisioner for cluster in clusters.sound}

    def pools(self, document: Document) -> Iterator[Pool]:
        """A pool with its defaults, clusters and sizes; with overrides, one for each effective spec."""
        names = self._cluster_names(document, document.data["spec"]["clusters"])
        self.faults += override_problems(document, self.clusters, names)
        for variant in variants(document, names, self.clusters):
            wrong = override_faults(variant.document) if variant.document.overlays else []
            self.faults += wrong
            if not wrong:
                yield self._pool(variant)

    def _pool(self, variant: Variant) -> Pool:
        """The pool of one effective spec."""
        document, spec = variant.document, variant.spec()
        exact = not spec.keys() & {"sku", "requirements"}
        if exact:
            spec |= derived_settings(joined_requirements(spec["nodeRequirements"]))
        skus = self._required(document, spec) if exact else self._named_or_chosen(document, spec)
        spec.setdefault("provisioner", self._default_provisioner(variant.clusters))
        decoded = decode.pool(document, spec, variant.clusters, skus)._replace(exact=exact)
        origin = decoded.origin._replace(defaults=variant.defaults)
        patches = patches_of(document, spec, variant.defaults)
        return decoded._replace(origin=origin, patches=patches)

    def _default_provisioner(self, clusters: Iterable[str]) -> str:
        """The provisioner of a pool that does not set one. A rule reports clusters with different ones."""
        used = (self.provisioners[name] for name in clusters)
        return next((name for name in used if name != KARPENTER), KARPENTER)

    def _cluster_names(self, document: Document, wanted: Any) -> list[str]:
        """The names of the clusters that a pool is on, sorted."""
        self.faults += selector_faults(document, ("spec", "clusters"), wanted, self.clusters)
        return sorted(self.clusters.select(wanted))

    def _named_or_chosen(self, document: Document, spec: dict[str, Any]) -> list[Sku]:
        """The sizes that a pool names, or those that meet its `requirements`."""
        return self._named(document, spec) if "sku" in spec else self._chosen(document, spec)

    def _required(self, document: Document, spec: dict[str, Any]) -> list[Sku]:
        """The sizes that meet `nodeRequirements`, which are all requirements of the NodePool."""
        skus = required_sizes(self.catalog, joined_requirements(spec["nodeRequirements"]))
        if not skus:
            message = "no GPU size that Karpenter offers meets these requirements"
            remedy = "correct them; `gitgpu sku list` shows the sizes"
            self.faults.append(fault("LNK008", document, ("spec", "nodeRequirements"), Problem(message, remedy)))
        return skus

    def _named(self, document: Document, spec: dict[str, Any]) -> list[Sku]:
        """The sizes that a pool names."""
        skus = []
        for index, name in enumerate(spec["sku"]):
            if self.catalog.is_broken(name):
                continue  # the row of the catalog is reported where it is written
            if (sku := self.catalog.sku(name)) is None:
                wrong, remedy = self.catalog.unknown_size(name)
                listed = isinstance(document.data["spec"].get("sku"), list)
                where: Pointer = ("spec", "sku", index) if listed else ("spec", "sku")
                message = f"{value_text(name)} {wrong}"
                self.faults.append(fault("LNK007", document, where, Problem(message, remedy)))
            elif sku not in skus:
                skus.append(sku)
        return skus

    def _chosen(self, document: Document, spec: dict[str, Any]) -> list[Sku]:
        """The sizes that meet a pool's requirements."""
        skus, wanted = list(matching_sizes(self.catalog, spec["requirements"])), spec["requirements"]
        faults = unknown_names(self.catalog, wanted) if skus else [unmet(self.catalog, wanted)]
        for place, message, remedy in faults:
            where: Pointer = ("spec", "requirements", *place)
            self.faults.append(fault("LNK008", document, where, Problem(message, remedy)))
        return skus
