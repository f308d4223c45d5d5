"""Strategic merge patches: part of an object, merged into the object."""

from collections.abc import Mapping
from typing import Any

DIRECTIVE = "$patch"
KEYS: Mapping[
    str, tuple[str, ...]
] = {  # the key that identifies the entries of a list, from `x-kubernetes-patch-merge-key`
    "containers": ("name",),
    "env": ("name",),
    "ephemeralContainers": ("name",),
    "hostAliases": ("ip",),
    "imagePullSecrets": ("name",),
    "initContainers": ("name",),
    "ownerReferences": ("uid",),
    "ports": ("containerPort", "port"),
    "resourceClaims": ("name",),
    "topologySpreadConstraints": ("topologyKey",),
    "volumeDevices": ("devicePath",),
    "volumeMounts": ("mountPath",),
    "volumes": ("name",),
    "webhooks": ("name",),
}


def merged(value: Any, patch: Any, *, listed: bool) -> Any:
    """The value with the patch merged into it; null removes a key. With `listed`, lists with a merge key are merged."""
    if not isinstance(patch, dict):
        return patch
    if not isinstance(value, dict) or patch.get(DIRECTIVE) == "replace":
        value = {}
    made = dict(value)
    for key, given in patch.items():
        if key == DIRECTIVE or key.startswith("$"):
            continue
        if given is None or (isinstance(given, dict) and given.get(DIRECTIVE) == "delete"):
            made.pop(key, None)
        elif listed and isinstance(given, list) and (by := _merge_key(key, made.get(key), given)):
            made[key] = _merged_list(made[key], given, by)
        else:
            made[key] = merged(made.get(key), given, listed=listed)
    return made


def matching_entry(entries: list[Any], entry: Any) -> int | None:
    """The index of the entry with the same merge key, or of an equal entry; None if there is none."""
    keys = sorted({key for names in KEYS.values() for key in names})
    for index, other in enumerate(entries):
        pairs = [(other.get(key), entry.get(key)) for key in keys] if _are_mappings(other, entry) else []
        if other == entry or any(ours is not None and ours == theirs for ours, theirs in pairs):
            return index
    return None


def _are_mappings(*values: Any) -> bool:
    return all(isinstance(value, Mapping) for value in values)


def _merge_key(key: str, value: Any, patch: list[Any]) -> str:
    """The key that every entry of both lists has; "" where the list is replaced as a whole."""
    entries = [*value, *patch] if isinstance(value, list) else []
    for by in KEYS.get(key, ()) if entries else ():
        if all(isinstance(entry, dict) and entry.get(by) is not None for entry in entries):
            return by
    return ""


def _merged_list(value: list[Any], patch: list[Any], by: str) -> list[Any]:
    """New entries are appended, so that the others keep their indices; Kustomize prepends them."""
    made = list(value)
    for given in patch:
        if given.get(DIRECTIVE) == "replace":
            continue
        at = next((at for at, entry in enumerate(made) if entry[by] == given[by]), None)
        if given.get(DIRECTIVE) == "delete":
            made = [entry for entry in made if entry[by] != given[by]]
        elif at is None:
            made.append(given)
        else:
            made[at] = merged(made[at], given, listed=True)
    return made
