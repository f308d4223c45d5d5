"""Strategic merge patches: part of an object, merged into the object."""

from collections.abc import Mapping
from itertools import chain
from typing import Any

DIRECTIVE = "$patch"
# The key that identifies the entries of a list, from `x-kubernetes-patch-merge-key`.
KEYS: Mapping[str, tuple[str, ...]] = {
    "containers": ("name",),
    "env": ("name",),
    "ephemeralContainers": ("name",),
    "hostAliases": ("ip",),
    "imagePullSecrets": ("name",),
    "initContainers": ("name",),
    "ownerReferences": ("uid",),
    "ports": ("containerPort", "port"),  # of a container, of a Service
    "resourceClaims": ("name",),
    "topologySpreadConstraints": ("topologyKey",),
    "volumeDevices": ("devicePath",),
    "volumeMounts": ("mountPath",),
    "volumes": ("name",),
    "webhooks": ("name",),
}
# The key of the elements of lists through which gitgpu's own patches lead, in kinds that Kustomize does not know too.
ELEMENTS: Mapping[str, str] = {
    "components": "name",
    "containers": "name",
    "replicatedJobs": "name",
    "runtimePatches": "manager",
    "stepSpecs": "name",
    "taskRunSpecs": "pipelineTaskName",
    "tasks": "name",
    "templates": "name",
    "workerGroupSpecs": "groupName",
}
_MERGE_KEYS = frozenset(chain.from_iterable(KEYS.values()))


def merge_value(value: Any, patch: Any, *, listed: bool) -> Any:
    """The value merged with the patch. Null removes a key. With `listed`, lists with a merge key are merged too."""
    if not isinstance(patch, dict):
        return patch
    is_new = not isinstance(value, dict) or patch.get(DIRECTIVE) == "replace"
    result = {} if is_new else dict(value)
    for key, written in patch.items():
        if key.startswith("$"):  # a directive
            continue
        given = written
        if listed and isinstance(written, list) and key in KEYS:
            base = result.get(key)
            if not isinstance(base, list):
                # Kustomize follows the directive for a list in a new mapping.
                base = [] if is_new else None
            given = _merged_lists(key, base, written)
        if given is None or (isinstance(given, dict) and given.get(DIRECTIVE) == "delete"):
            result.pop(key, None)
        else:
            result[key] = merge_value(result.get(key), given, listed=listed)
    return result


def merge_named(owner: Any, patch: Any) -> Any:
    """The owner with the patch applied: mappings by key, containers and groups by name; any other list is replaced."""
    if not isinstance(owner, Mapping) or not isinstance(patch, Mapping):
        return patch
    both = dict(owner)
    for key, value in patch.items():
        # Of the lists, only those of ELEMENTS have a merge key that gitgpu's patches rely on.
        by = ELEMENTS.get(key, "")
        both[key] = _elements(owner.get(key), value, by) if by else merge_named(owner.get(key), value)
    return both


def _elements(owner: Any, patch: list[dict[str, Any]], by: str) -> list[Any]:
    named = {entry.get(by): entry for entry in patch}
    elements: list[Any] = []
    for entry in filter(None, owner or ()):
        own = named.pop(entry.get(by), None)
        elements.append(entry if own is None else merge_named(entry, own))
    return [*elements, *named.values()]


def matching_entry(entries: list[Any], entry: Any) -> int | None:
    """The index of the entry with the same merge key, or of an equal entry; None if there is none."""
    for index, other in enumerate(entries):
        if other == entry or _share_key(other, entry):
            return index
    return None


def _share_key(entry: Any, other: Any) -> bool:
    """Whether two entries have the same value under a merge key of any kind of list."""
    if not isinstance(entry, Mapping) or not isinstance(other, Mapping):
        return False
    return any(entry.get(key) is not None and entry.get(key) == other.get(key) for key in _MERGE_KEYS)


def _merged_lists(key: str, value: list[Any] | None, patch: list[Any]) -> list[Any] | None:
    """The list at this key after the patch; None if the patch deletes it. `value` is None if there is no list."""
    directive, entries = _list_directive(patch)
    if directive and value is None:
        return [{DIRECTIVE: directive}]  # Kustomize keeps the directive and loses the other entries
    if directive == "delete":
        return None
    old = [] if directive == "replace" else value or []
    by = _merge_key(key, [*old, *entries]) if old else ""
    return _merged_list(old, entries, by) if by else _new_entries(entries)


def _new_entries(patch: list[Any]) -> list[Any]:
    """The entries of a list that is new or replaced, without the directives in them."""
    kept_entries = (entry for entry in patch if not (isinstance(entry, dict) and entry.get(DIRECTIVE) == "delete"))
    return [merge_value(None, entry, listed=True) for entry in kept_entries]


def _list_directive(patch: list[Any]) -> tuple[str, list[Any]]:
    """The directive for the list as a whole, and the other entries.

    As in kyaml (yaml/merge2/smpdirective.go), it is an entry with no other key, before any entry with its own.
    """
    directives = [entry for entry in patch if isinstance(entry, dict) and DIRECTIVE in entry]
    if not directives or len(directives[0]) > 1:
        return "", patch
    return directives[0][DIRECTIVE], [entry for entry in patch if entry != directives[0]]


def _merge_key(key: str, entries: list[Any]) -> str:
    """The merge key that all of these entries of a list and its patch have; "" if there is none."""
    for by in KEYS.get(key, ()) if entries else ():
        if all(isinstance(entry, dict) and entry.get(by) is not None for entry in entries):
            return by
    return ""


def _merged_list(value: list[Any], patch: list[Any], by: str) -> list[Any]:
    """Two lists merged by a key. New entries are appended, so that indexes stay the same; Kustomize prepends them."""
    result = list(value)
    for given in patch:
        index = next((number for number, entry in enumerate(result) if entry[by] == given[by]), None)
        if given.get(DIRECTIVE) == "delete":
            result = [entry for entry in result if entry[by] != given[by]]
        elif index is None:
            result.append(merge_value(None, given, listed=True))
        elif given.get(DIRECTIVE) != "replace":  # Kustomize ignores such an entry
            result[index] = merge_value(result[index], given, listed=True)
    return result
