"""What is uncertain because something about a node of the cluster is unknown."""

from collections.abc import Iterator

from gitgpu.objects.objects import Objects
from gitgpu.simulate.forecast import Doubt
from gitgpu.simulate.node.existing_nodes import ExistingNodes, Incomplete
from gitgpu.simulate.node.node_states import removed_nodes
from gitgpu.simulate.place.scheduler import Load, Places
from gitgpu.spelling import join_names


def notes(existing: ExistingNodes, objects: Objects) -> Iterator[str]:
    """Notes on nodes that are incomplete or removed."""
    for node in existing.incomplete:
        yield f"{node.kind} {node.name} is {'estimated' if node.used else 'ignored'}: {node.unknown}"
    if removed := sorted(removed_nodes(objects) - {""}):
        verb = "is" if len(removed) == 1 else "are"
        yield f"{join_names(removed)} {verb} being removed: the pods there are scheduled again"


def of_incomplete(load: Load, places: Places) -> Iterator[Doubt]:
    """A doubt for each incomplete node that could run the workload or counts against a limit that it needs."""
    for node in places.existing.incomplete:
        if _matters(node, load, places):
            yield Doubt("model", f"{node.kind} {node.name} may change the answer: {node.unknown}")


def _matters(node: Incomplete, load: Load, places: Places) -> bool:
    if not node.pool:
        return True
    groups = [group for group in places.groups if group.name == node.pool]
    return any(places.fits.possible(shape, group) for shape in load.shapes for group in groups)
