"""Pods of DaemonSets that a change restarts or moves: on nodes from which pools, and why.

DaemonSets of the same software run on different nodes, so one can take over nodes of another.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from gitgpu.access import reach
from gitgpu.compare.change import Change, below
from gitgpu.compare.node_selection import names_of_pools
from gitgpu.compare.nodes import Pool
from gitgpu.compare.running_nodes import running_nodes
from gitgpu.compare.snapshot import OverlayObject
from gitgpu.model.software.names import daemon_of
from gitgpu.objects.node.selection import PoolNodes, selects
from gitgpu.spelling import join_names

_TEMPLATE = "spec.template"
_PART = re.compile(r"spec\.template\.(?:spec\.)?(?:(?:initC|c)ontainers\[[^\]]*\]\.)?(\w+)")
_MPS = "nvidia-mps-control-daemon"
_Nodes: TypeAlias = Mapping[str, PoolNodes]  # by the name of the pool


def daemon_effects(change: Change, changes: Sequence[Change], pools: Iterable[Pool]) -> Iterator[str]:
    """What happens to the pods of a DaemonSet on the running nodes of these pools."""
    nodes = {pool.object.identity.name: running_nodes(pool) for pool in pools}
    had, has = (_selected(side, nodes) for side in (change.before, change.after))
    if change.before and change.after and any(below(field.path, _TEMPLATE) for field in change.fields):
        yield _restart(change, [name for name in nodes if name in had and name in has])
    software = _software(change.object)
    for other in changes if software else ():
        was = other.before
        if was and was.key != change.object.key and _software(was) == software:
            taken = [name for name in _selected(was, nodes) if name in has and name not in had]
            if taken:
                yield f"its pods take the place of those of {was.identity.name} on the nodes of {join_names(taken)}"


def _software(obj: OverlayObject) -> str:
    return daemon_of(obj.identity.name) if obj.identity.kind == "DaemonSet" else ""


def _selected(side: OverlayObject | None, nodes: _Nodes) -> list[str]:
    return [name for name, each in nodes.items() if side and selects(side.body, each)]


def _restart(change: Change, pools: Sequence[str]) -> str:
    """The effect of a changed pod template."""
    strategy = reach(change.object.body, "spec", "updateStrategy")
    if reach(strategy, "type") == "OnDelete":
        return "its pods keep running unchanged until they are deleted (OnDelete)"
    # 1 is the default of a DaemonSet.
    maximum = reach(strategy, "rollingUpdate", "maxUnavailable") or 1
    where = f"on the nodes of {join_names(pools)}" if pools else "on every node"
    lost = "; running pods that share GPUs with MPS lose them"
    is_mps = daemon_of(change.object.identity.name) == _MPS
    how = f"{where}, {maximum} at a time, because {_why(change)}"
    return f"its pods restart {how}; no node is replaced{lost if is_mps else ''}"


def _why(change: Change) -> str:
    """Why they restart: another selection of nodes, or the parts of the template that change."""
    parts = dict.fromkeys(found[1] for field in change.fields if (found := _PART.match(field.path)))
    selection = _selection(change)
    others = [part for part in parts if not (selection and part in ("affinity", "tolerations"))]
    changed = f"{join_names(others)} change{'s' if len(others) == 1 else ''}" if others else ""
    return ", and ".join(filter(None, (selection, changed)))


def _selection(change: Change) -> str:
    """What changes in how it selects nodes; "" if that stays."""
    before, after = (names_of_pools(side.body) if side else set() for side in (change.before, change.after))
    added, removed = sorted(after - before), sorted(before - after)
    more = f"names {join_names(added)} from now on" if added else ""
    fewer = f"no longer names {join_names(removed)}" if removed else ""
    return f"its node affinity {' and '.join(filter(None, (more, fewer)))}" if added or removed else ""
