"""Fields of an object that the schema of its kind does not have: they are reported, and the rest is adopted."""

from collections.abc import Iterator, Mapping
from copy import copy
from typing import Any, NamedTuple

from gitgpu.access import has, value_at
from gitgpu.adopt.adoption import Fate, Outcome, Ruling
from gitgpu.adopt.node.node_objects import is_of_nodes
from gitgpu.inventory.observed import Inventory, Observed, ObservedCluster
from gitgpu.model.names.kinds import MANAGED_CLUSTERS_AGENT_POOL
from gitgpu.objects.schema.contract import Contract
from gitgpu.objects.schema.contracts import Contracts
from gitgpu.plan.fields.agent_pool import without_unset
from gitgpu.source import Pointer

_NEWER: Mapping[str, frozenset[Pointer]] = {
    MANAGED_CLUSTERS_AGENT_POOL.kind: frozenset(
        {
            ("spec", "gpuProfile", "nvidia"),
            ("spec", "gpuProfile", "driverType"),
            ("spec", "artifactStreamingProfile"),
            ("spec", "networkProfile", "dranet"),
            ("spec", "virtualMachinesProfile", "scale", "autoscale"),
        }
    )
}  # fields that Azure's API has and Azure Service Operator's does not have yet, but that gitgpu supports
_MAX_ROUNDS = 20  # at most this many rounds of removing unknown fields: one may hide others


class KnownFields(NamedTuple):
    """The objects without unknown fields, and an outcome for each such field."""

    inventory: Inventory
    outcomes: tuple[Outcome, ...]


def known_fields(inventory: Inventory, contracts: Contracts) -> KnownFields:
    """The inventory without fields that the schemas do not have; only node objects are examined."""
    clusters: list[ObservedCluster] = []
    outcomes: list[Outcome] = []
    for cluster in inventory.clusters:
        objects = []
        for observed in cluster.objects:
            kept, unknown = _known(observed, contracts)
            objects.append(kept)
            outcomes += [Outcome(kept, *_fate(observed.body, pointer), pointer) for pointer in unknown]
        clusters.append(cluster._replace(objects=tuple(objects)))
    return KnownFields(inventory._replace(clusters=tuple(clusters)), tuple(outcomes))


def _fate(body: Mapping[str, Any], pointer: Pointer) -> Ruling:
    """The outcome for an unknown field. Azure prints false for what is not set."""
    unset = without_unset({"": value_at(body, pointer)}) == {}
    if unset:
        return Ruling(Fate.ADOPTED, "not set")
    return Ruling(Fate.INEXPRESSIBLE, "gitgpu does not know this field")


def _known(observed: Observed, contracts: Contracts) -> tuple[Observed, list[Pointer]]:
    """An object without the fields that its schema does not have, and the pointers of these fields."""
    if not is_of_nodes(observed.body):
        return observed, []
    contract = contracts.find("", str(observed.body["apiVersion"]), observed.body["kind"])
    body, removed = observed.body, list[Pointer]()
    for _ in range(_MAX_ROUNDS):
        keys = list(_unknown_keys(body, contract))
        if not keys:
            break
        for pointer in keys:
            body = without(body, pointer)
        removed += keys
    return (observed._replace(body=body) if removed else observed), removed


def _unknown_keys(body: Mapping[str, Any], contract: Contract) -> Iterator[Pointer]:
    """The places of the keys that the schema rejects."""
    newer = _NEWER.get(body["kind"], frozenset())
    for fault in contract.faults({**body, "apiVersion": contract.api_version or body["apiVersion"]}):
        if fault.at_key and fault.pointer and has(body, fault.pointer) and fault.pointer not in newer:
            yield fault.pointer


def without_newer(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """An object without the fields that its schema does not have yet, but that gitgpu supports."""
    for pointer in _NEWER.get(str(body.get("kind")), ()):
        body = without(body, pointer) if has(body, pointer) else body
    return body


def without(body: Any, pointer: Pointer) -> Any:
    """A copy of an object without the value at a pointer, which must exist."""
    first, *rest = pointer
    left = copy(body)
    if rest:
        left[first] = without(body[first], tuple(rest))
    else:
        del left[first]
    return left


def except_whole_objects(unknown: tuple[Outcome, ...], others: tuple[Outcome, ...]) -> Iterator[Outcome]:
    """The outcomes of unknown fields, except for objects that have an outcome as a whole."""
    decided_outcomes = [outcome for outcome in others if outcome.fate is not Fate.INFERRED]
    whole = {id(outcome.observed) for outcome in decided_outcomes if not outcome.pointer}
    return (outcome for outcome in unknown if id(outcome.observed) not in whole)
