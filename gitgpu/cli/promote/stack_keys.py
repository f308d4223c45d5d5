"""Keys of the stack as a command line names them, such as metrics.counters or values.keda.resources."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from gitgpu.cli.edits.targets import hint
from gitgpu.diagnostic import Problem
from gitgpu.load.spec.shape import Document, fleet_schema
from gitgpu.model.catalog import Catalog
from gitgpu.model.linking.rings import rings_of
from gitgpu.runs.amend.assignment import child
from gitgpu.spelling import nearest

_ANY: Mapping[str, Any] = {}  # the schema of any value
_MAX_LISTED = 20  # the most keys that a remedy lists


def unknown_stack_key(key: str, fleet: Document, catalog: Catalog) -> Problem | None:
    """What is wrong with a key, and the remedy. No stack can have it or, if any name is allowed, none has it."""
    definitions = fleet_schema()["definitions"]
    node = definitions["stack"]
    stacks: list[Any] = list(_stacks(fleet))
    parts = key.split(".")
    if parts[0] == "stack" and not unknown_stack_key(within := ".".join(parts[1:]), fleet, catalog):
        return Problem(f"keys are relative to the stack: {key}", f"use --also {within}")
    for index, part in enumerate(parts):
        names = node.get("properties", {})
        published = _names_of_catalog(parts[:index], catalog)
        written = chain.from_iterable(stack for stack in stacks if isinstance(stack, Mapping))
        keys = dict.fromkeys((*names, *published, *written))
        if part not in keys:
            is_free = not published and (node == _ANY or isinstance(node.get("additionalProperties"), Mapping))
            return _problem(parts[: index + 1], list(keys), is_free=is_free)
        node = names.get(part, node.get("additionalProperties", _ANY))
        node = definitions[node["$ref"].rpartition("/")[2]] if "$ref" in node else node
        stacks = [child(stack, part) for stack in stacks]
    return None


def _stacks(fleet: Document) -> Iterator[Mapping[str, Any]]:
    """The stacks of the rings and of the defaults: what a promotion reads."""
    yield fleet.data["spec"].get("defaults", {}).get("stack", {})
    for ring in rings_of(fleet):
        yield ring.get("stack", {})


def _names_of_catalog(path: Sequence[str], catalog: Catalog) -> Sequence[str]:
    """The keys below a path whose names are in the catalog: charts, images, and values of a chart in any version."""
    match path:
        case ["versions"]:
            return (*catalog.names("charts"), *catalog.names("containers"))
        case ["values"]:
            return catalog.names("charts")
        case ["values", release, *inner]:
            chart = catalog.facts("charts", release)
            values = catalog.facts("values", chart["chart"]) if chart else None
            return values["keys"].get(".".join(inner), ()) if values else ()
        case _:
            return ()


def _problem(path: Sequence[str], keys: Sequence[str], *, is_free: bool) -> Problem:
    *above, name = path
    owner = ".".join(above)
    message = f"{owner or 'the stack'} has no key '{name}'"
    if is_free:  # any name would be right
        message = f"neither the rings nor spec.defaults of the Fleet set {owner}.{name}"
    if keys and (len(keys) <= _MAX_LISTED or nearest(name, keys)):
        return Problem(message, hint(name, keys))
    return Problem(message, f"use a key of {owner} that a ring sets" if keys or is_free else f"use --also {owner}")
