"""What the API server would not take of a cluster's objects: they count for nothing, and somebody is to know why."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from gitgpu.conform import Norms, held, related
from gitgpu.conform.objects import WORKLOADS, Given, Item
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.objects import Below
from gitgpu.simulate.workloads import templates

_AZURE = "containerservice.azure.com"
POOLS = (("karpenter.sh", "NodePool"), (_AZURE, "ManagedClustersAgentPool"), (_AZURE, "ManagedCluster"))
_SCALERS = (("autoscaling", "HorizontalPodAutoscaler"), ("keda.sh", "ScaledObject"))
_REFUSING = frozenset({"CNF006", "POD010", "POD023", "POD024"})  # rules that say what it refuses in pods


def refusing(measure: Norms) -> Norms:
    """Norms with no rules but those by which the API server refuses pods."""
    return replace(measure, rules=tuple(one for one in measure.rules if one.code in _REFUSING))


def admitted(given: Given, minor: str, measure: Norms) -> tuple[Item, Diagnostic | None]:
    """An object, and why the API server would not take it: for what it says itself, or for the pods in it."""
    item, fault = _checked(given, minor, measure)
    if item.sound:
        faults = (_checked(pod, minor, measure)[1] for pod in _pods(item))
        fault = next((one for one in faults if one), None)
        item = item._replace(sound=fault is None)
    return item, fault


def counts(item: Item) -> bool:
    """Is a refused object worth telling of: a pool, something that has pods, or what says how many?"""
    one = item.identity
    return (one.group, one.kind) in (*POOLS, *WORKLOADS, *_SCALERS) or any(True for _ in templates(item))


def _checked(given: Given, minor: str, measure: Norms) -> tuple[Item, Diagnostic | None]:
    item, faults = held(given, minor, measure)
    if item.sound:
        faults = related([item], minor, measure, closed=False)
        item = item._replace(sound=not faults)
    return item, (faults[0] if not item.sound else None)


def _pods(item: Item) -> Iterator[Given]:
    """The pods in an object of a kind that nobody described, as if they were written alone."""
    start: dict[str, Any] = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "pod"}}
    for pointer, template, _ in templates(item):
        yield Given({**start, "spec": template["spec"]}, Below(item.given.places, pointer))
