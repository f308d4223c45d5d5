"""Documents to linked values: defaults merged, names found, sizes chosen. Every name that leads nowhere is a fault."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.explain.messages import value_text
from gitgpu.load.normalise import derive, merge, normaliser
from gitgpu.load.shape import KINDS, Document, fleet_schema
from gitgpu.model import decode
from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import KARPENTER, Cluster, Pool, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.names import asked, near, written
from gitgpu.model.size.size_selection import matching_sizes
from gitgpu.model.size.unmet_requirements import unknown, unmet
from gitgpu.model.sku import Sku
from gitgpu.model.software.kaito import Model
from gitgpu.source import Pointer, pointer_text

Faults = list[Diagnostic]
_NAME: Pointer = ("metadata", "name")


def link(documents: Sequence[Document], catalog: Catalog, today: str = "") -> tuple[Inputs | None, Faults]:
    """The linked fleet, or None when there is no sound Fleet document; and every fault of linking.

    `today` is the day that rules compare announced dates with; "" for none.
    """
    faults: Faults = []
    found = {kind: _unique(kind, documents, faults) for kind in KINDS}
    by_kind, names = (
        {kind: own for kind, (own, _) in found.items()},
        {kind: known for kind, (_, known) in found.items()},
    )
    fleets = by_kind["Fleet"]
    if documents and not fleets:  # where nothing could be read, that has been said
        remedy = "write one document of kind: Fleet with spec.delivery"
        faults.append(Diagnostic("LNK001", Severity.ERROR, "no Fleet document", remedy, documents[0].places.span()))
    for extra in fleets[1:]:
        first = fleets[0].places.span()
        faults.append(_fault("LNK002", extra, ("kind",), f"duplicate Fleet; the first is at {first}", "keep one"))
    if not fleets or not fleets[0].sound:
        return None, faults
    fleet = fleets[0]
    clusters = tuple(_cluster(document, fleet.data["spec"]) for document in by_kind["Cluster"] if document.sound)
    known = _Clusters(clusters, names["Cluster"], all(document.sound for document in by_kind["Cluster"]))
    finder = _Finder(known, catalog, faults)
    pools = tuple(finder.pool(document, fleet.data["spec"]) for document in by_kind["GpuPool"] if document.sound)
    placed = [_workload(document, names["GpuPool"], faults) for document in by_kind["GpuWorkload"] if document.sound]
    workloads = tuple(workload for workload in placed if isinstance(workload, Workload))
    models = tuple(workload for workload in placed if isinstance(workload, Model))
    return Inputs(decode.fleet(fleet), clusters, pools, workloads, catalog, _spread(pools), today, models), faults


def _spread(pools: Iterable[Pool]) -> dict[str, tuple[Pool, ...]]:
    """The pools of each cluster, in order of name."""
    found: dict[str, list[Pool]] = {}
    for pool in pools:
        for name in pool.clusters:
            found.setdefault(name, []).append(pool)
    return {name: tuple(there) for name, there in found.items()}


def _unique(kind: str, documents: Sequence[Document], faults: Faults) -> tuple[list[Document], set[str]]:
    """The documents of a kind, the first of each name, and the names that may be asked for.

    A name that nothing has is likely the one that a double was to have: then it is told of there, and once.
    """
    own = sorted(
        (document for document in documents if document.kind == kind), key=lambda d: (d.ref[1:], d.places.span())
    )
    kept = {entry.ref[1:]: entry for entry in reversed(own)}
    doubles = [document for document in own if kept[document.ref[1:]] is not document and document.ref.name]
    names = written(own)
    lost = asked(kind, documents) - names
    lost = lost if len(lost) <= len(doubles) else set()
    also = f"; other documents refer to {' or '.join(map(value_text, sorted(lost)))}" if lost else ""
    for double in doubles if kind != "Fleet" else ():
        message = f"duplicate {kind} '{double.ref.name}'; the first is at {kept[double.ref[1:]].places.span(_NAME)}"
        faults.append(_fault("LNK003", double, _NAME, message, f"give it a unique name{also}"))
    return own if kind == "Fleet" else list(reversed(kept.values())), names | lost


@cache
def _normaliser(kind: str) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    definitions = fleet_schema()["definitions"]
    return normaliser(derive(definitions[KINDS[kind]]["properties"]["spec"], definitions))


def _cluster(document: Document, fleet: Mapping[str, Any]) -> Cluster:
    spec = document.data["spec"]
    stack = merge(spec.get("stack", {}), fleet.get("defaults", {}).get("stack", {}))
    delivery = merge(spec.get("delivery", {}), _delivery(spec.get("delivery", {}), fleet["delivery"]))
    return decode.cluster(document, _normaliser("Cluster")({**spec, "delivery": delivery, "stack": stack}))


def _delivery(own: Mapping[str, Any], shared: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a cluster takes over from the fleet: with another engine all but the namespace, which is the engine's."""
    usual = shared.get("engine", fleet_schema()["definitions"]["delivery"]["properties"]["engine"]["default"])
    same = own.get("engine", usual) == usual
    return shared if same else {key: value for key, value in shared.items() if key != "namespace"}


def _workload(document: Document, pools: set[str], faults: Faults) -> Workload | Model:
    spec = _normaliser("GpuWorkload")(document.data["spec"])
    workload = decode.workload(document, spec) if "target" in spec else decode.model(document, spec)
    for index, name in enumerate(document.data["spec"]["pools"]):
        if name not in pools and "" not in pools:  # it may be one whose name could not be read
            message = f"no GpuPool is named {value_text(name)}"
            faults.append(_fault("LNK005", document, ("spec", "pools", index), message, near(name, pools, "GpuPool")))
    return workload


class _Clusters(NamedTuple):
    """The sound clusters, the names that may be asked for, and whether all clusters are sound."""

    sound: Sequence[Cluster]
    names: set[str]
    whole: bool


class _Finder:
    """Finds what pools name: clusters and sizes. Holds what all pools share."""

    def __init__(self, clusters: _Clusters, catalog: Catalog, faults: Faults) -> None:
        self.clusters, self.catalog, self.faults = clusters, catalog, faults

    def pool(self, document: Document, fleet: Mapping[str, Any]) -> Pool:
        """A pool with its defaults, clusters and sizes."""
        spec = merge(document.data["spec"], fleet.get("defaults", {}).get("pool", {}))
        spec = _normaliser("GpuPool")(spec)
        skus = self.sizes(document, spec) if "sku" in spec else self.chosen(document, spec)
        places = self.where(document, spec["clusters"])
        others = (
            cluster.provisioner
            for cluster in self.clusters.sound
            if cluster.name in places and cluster.provisioner != KARPENTER
        )
        return decode.pool(document, spec, places, skus)._replace(provisioner=next(others, KARPENTER))

    def where(self, document: Document, wanted: Any) -> list[str]:
        """The names of the clusters that a pool is on, sorted."""
        if isinstance(wanted, list):
            for index, name in enumerate(wanted):
                if name not in self.clusters.names and "" not in self.clusters.names:
                    remedy = near(name, self.clusters.names, "Cluster")
                    where = ("spec", "clusters", index)
                    self.faults.append(
                        _fault("LNK004", document, where, f"no Cluster is named {value_text(name)}", remedy)
                    )
            return sorted(set(wanted) & {cluster.name for cluster in self.clusters.sound})
        labels = wanted["matchLabels"].items()
        found = sorted(cluster.name for cluster in self.clusters.sound if labels <= cluster.labels.items())
        if not found and self.clusters.whole:
            told = ", ".join(f"{key}={value}" for key, value in sorted(labels))
            remedy = "give a Cluster these labels under metadata.labels, or name the clusters"
            place: Pointer = ("spec", "clusters", "matchLabels")
            self.faults.append(_fault("LNK006", document, place, f"no Cluster has the labels {told}", remedy))
        return found

    def sizes(self, document: Document, spec: Mapping[str, Any]) -> list[Sku]:
        """The sizes that a pool names."""
        found = []
        for index, name in enumerate(spec["sku"]):
            if self.catalog.is_broken(name):
                continue  # it has been told of where it is written
            if (sku := self.catalog.sku(name)) is None:
                every = "`gitgpu sku list` shows every size"
                meant = self.catalog.size_remedy(name)
                remedy = f"{meant}{' ' if meant.endswith('?') else '; '}{every}" if meant else every
                listed = isinstance(document.data["spec"].get("sku"), list)
                where = ("spec", "sku", index) if listed else ("spec", "sku")
                message = f"{value_text(name)} is not a known Azure GPU size"
                self.faults.append(_fault("LNK007", document, where, message, remedy))
            elif sku not in found:
                found.append(sku)
        return found

    def chosen(self, document: Document, spec: Mapping[str, Any]) -> list[Sku]:
        """The sizes that meet a pool's requirements."""
        found, wanted = list(matching_sizes(self.catalog, spec["requirements"])), spec["requirements"]
        faults = unknown(self.catalog, wanted) if found else [unmet(self.catalog, wanted)]
        for place, message, remedy in faults:
            self.faults.append(_fault("LNK008", document, ("spec", "requirements", *place), message, remedy))
        return found


def _fault(code: str, document: Document, where: Pointer, message: str, remedy: str) -> Diagnostic:
    span = document.places.span(where)
    return Diagnostic(code, Severity.ERROR, message, remedy, span, pointer_text(where), document.ref)
