"""What names on the command line mean in a fleet: its rings, keys of the stack, charts and images."""

from gitgpu.front import Checked
from gitgpu.load.spec.shape import Document, fleet_schema
from gitgpu.model.linking.rings import rings_of
from gitgpu.spelling import nearest

Problem = tuple[str, str]


def fleet_document(read: Checked) -> Document | None:
    """The document of kind Fleet, if its shape is right."""
    return next((each for each in read.documents if each.kind == "Fleet" and each.sound), None)


def unknown_ring(fleet: Document, name: str) -> Problem | None:
    """What is wrong with the name of a ring, and the remedy."""
    names = [ring["name"] for ring in rings_of(fleet)]
    if name in names:
        return None
    if not names:
        return f"the fleet has no ring '{name}', as it has no rings", "write spec.rings in the Fleet"
    return f"the fleet has no ring '{name}'", _hint(name, names)


def unknown_stack_key(key: str) -> Problem | None:
    """What is wrong with a key of the stack, such as metrics.counters, and the remedy."""
    definitions = fleet_schema()["definitions"]
    node, parts = definitions["stack"], key.split(".")
    for at, part in enumerate(parts):
        known = node.get("properties", {})
        if part not in known and not node.get("additionalProperties"):
            owner = ".".join(parts[:at])
            message = f"{owner or 'the stack'} has no key '{part}'"
            return message, _hint(part, list(known)) if known else f"write --also {owner}"
        if part not in known:  # names of charts, such as values.keda
            return None
        node = known[part]
        node = definitions[node["$ref"].rpartition("/")[2]] if "$ref" in node else node
    return None


def _hint(name: str, known: list[str]) -> str:
    near = nearest(name, known)
    return f"did you mean {near}?" if near else f"there is: {', '.join(known)}"
