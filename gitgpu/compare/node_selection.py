"""Which nodes outside the fleet a cluster's DaemonSets take in or leave when another setting selects nodes."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from gitgpu.access import list_at, text_at
from gitgpu.compare.change import Change
from gitgpu.compare.snapshot import OverlayObject
from gitgpu.model.names.labels import AGENTPOOL_LABEL, DEPLOY_OPERANDS_LABEL, NODEPOOL_LABEL
from gitgpu.model.software.names import daemon_of
from gitgpu.objects.workload.pods import REQUIRED

_OF_POOLS = (AGENTPOOL_LABEL, NODEPOOL_LABEL)
_LABEL = f"{DEPLOY_OPERANDS_LABEL}=false"
_LIST = f"kubectl get nodes -l {_LABEL} -L {','.join(_OF_POOLS)}"


def names_of_pools(body: Mapping[str, Any]) -> set[str]:
    """The names of the pools whose nodes a DaemonSet selects or excludes."""
    rules = (rule for rule in _rules(body) if text_at(rule, "key") in _OF_POOLS)
    return set(map(str, chain.from_iterable(list_at(rule, "values") for rule in rules)))


def selection_effects(changes: Sequence[Change]) -> Iterator[str]:
    """What it means for other nodes that DaemonSets of gitgpu select nodes by a label from now on, or no longer do."""
    own = [change for change in changes if daemon_of(change.object.identity.name)]
    before = [change.before for change in own if change.before]
    after = [change.after for change in own if change.after]
    was, now = _has_label(before), _has_label(after)
    if before and after and now and not was:
        yield (
            "nodes are selected by labels from now on: each DaemonSet restarts once, and also runs on other nodes with "
            f"{_LABEL}; `{_LIST}` lists them, and `gitgpu import --check` says what else runs there"
        )
    if before and after and was and not now:
        yield (
            "nodes are selected by the names of pools from now on: each DaemonSet restarts once, and leaves other nodes"
            f" with {_LABEL}; `{_LIST}` lists them"
        )


def _has_label(objects: Sequence[OverlayObject]) -> bool:
    """Whether one of the DaemonSets selects nodes by the label of nodes without software of the GPU Operator."""
    rules = chain.from_iterable(_rules(obj.body) for obj in objects)
    return any(text_at(rule, "key") == DEPLOY_OPERANDS_LABEL and text_at(rule, "operator") == "In" for rule in rules)


def _rules(body: Mapping[str, Any]) -> Iterator[Any]:
    """The expressions of its node affinity."""
    for term in list_at(body, "spec", "template", "spec", *REQUIRED):
        yield from list_at(term, "matchExpressions")
