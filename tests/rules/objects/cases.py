"""Reads and checks the recorded cases of object rules."""

import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from gitgpu.diagnostic import Repair
from gitgpu.objects.items import gather, item_of
from gitgpu.objects.objects import Delivered, Item, Objects
from gitgpu.rules.object_rule import Finding
from gitgpu.rules.object_rulebook import object_rules
from gitgpu.source import pointer_text
from tests.rules.case_documents import ABOUT, CLUSTER
from tests.rules.objects.samples import KUBERNETES, read, shared_norms, somewhere
from tests.rules.recorded_cases import Bodies, Side


def _bodies(text: str) -> Bodies:
    """The objects of an example."""
    return _example(text)[0]


def _fits(body: Mapping[str, Any]) -> bool:
    """Whether an object fits the contract of its kind. Much cheaper than listing the violations."""
    known = body.get(ABOUT, {})
    body = {key: value for key, value in body.items() if key != ABOUT}
    contract = shared_norms().contracts.find(KUBERNETES, str(body["apiVersion"]), str(body["kind"]))
    fits = contract.part if known.get("patch") else contract.whole
    return bool(fits({**body, "apiVersion": contract.api_version or body["apiVersion"]}))


def _shape(body: Mapping[str, Any]) -> tuple[Mapping[str, Any], Callable[[str], Mapping[str, Any]]]:
    contract = shared_norms().contracts.find(KUBERNETES, str(body["apiVersion"]), str(body["kind"]))

    def resolve(name: str) -> Mapping[str, Any]:
        schema: Mapping[str, Any] = contract.full.resolve(name) if contract.full.resolve else {}  # type: ignore[assignment]
        return schema

    return contract.schema, resolve


def _subjects(bodies: Bodies) -> list[Objects] | None:
    """The objects as rules read them, once for each view; None if one does not match its schema."""
    items = []
    cluster: dict[str, Any] = {}
    for body in bodies:
        if body["kind"] == CLUSTER:
            cluster |= body
            continue
        item = _KNOWN.get(id(body)) or _item(body)
        if item is None:
            return None
        items.append(item)
    minor = cluster.get("kubernetes", KUBERNETES)
    known = replace(shared_norms(), today=cluster.get("today", ""))
    beyond = frozenset((family, kind) for family, kind in cluster.get("beyond", ()))
    return [gather(items, minor, known, closed=closed, beyond=beyond) for closed in (True, False)]


def _item(body: dict[str, Any]) -> Item | None:
    if not _fits(body):
        return None
    known = body.get(ABOUT, {})
    written = {key: value for key, value in body.items() if key != ABOUT}
    item, faults = item_of(somewhere(written, patch=known.get("patch", False))[0], KUBERNETES, shared_norms())
    delivered = Delivered(known["by"], written) if "by" in known else None
    invalid = any(fault.code != "CNF002" for fault in faults)  # rules also read objects without a known schema
    return None if invalid else item._replace(delivered=delivered)


def _lines(check: Callable[[Any], Any], subject: Objects) -> list[str]:
    """The place, message, remedy and repair of each finding. Values that the rule caches are not reused."""
    if _remembers(check.__module__):
        subject = replace(subject, sorted={}, cache={}, run_cache={})
    return [_line(fault) for fault in check(subject)]


def _line(fault: Finding) -> str:
    identity, key = fault.item.identity, " (key)" if fault.at_key else ""
    place = f"{identity.kind} {identity.name}{pointer_text(fault.pointer)}{key}"
    severity = f" ({fault.severity})" if fault.severity else ""
    return f"{place}{severity}: {fault.message}; {fault.help}{_repair(fault.repair)}"


def _repair(repair: Repair | None) -> str:
    if repair is None:
        return ""
    parts = (pointer_text(repair.pointer), repair.key, repair.text, pointer_text(repair.target or ()))
    return " ".join([f" [repair: {repair.change}", *filter(None, parts)]) + "]"


@cache
def _remembers(module: str) -> bool:
    return any(call in inspect.getsource(sys.modules[module]) for call in (".once(", ".once_per_run("))


@cache
def _example(text: str) -> tuple[Bodies, list[Item]]:
    """The objects of an example and their items. Both are cached, since most cases change only one object."""
    bodies = [dict(given.body) for given in read(text)]
    items = [item_of(given, KUBERNETES, shared_norms())[0] for given in somewhere(*bodies)]
    _KNOWN.update(zip(map(id, bodies), items, strict=True))
    return bodies, items


_KNOWN: dict[int, Item] = {}  # by the id of a body that `_example` keeps
SIDE = Side(
    folder=Path(__file__).with_name("cases"),
    rules=object_rules(),
    views=("", ", among other objects"),
    bodies=_bodies,
    fits=_fits,
    subjects=_subjects,
    lines=_lines,
    shape=_shape,
)
