"""Small changes to the examples of rules, and how each changes what a rule reports.

The snapshots list the changes that matter: the removed keys, replaced values and added fields after which a bad
example is no longer reported. So the list changes if a rule loses a condition or gains one by mistake. What a good
example must not lose is proven by the example itself, and by the recorded cases.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path as File
from typing import Any, NamedTuple

import yaml

from gitgpu.load.spec.shape import KINDS
from tests.helping.nested import values_inside

Path = tuple[str | int, ...]
Reported = Sequence[tuple[str, ...]]
IDENTITY = (("apiVersion",), ("kind",), ("metadata",), ("metadata", "name"), ("metadata", "namespace"))

# Each line lists words that are alternatives to each other: what an author could have written instead. Sizes too.
ALTERNATIVES = [
    line.split()
    for line in """\
In NotIn Exists DoesNotExist Gt Lt
Equal Exists
NoSchedule NoExecute PreferNoSchedule
spot on-demand
Spot Regular
WhenEmpty WhenEmptyOrUnderutilized Balanced
Ubuntu Ubuntu2204 Ubuntu2404 AzureLinux Windows2022
Linux Windows
linux windows
User System
Driver None
Install None
Always IfNotPresent Never OnFailure
Value AverageValue Utilization
aks operator managed none
nap cluster-autoscaler
device-plugin dra
prometheus-operator azure-managed none
flux argocd
keda hpa
gpu-utilization gpu-memory tensor-activity query
none static
none best-effort restricted single-numa-node
none azure cilium calico
azure kubenet
overlay node-subnet pod-subnet
none single mixed
nvidia amd
helm addon none
npd none
gfd none
utilization inventory none
Deployment StatefulSet Job
shared sriov
RollingUpdate OnDelete Recreate
true false
default gpu-operator
nvidia.com/gpu nvidia.com/gpu.shared nvidia.com/mig-1g.10gb amd.com/gpu gpu.nvidia.com
Standard_NC24ads_A100_v4 Standard_NC16as_T4_v3 Standard_NC40ads_H100_v5 Standard_NV36ads_A10_v5 Standard_D8s_v5
""".splitlines()
]
ADDITIONS = File(__file__).with_name("example_additions.yaml")
VERSION = re.compile(r"(v?\d+\.)(\d+)((?:\.\d+)*)")
COUNTED = re.compile(r"()(\d+)([a-zA-Z%]*)")  # 8, 10m, 30s, 24Gi, 50%


class Change(NamedTuple):
    """A change of the value at a path in one document of an example. `old` and `new` are "" if the value is absent.

    For an addition, `added` is the added fields as JSON, and there is no path.
    """

    number: int
    path: Path
    old: str
    new: str
    body: dict[str, Any]
    added: str = ""

    @property
    def text(self) -> str:
        """The change as text, such as `spec.replicas 1 -> 2`, `spec.replicas absent`, or the line that is removed."""
        where = ".".join(map(str, self.path))
        if self.added:
            return f"with {self.added}"
        if not self.new:
            return f"{where} absent"
        if self.new in ("{}", "[]"):
            return f"{where} empty"
        if "\n" in self.old:
            kept = self.new.splitlines()
            lost = next(line for at, line in enumerate(self.old.splitlines()) if kept[at : at + 1] != [line])
            return f"{where} without {_short(lost.strip())}"
        return f"{where} {_short(self.old)} -> {_short(self.new)}"

    def is_inside(self, other: "Change") -> bool:
        """Whether this changes a part of the value that the other change removes."""
        return self.number == other.number and self.path[: len(other.path)] == other.path != () and not other.new


def changes(bodies: Sequence[Mapping[str, Any]], *, additions: bool = True) -> Iterator[Change]:
    """Every change to the documents of an example. `additions` are fields that can be added, by kind."""
    for number, body in enumerate(bodies):
        for path, value in values_inside(body):
            if path not in IDENTITY:
                yield Change(number, path, "", "", _changed(body, path, without=True))
            if path not in (("apiVersion",), ("kind",)):
                for other in _others(value):
                    yield Change(number, path, str(value), str(other), _changed(body, path, other))
        if additions:
            yield from _with_additions(number, body)


def _with_additions(number: int, body: Mapping[str, Any]) -> Iterator[Change]:
    kinds = (body["kind"],) if body["kind"] in KINDS else ("*", body["kind"])
    for addition in (addition for kind in kinds for addition in _additions().get(kind, ())):
        added = _with(body, addition)
        if added != body:
            yield Change(number, (), "", "", added, json.dumps(addition))


@cache
def _additions() -> Mapping[str, list[Mapping[str, Any]]]:
    """The fields that can be added to examples, by kind."""
    additions: dict[str, list[Mapping[str, Any]]] = yaml.load(ADDITIONS.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return additions


def _with(value: Any, addition: Any) -> Any:
    """A value with an addition: mappings are merged, lists are extended, anything else is replaced."""
    if isinstance(value, Mapping) and isinstance(addition, Mapping):
        return {**value, **{key: _with(value.get(key), inner) for key, inner in addition.items()}}
    if isinstance(value, list) and isinstance(addition, list):
        return [*value, *addition]
    return addition


def _others(value: Any) -> Iterator[Any]:
    """The replacements that are tried for a value."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, list | dict) and value:
        yield type(value)()
    elif isinstance(value, int | float):
        yield from (value - 1, value + 1)
    elif isinstance(value, str) and "\n" in value:
        lines = value.splitlines(keepends=True)
        yield from ("".join([*lines[:at], *lines[at + 1 :]]) for at in range(len(lines)) if lines[at].strip())
    elif isinstance(value, str):
        yield from _other_words(value)


def _other_words(value: str) -> Iterator[str]:
    number = VERSION.fullmatch(value) or COUNTED.fullmatch(value)
    if number:
        before, count, after = number.groups()
        yield from (f"{before}{int(count) + step}{after}" for step in (-1, 1) if int(count) + step >= 0)
        return
    alternatives = {word for words in ALTERNATIVES if value in words for word in words}
    yield from sorted(alternatives - {value})
    yield f"{value}x"


def _short(text: str) -> str:
    """The start and the end of a text that is too long for a line."""
    return text if len(text) <= 70 else f"{text[:40]}...{text[-25:]}"


def _changed(value: Any, path: Path, other: Any = None, *, without: bool = False) -> Any:
    """A copy of a value in which the value at a path is replaced or removed."""
    key, *rest = path
    copy: Any = dict(value) if isinstance(value, Mapping) else list(value)
    if rest:
        copy[key] = _changed(value[key], tuple(rest), other, without=without)
    elif without:
        del copy[key]
    else:
        copy[key] = other
    return copy


def effects(bodies: Sequence[Mapping[str, Any]], before: Reported, tried: Iterable[tuple[Change, Reported]]) -> str:
    """The changes that affect what is reported, a line each, with the number of findings after the change.

    Findings that differ only in that they quote the new value count as equal. The removal of a value is not listed if
    the removal of a part of it has the same effect.
    """
    numbered = []
    for change, after in tried:
        if not _is_same(before, after, change):
            number = str(len(after)) if len(after) != len(before) else "other"
            numbered.append((number, change))
    lines = [f"{len(before)} reported"]
    name = -1
    for number, change in numbered:
        if any(number == other and inner is not change and inner.is_inside(change) for other, inner in numbered):
            continue
        if change.number != name:
            name = change.number
            lines.append(f"  {_name(bodies[name])}")
        lines.append(f"    {number}: {change.text}")
    return "\n".join(lines)


def _is_same(before: Reported, after: Reported, change: Change) -> bool:
    if Counter(after) == Counter(before):
        return True
    renamed = [tuple(text.replace(change.new, change.old) for text in fault) for fault in after]
    return bool(change.new) and Counter(renamed) == Counter(before)


def _name(body: Mapping[str, Any]) -> str:
    return f"{body['kind']} {body.get('metadata', {}).get('name', '')}".strip()
