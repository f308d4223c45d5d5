"""What runs already to a fleet, and the proof that it keeps the nodes: adopt, write, compile, compare."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gitgpu.adopt.adoption import Adopted
from gitgpu.adopt.clusters import Wanted
from gitgpu.adopt.comparison import compared_nodes
from gitgpu.adopt.compiled import node_objects, node_thing
from gitgpu.adopt.fleet import Refused, adopted
from gitgpu.adopt.node_objects import as_ours, is_of_nodes
from gitgpu.compare.nodes import CLASS, Known
from gitgpu.compare.pools import PoolChange
from gitgpu.compare.snapshot import at
from gitgpu.conform import Norms, conform, norms
from gitgpu.conform.objects import Given, identity
from gitgpu.conform.schema.contract import Contracts
from gitgpu.diagnostic import Diagnostic, ObjectRef, Severity
from gitgpu.front import Checked, validated
from gitgpu.load.catalog import Folder
from gitgpu.load.inventory.observed import Inventory, Observed, ObservedCluster
from gitgpu.load.schemas import Schemas
from gitgpu.load.text import Text
from gitgpu.model.catalog import catalog
from gitgpu.model.inputs import Inputs
from gitgpu.write.spec_files import spec_files

_USUAL = "1.35"  # the version whose schemas judge objects of clusters that do not say theirs


class PoolVerdict(NamedTuple):
    """What becomes of the nodes of a pool that runs, once its cluster gets what the fleet makes."""

    cluster: str
    change: PoolChange
    class_known: bool = True

    @property
    def keeps_nodes(self) -> bool:
        """Do all nodes stay?"""
        return not self.change.touches_nodes and self.class_known


class Imported(NamedTuple):
    """A fleet as files below its directory, what became of each object, what is wrong with it, and the proof."""

    files: Mapping[str, str]
    adopted: Adopted
    checked: Checked
    verdicts: tuple[PoolVerdict, ...]


def import_fleet(inventory: Inventory, wanted: Wanted, catalogs: tuple[Folder, ...], folder: str) -> Imported:
    """The fleet of an inventory, as files that are to be in a folder."""
    known = Known(catalog(catalogs), Contracts(Schemas()))
    measure = norms(Schemas(), known.catalog)
    refused = [found for cluster in inventory.clusters for found in _refused(cluster, measure)]
    made = adopted(inventory, wanted, refused, known)
    files = spec_files(made.documents)
    texts = [Text(f"{folder}/{path}", text, path) for path, text in files.items()]
    checked = validated(texts, catalogs)
    kept = _without(inventory, refused, wanted)
    verdicts = tuple(proof(kept, checked.inputs, known)) if checked.inputs else ()
    return Imported(files, made, checked, verdicts)


def check_fleet(inventory: Inventory, wanted: Wanted, checked: Checked) -> tuple[PoolVerdict, ...]:
    """The proof for a fleet that is there already."""
    if checked.inputs is None:
        return ()
    known = Known(checked.inputs.catalog, Contracts(Schemas()))
    return tuple(proof(_without(inventory, (), wanted), checked.inputs, known))


def proof(inventory: Inventory, inputs: Inputs, known: Known) -> Iterator[PoolVerdict]:
    """The verdict for each pool that the fleet makes or that runs with GPUs, in order of cluster and name."""
    clusters = {cluster.name: cluster for cluster in inputs.clusters}
    for seen in inventory.clusters:
        cluster = clusters.get(seen.name)
        if cluster is None:
            continue
        before = {
            thing.key: thing
            for thing in (node_thing(as_ours(each.body), seen.name) for each in seen.objects if is_of_nodes(each.body))
        }
        after = node_objects(inputs, cluster)
        classes = {thing.identity.name for thing in before.values() if thing.identity.kind == CLASS}
        found = compared_nodes(before, after, cluster.region, known)
        names = {(thing.identity.kind, thing.identity.name): thing for thing in after.values()}
        for key, change in sorted(found.pools.items()):
            if key in names:
                of_class = at(names[key].body, "spec", "template", "spec", "nodeClassRef", "name")
                yield PoolVerdict(seen.name, change, of_class is None or of_class in classes)


def _without(inventory: Inventory, refused: Sequence[Refused], wanted: Wanted) -> Inventory:
    """The inventory without what is refused, each cluster under the name that its document has."""
    gone = {id(each.observed) for each in refused}
    clusters = [
        seen._replace(
            name=seen.name or wanted.cluster or "cluster",
            objects=tuple(each for each in seen.objects if id(each) not in gone),
        )
        for seen in inventory.clusters
    ]
    return inventory._replace(clusters=tuple(clusters))


def _refused(cluster: ObservedCluster, measure: Norms) -> Iterator[Refused]:
    """The objects of nodes that an API server refuses, or that never work, by the rules of lint."""
    seen = [each for each in cluster.objects if is_of_nodes(each.body)]
    version = cluster.azure.kubernetes or _USUAL
    found = conform([Given(each.body, each.places) for each in seen], version, measure, closed=False)
    wrong: dict[ObjectRef, Diagnostic] = {}
    for fault in found:
        if fault.severity is Severity.ERROR:
            wrong.setdefault(fault.object, fault)
    for each in seen:
        reason = _reason(each, wrong)
        if reason:
            yield Refused(each, reason)


def _reason(observed: Observed, wrong: Mapping[ObjectRef, Diagnostic]) -> str:
    fault = wrong.get(identity(observed.body).ref)
    if fault:
        return f"{fault.code}: {fault.message}"
    name = at(observed.body, "spec", "template", "spec", "nodeClassRef", "name")
    fault = wrong.get(ObjectRef(CLASS, "", str(name)))
    return f"its AKSNodeClass {name} is refused: {fault.code}: {fault.message}" if fault else ""
