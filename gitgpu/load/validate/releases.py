"""What each release of a project accepts: parts of a contract that differ between releases.

The keywords of a contract are what every release accepts. `x-gitgpu-by-release` in a part lists, for a range of
releases, what replaces them: `tools/contract_releases.py` derives both from CRDs.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from gitgpu.load.validate.subschemas import children

Node: TypeAlias = Mapping[str, Any]

BY_RELEASE = "x-gitgpu-by-release"
PROJECT = "x-gitgpu-project"  # the project that installs a kind: "keda"
NEWEST = "x-gitgpu-newest"  # the newest known release with a kind
CHANGED = "x-gitgpu-changed"  # the releases that changed the schema of a kind, oldest first; the first one has it first


def part_of_release(part: Node, index: int, changed: Sequence[str]) -> Node:
    """One part of a schema as a release has it, without what is below. `index` is that of the release in `changed`."""
    if BY_RELEASE not in part:
        return part
    result = {keyword: value for keyword, value in part.items() if keyword != BY_RELEASE}
    for change in part[BY_RELEASE]:
        first = changed.index(change["since"]) if "since" in change else 0
        end = changed.index(change["before"]) if "before" in change else len(changed)
        if first <= index < end:
            _apply(result, change)
    return result


def schema_of_release(schema: Node, index: int, changed: Sequence[str]) -> dict[str, Any]:
    """A whole schema as a release has it."""

    def of_release(part: Node, _: str = "") -> dict[str, Any]:
        result = children(dict(part_of_release(part, index, changed)), of_release)
        if "definitions" in part:
            result["definitions"] = {name: of_release(item) for name, item in part["definitions"].items()}
        return result

    return of_release(schema)


def _apply(result: dict[str, Any], change: Node) -> None:
    for keyword, value in change.items():
        if keyword in ("since", "before"):
            continue
        if keyword == "properties":
            result["properties"] = {**result.get("properties", {}), **value}
        elif value is None:
            result.pop(keyword, None)
        else:
            result[keyword] = value
