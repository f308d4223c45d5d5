"""What would become of the nodes of pools that run, if a cluster got the objects of a spec."""

from collections.abc import Mapping
from typing import NamedTuple

from gitgpu.compare.change import Change, changed
from gitgpu.compare.nodes import AGENTS, CLASS, Known, pools
from gitgpu.compare.pools import PoolChange, pool_changes
from gitgpu.compare.snapshot import Key, Thing, at

Things = Mapping[Key, Thing]
_REQUIREMENTS = "spec.template.spec.requirements"  # other words may allow the same nodes; `pools` knows whether they do


class Compared(NamedTuple):
    """Each pool that runs, by kind and name, and how many fields of it and its node class would change."""

    pools: Mapping[tuple[str, str], PoolChange]
    changes: Mapping[tuple[str, str], Change]

    def cost(self, kind: str, name: str, class_name: str) -> tuple[int, int]:
        """How bad it is for a pool, to choose between two specs: nodes that are lost, then fields that change."""
        found = self.pools.get((kind, name))
        lost = found is None or found.touches_nodes or found.after is None
        of = (self.changes.get(key) for key in ((kind, name), (CLASS, class_name)))
        fields = (field.path for change in of if change for field in change.fields)
        return int(lost), sum(path.startswith("spec") and not path.startswith(_REQUIREMENTS) for path in fields)


def compared_nodes(before: Things, after: Things, region: str, known: Known) -> Compared:
    """The pools and their changes; objects that only one side has count as changes too."""
    was = {key: _with_owner(thing, after.get(key)) for key, thing in before.items()}
    changes = tuple(changed(was, after, known.catalog))
    sides = pools(was.values(), region, known), pools(after.values(), region, known)
    found = pool_changes(sides, changes, (), known)
    named = {(change.thing.identity.kind, change.thing.identity.name): change for change in changes}
    return Compared({(pool.of, pool.name): pool for pool in found}, named)


def _with_owner(thing: Thing, made: Thing | None) -> Thing:
    """A node pool that was read from Azure's side does not say of which cluster it is in the words of an object."""
    if thing.identity.kind != AGENTS or made is None or at(thing.body, "spec", "owner"):
        return thing
    spec = {
        **thing.body["spec"],
        "owner": at(made.body, "spec", "owner"),
        "azureName": at(made.body, "spec", "azureName"),
    }
    return thing._replace(body={**thing.body, "apiVersion": made.body["apiVersion"], "spec": spec})
