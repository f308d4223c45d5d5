"""Which nodes outside the fleet a cluster's DaemonSets take in or leave when another setting selects nodes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from gitgpu.access import list_at, mapping_at, text_at
from gitgpu.compare.change import Change
from gitgpu.compare.snapshot import OverlayObject
from gitgpu.model.names.labels import (
    AGENTPOOL_LABEL,
    DEPLOY_OPERANDS_LABEL,
    MANAGED_GPU_LABEL,
    NODEPOOL_LABEL,
    POOL_LABEL,
)
from gitgpu.model.software.names import daemon_of
from gitgpu.objects.workload.pods import REQUIRED

_OF_POOLS = (AGENTPOOL_LABEL, NODEPOOL_LABEL)
_LABEL = f"{DEPLOY_OPERANDS_LABEL}=false"
_LIST = f"kubectl get nodes -l {_LABEL},{MANAGED_GPU_LABEL}!=enabled -L {','.join(_OF_POOLS)}"


def names_of_pools(body: Mapping[str, Any]) -> set[str]:
    """The names of the pools whose nodes a DaemonSet selects or excludes."""
    rules = (rule for rule in _rules(body) if text_at(rule, "key") in _OF_POOLS)
    return set(map(str, chain.from_iterable(list_at(rule, "values") for rule in rules)))


def selection_effects(changes: Sequence[Change]) -> Iterator[str]:
    """What it means for other nodes that DaemonSets of gitgpu select nodes by a label from now on, or no longer do."""
    daemons = [change for change in changes if change.object.identity.kind == "DaemonSet"]
    before, after = [each.before for each in daemons], [each.after for each in daemons]
    if _software(before, _has_label) & _software(after, _names_all):
        yield (
            "nodes are selected by the names of pools from now on: each DaemonSet restarts once, and leaves other nodes"
            f" with {_LABEL}; `{_LIST}` lists them"
        )
    elif _software(before, _names_all) & _software(after, _has_label):
        yield (
            "nodes are selected by labels from now on: each DaemonSet restarts once, and also runs on other nodes with "
            f"{_LABEL}; `{_LIST}` lists them, and `gitgpu import --check` says what else runs there"
        )


def _software(objects: Iterable[OverlayObject | None], is_wanted: Callable[[Mapping[str, Any]], bool]) -> set[str]:
    """The software of gitgpu whose DaemonSets select nodes in this way."""
    return {daemon_of(obj.identity.name) for obj in objects if obj and is_wanted(obj.body)} - {""}


def _has_label(body: Mapping[str, Any]) -> bool:
    """Whether a DaemonSet selects nodes by the label of nodes without software of the GPU Operator."""
    return any(text_at(rule, "key") == DEPLOY_OPERANDS_LABEL and _is_positive(rule) for rule in _rules(body))


def _names_all(body: Mapping[str, Any]) -> bool:
    """Whether a DaemonSet selects the nodes of all its pools by name. With labels, some are for a single pool."""
    is_of_one = POOL_LABEL in mapping_at(body, "metadata", "labels")
    names = any(text_at(rule, "key") in _OF_POOLS and _is_positive(rule) for rule in _rules(body))
    return names and not is_of_one and not _has_label(body)


def _is_positive(rule: Any) -> bool:
    return text_at(rule, "operator") == "In"


def _rules(body: Mapping[str, Any]) -> Iterator[Any]:
    """The expressions of its node affinity."""
    for term in list_at(body, "spec", "template", "spec", *REQUIRED):
        yield from list_at(term, "matchExpressions")
