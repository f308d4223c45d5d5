"""JSON patch operations that cannot be applied: what is missing in the object, and what there is instead."""

from collections.abc import Mapping
from typing import Any

from gitgpu.diagnostic import Diagnostic, Problem
from gitgpu.model.spec.patch import Patch
from gitgpu.objects.delivery.jsonpatch import steps_of
from gitgpu.patch.fault import fault
from gitgpu.spelling import nearest

_MAX_LISTED = 12  # the most keys that a remedy lists
_VALUE = ("add", "replace", "test")
_FROM = ("move", "copy")


def incomplete(patch: Patch) -> list[Diagnostic]:
    """Faults for operations without a key that RFC 6902 requires."""
    faults = []
    for index, operation in enumerate(patch.change):
        kind = operation["op"]
        missing = "value" if kind in _VALUE and "value" not in operation else ""
        missing = "from" if kind in _FROM and "from" not in operation else missing
        if missing:
            problem = Problem(f"the operation {kind} has no {missing}", f"add {missing}")
            faults.append(fault("PAT003", patch, ("patch", index), problem))
    return faults


def refused_operation(patch: Patch, index: int, body: Mapping[str, Any], refusal: str) -> Diagnostic:
    """The fault of an operation that cannot be applied; `body` is the object after the operations before it."""
    operation = patch.change[index]
    kind, name = operation["op"], f"{body.get('kind')} {body.get('metadata', {}).get('name')}"
    message = f"cannot {kind} {operation['path']} of {name}: {refusal}"
    missing = refusal.removesuffix(" does not exist") if refusal.endswith(" does not exist") else ""
    key = "path" if _is_on(missing, operation["path"]) else "from"  # move and copy have two paths
    remedy = _remedy(missing, kind, body) if missing else "correct the value, or remove the operation"
    return fault("PAT003", patch, ("patch", index, key), Problem(message, remedy))


def _is_on(path: str, other: str) -> bool:
    """Whether a path is the other one, or above it."""
    return f"{other}/".startswith(f"{path}/")


def _remedy(missing: str, kind: str, body: Mapping[str, Any]) -> str:
    """What there is instead of the missing path."""
    *above, last = steps_of(missing)
    owner: Any = body
    for step in above:
        owner = owner[int(step)] if isinstance(owner, list) else owner[step]
    where = "".join(f"/{_escaped(step)}" for step in above) or "the top"
    if isinstance(owner, list):
        size = f"{where} has {len(owner)} {'entry' if len(owner) == 1 else 'entries'}"
        return f"{size}: use an index below {len(owner)}" + (", or - to add at the end" if kind == "add" else "")
    if not isinstance(owner, Mapping):
        return f"{where} is not a mapping or a list: correct the path"
    closest = nearest(last, owner)
    if closest:
        return f"did you mean {_escaped(closest)}?" + (" In a path, ~1 is a / inside a key" if "/" in closest else "")
    keys = ", ".join(_escaped(key) for key in sorted(map(str, owner))[:_MAX_LISTED])
    first = "add it first, or use a merge patch" if kind == "add" else "use a path that exists"
    return f"{first}; the keys at {where} are: {keys or 'none'}"


def _escaped(step: str) -> str:
    """A key as it is written in a JSON pointer (RFC 6901)."""
    return step.replace("~", "~0").replace("/", "~1")
