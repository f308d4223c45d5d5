"""The patches with which the objects of a team are those that run: what no key of a GpuTeam sets.

A quota of GPUs is never in a patch, so that the keys of the team keep their effect.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at, mapping_at, rows, text_at
from gitgpu.adopt.teams.draft import Draft
from gitgpu.adopt.teams.equality import difference, meaning
from gitgpu.model.names.kinds import CLUSTER_QUEUE

_GROUPS = "resourceGroups"
_OLD = {"cohortName": "cohort"}  # in v1beta1


def with_patch(draft: Draft, running: Mapping[str, Any], generated: Mapping[str, Any]) -> Draft | None:
    """The team with a patch of one of its objects; None if the object differs in what a patch should not set."""
    differing = difference(running, generated)
    was, now = (mapping_at(body, "spec") for body in (running, generated))
    target = {"kind": str(generated["kind"])}
    if namespace := text_at(generated, "metadata", "namespace"):
        target["namespace"] = namespace
    patches: list[Mapping[str, Any]] = []
    fields = [key for key in differing if key != _GROUPS]
    if any(key not in was and key not in now and _OLD.get(key) not in was for key in fields):
        return None  # not in spec
    merged = {key: _merge(now.get(key), was.get(key, was.get(_OLD.get(key, "")))) for key in fields}
    if merged:
        patches.append({"target": target, "patch": {"spec": merged}})
    if _GROUPS in differing:
        operations = list(_operations(was, now)) if generated["kind"] == CLUSTER_QUEUE.kind else []
        if not operations:
            return None
        patches.append({"target": target, "patch": operations})
    return draft._replace(spec={**draft.spec, "patches": [*draft.patches, *patches]})


def _merge(before: Any, after: Any) -> Any:
    """The JSON merge patch (RFC 7386) from one value to another."""
    if not isinstance(before, Mapping) or not isinstance(after, Mapping):
        return after
    changed = {key: _merge(before.get(key), value) for key, value in after.items() if before.get(key) != value}
    return {**dict.fromkeys(key for key in before if key not in after), **changed}


def _operations(was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The JSON patch of the resource groups; nothing if their flavors are not the same."""
    [ours] = rows(now, _GROUPS)
    theirs = next((group for group in rows(was, _GROUPS) if _names(group) == _names(ours)), None)
    if theirs is None:
        return
    wanted, given = ([str(name) for name in list_at(group, "coveredResources")] for group in (theirs, ours))
    kept_names = [name for name in given if name in wanted]
    added_names = [name for name in wanted if name not in given]
    group = f"/spec/{_GROUPS}/0"
    lists = [f"{group}/coveredResources", *(f"{group}/flavors/{at}/resources" for at in range(len(_names(ours))))]
    for at in reversed([at for at, name in enumerate(given) if name not in wanted]):
        yield from ({"op": "remove", "path": f"{path}/{at}"} for path in lists)
    for at, (flavor, own) in enumerate(zip(rows(theirs, "flavors"), rows(ours, "flavors"), strict=True)):
        amounts, before = ({text_at(row, "name"): row for row in rows(each, "resources")} for each in (flavor, own))
        for index, name in enumerate(kept_names):
            if _amount(amounts[name]) != _amount(before[name]):
                yield {"op": "replace", "path": f"{group}/flavors/{at}/resources/{index}", "value": dict(amounts[name])}
        for name in added_names:
            yield {"op": "add", "path": f"{group}/flavors/{at}/resources/-", "value": dict(amounts[name])}
    yield from ({"op": "add", "path": f"{group}/coveredResources/-", "value": name} for name in added_names)
    other_groups = [group for group in rows(was, _GROUPS) if group is not theirs]
    yield from ({"op": "add", "path": f"/spec/{_GROUPS}/-", "value": dict(other)} for other in other_groups)


def _names(group: Mapping[str, Any]) -> list[str]:
    """The names of the flavors of a group, in order: that in which they are tried."""
    return [text_at(flavor, "name") for flavor in rows(group, "flavors")]


def _amount(row: Mapping[str, Any]) -> Any:
    """An amount in the form in which amounts are compared."""
    group = {"coveredResources": [], "flavors": [{"name": "", "resources": [row]}]}
    return meaning({"kind": CLUSTER_QUEUE.kind, "spec": {_GROUPS: [group]}})[_GROUPS]
