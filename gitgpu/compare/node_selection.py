"""What a DaemonSet takes in that no longer selects nodes by the names of their pools."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from gitgpu.access import list_at, text_at
from gitgpu.compare.change import Change
from gitgpu.model.names.labels import AGENTPOOL_LABEL, NODEPOOL_LABEL
from gitgpu.spelling import join_names

_TERMS = ("spec", "template", "spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
_OF_POOLS = (AGENTPOOL_LABEL, NODEPOOL_LABEL)


def wider_selection(change: Change) -> Iterator[str]:
    """For each label that replaces names of pools in its node affinity: which nodes have it."""
    before = _labels(change.before.body) if change.before else {}
    after = _labels(change.after.body) if change.after else {}
    for label, excluded in after.items():
        if before and label not in (*before, *_OF_POOLS):
            others = f", except those of {join_names(sorted(excluded))}" if excluded else ""
            yield f"it now runs on every node with the label {label}, whether or not its pool is in the fleet{others}"


def _labels(body: Mapping[str, Any]) -> dict[str, set[str]]:
    """The label that selects nodes in each term, that of pools if a term has one, with the names of excluded pools."""
    found: dict[str, set[str]] = {}
    for term in list_at(body, *_TERMS, "nodeSelectorTerms"):
        rules = list_at(term, "matchExpressions")
        wanted = [text_at(rule, "key") for rule in rules if text_at(rule, "operator") == "In"]
        unwanted = (list_at(rule, "values") for rule in rules if text_at(rule, "operator") == "NotIn")
        for label in [key for key in wanted if key in _OF_POOLS] or wanted:
            found.setdefault(label, set()).update(map(str, chain.from_iterable(unwanted)))
    return found
