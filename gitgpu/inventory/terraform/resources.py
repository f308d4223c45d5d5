"""The resources in Terraform's documents, without sensitive values.

`terraform show -json` (developer.hashicorp.com/terraform/internals/json-format): `values` of a state, `planned_values`
of a plan, both with nested modules; `sensitive_values` has true at the places of sensitive values. The format of a
state file (version 4) is not published: hashicorp/terraform internal/states/statefile/version4.go.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from gitgpu.access import list_at, reach, rows, text_at
from gitgpu.inventory.secrets import without
from gitgpu.source import Pointer


class Resource(NamedTuple):
    """A resource: its address, type and module, its values and their place. `data` says that it is a data source."""

    address: str
    type: str
    module: str
    values: dict[str, Any]
    pointer: Pointer
    data: bool


def shown_resources(data: Any) -> Iterator[Resource]:
    """The resources in `terraform show -json`: in the plan, or else in the state."""
    key = "planned_values" if isinstance(reach(data, "planned_values"), dict) else "values"
    waiting: list[tuple[Any, Pointer]] = [(reach(data, key, "root_module"), (key, "root_module"))]
    while waiting:
        module, above = waiting.pop(0)
        for index, entry in enumerate(list_at(module, "resources")):
            values = reach(entry, "values")
            if isinstance(values, dict) and text_at(entry, "address"):
                pointer = (*above, "resources", index, "values")
                shown = without(values, list(_marked(reach(entry, "sensitive_values")))) or {}
                yield Resource(
                    text_at(entry, "address"), text_at(entry, "type"), text_at(module, "address"), shown, pointer,
                    text_at(entry, "mode") == "data",
                )  # fmt: skip
        children = list_at(module, "child_modules")
        waiting += [(child, (*above, "child_modules", index)) for index, child in enumerate(children)]


def state_resources(data: Any) -> Iterator[Resource]:
    """The resources in a state file."""
    for index, entry in enumerate(list_at(data, "resources")):
        module, is_data = text_at(entry, "module"), text_at(entry, "mode") == "data"
        parts = (module, "data" if is_data else "", text_at(entry, "type"), text_at(entry, "name"))
        address = ".".join(part for part in parts if part)
        for number, instance in enumerate(list_at(entry, "instances")):
            values = reach(instance, "attributes")
            if isinstance(values, dict):
                pointer = ("resources", index, "instances", number, "attributes")
                shown = without(values, list(_sensitive_paths(instance)))
                full = f"{address}{_index(reach(instance, 'index_key'))}"
                yield Resource(full, text_at(entry, "type"), module, shown, pointer, is_data)


def _index(key: Any) -> str:
    if key is None:
        return ""
    return f"[{key}]" if isinstance(key, int) else f'["{key}"]'


def _marked(mask: Any, above: Pointer = ()) -> Iterator[Pointer]:
    """The places that `sensitive_values` marks."""
    if mask is True:
        yield above
    elif isinstance(mask, dict):
        for key, value in mask.items():
            yield from _marked(value, (*above, key))
    elif isinstance(mask, list):
        for index, value in enumerate(mask):
            yield from _marked(value, (*above, index))


def _sensitive_paths(instance: Any) -> Iterator[Pointer]:
    """The places that a state file marks, as lists of steps: get_attr with a name, or index with a value and type."""
    for path in list_at(instance, "sensitive_attributes"):
        steps: list[str | int] = []
        for step in path if isinstance(path, list) else ():
            value = reach(step, "value")
            key = value.get("value") if isinstance(value, dict) else value
            if isinstance(key, str | int):
                steps.append(key)
        if steps:
            yield tuple(steps)


class PlannedChange(NamedTuple):
    """What a plan does with a resource (create, update, delete or replace), and its place in the plan."""

    action: str
    pointer: Pointer


def changed_addresses(data: Any) -> dict[str, PlannedChange]:
    """The resources that a plan changes, by address."""
    changes: dict[str, PlannedChange] = {}
    for index, change in enumerate(rows(data, "resource_changes")):
        actions = [action for action in list_at(change, "change", "actions") if action not in ("no-op", "read")]
        if actions:
            action = "replace" if len(actions) > 1 else str(actions[0])
            changes[text_at(change, "address")] = PlannedChange(action, ("resource_changes", index))
    return changes
