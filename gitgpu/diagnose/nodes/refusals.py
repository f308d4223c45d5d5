"""What Azure refused: capacity, quota, access or addresses, as events and conditions say it."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import NamedTuple

from gitgpu.access import mapping_at
from gitgpu.diagnose.cause import CLOUD_REFUSED, Cause, Evidence, clause
from gitgpu.diagnose.nodes.claims import Claim
from gitgpu.diagnose.reading.state import State
from gitgpu.model.catalog import Catalog
from gitgpu.model.names.kinds import MANAGED_CLUSTERS_AGENT_POOL, NODE, NODE_CLAIM, NODE_POOL
from gitgpu.model.names.labels import AGENTPOOL_LABEL, INSTANCE_TYPE_LABEL, LEGACY_AGENTPOOL_LABEL
from gitgpu.model.symptoms import Symptom, pasted_symptoms, symptoms
from gitgpu.objects.objects import Objects
from gitgpu.spelling import join_names

_SIZE = re.compile(r"Standard_[A-Za-z0-9_-]+")
_ZONE = re.compile(r"\b[a-z0-9]+-[1-3]\b")
_WORD = re.compile(r"[A-Za-z]+")
_AZURE = "azure"  # the group of the symptoms about what Azure refuses
# What other sizes do not help against, and what only sizes with another quota do.
_OF_EVERY_SIZE = frozenset({"regional-quota", "spot-quota", "subnet-is-full"})
_OF_FAMILY = frozenset({"exceeding-approved-quota", "insufficient-unused-quota", "vcpu-quota"})
_SCALE_UP = (
    "FailedScaleUp", "FailedToScaleUpGroup", "InsufficientCapacityError", "LaunchFailed", "NoCompatibleInstanceTypes",
    "NodeClassNotReady",
)  # fmt: skip
# The scale set of an AKS node pool, in events of the cluster autoscaler.
_SCALE_SET = re.compile(r"\baks-([a-z0-9]+)-\d+-vmss\b")
_LEAST = "no-compatible-sizes"  # says less than the refusals that led to it


class Refusal(NamedTuple):
    """A refusal of Azure for a pool; `size` and `zone` are "" if the message has none."""

    pool: str
    symptom: Symptom
    size: str
    zone: str
    evidence: Evidence
    last: str


def refusals(claims: tuple[Claim, ...], state: State) -> tuple[Refusal, ...]:
    """Every refusal in the dump, the latest first, and last those that say the least."""
    found = [*_claim_refusals(claims, state), *_event_refusals(claims, state)]
    latest = sorted(found, key=lambda refusal: refusal.last, reverse=True)
    return tuple(sorted(latest, key=lambda refusal: refusal.symptom.name == _LEAST))


def refusal_of(claim: Claim, catalog: Catalog) -> Refusal | None:
    """The refusal that a NodeClaim states itself."""
    waits = claim.waits
    if waits is None or waits.type != "Launched":
        return None
    symptom = symptom_of(waits.message, waits.reason, catalog)
    if symptom is None:
        return None
    found = _refusal(claim.pool, symptom, waits.message, claim.evidence, waits.since)
    return found._replace(size=found.size or claim.size)


def _claim_refusals(claims: tuple[Claim, ...], state: State) -> Iterator[Refusal]:
    for claim in claims:
        if refusal := refusal_of(claim, state.objects.catalog):
            yield refusal


def _event_refusals(claims: tuple[Claim, ...], state: State) -> Iterator[Refusal]:
    pools = {claim.name: claim.pool for claim in claims}
    for (kind, _, name), events in state.events.items():
        for event in events:
            if event.reason not in _SCALE_UP and kind != NODE_CLAIM.kind:
                continue
            if symptom := symptom_of(event.message, event.reason, state.objects.catalog):
                scale_set = _SCALE_SET.search(event.message)
                pool = scale_set[1] if scale_set else pools.get(name) or _pool_named(name, state.objects)
                evidence = Evidence(f"{kind} {name}", f"event {event.reason}: {event.message}")
                found = _refusal(pool, symptom, event.message, evidence, event.last)
                yield found._replace(size=found.size or (_size_of(pool, state) if scale_set else ""))


def _refusal(pool: str, symptom: Symptom, message: str, evidence: Evidence, last: str) -> Refusal:
    size, zone = _SIZE.search(message), _ZONE.search(message)
    return Refusal(pool, symptom, size.group() if size else "", zone.group() if zone else "", evidence, last)


def _size_of(pool: str, state: State) -> str:
    """The size of the nodes of an AKS node pool; "" if the dump has none."""
    labels = (mapping_at(node.body, "metadata", "labels") for node in state.objects.of(*NODE))
    of_pool = (found for found in labels if pool in (found.get(AGENTPOOL_LABEL), found.get(LEGACY_AGENTPOOL_LABEL)))
    return next((found.get(INSTANCE_TYPE_LABEL, "") for found in of_pool), "")


def _pool_named(name: str, objects: Objects) -> str:
    """The pool of a NodeClaim that is gone, by its name: Karpenter adds a suffix to the name of the NodePool."""
    pools = [item.identity.name for kind in (NODE_POOL, MANAGED_CLUSTERS_AGENT_POOL) for item in objects.of(*kind)]
    fitting_pools = [pool for pool in pools if name == pool or name.rpartition("-")[0] == pool]
    return max(fitting_pools, key=len, default="")


def symptom_of(message: str, reason: str, catalog: Catalog) -> Symptom | None:
    """What a message of Azure, or the reason of a condition, means; None if the catalog does not know it."""
    known = _azure_symptoms(catalog)
    by_text = pasted_symptoms(known, message) if message else []
    words = set(_WORD.findall(f"{reason} {message}"))
    by_reason = (symptom for symptom in known if not words.isdisjoint(symptom.reasons))
    return next(chain(by_text, by_reason), None)


@cache
def _azure_symptoms(catalog: Catalog) -> tuple[Symptom, ...]:
    return tuple(symptom for symptom in symptoms(catalog) if symptom.group == _AZURE)


def cause_of(refusal: Refusal, region: str, catalog: Catalog) -> Cause:
    """The cause, with what else the catalog has for the same GPU."""
    sku = catalog.sku(refusal.size) if refusal.size else None
    named = f" of {refusal.size}" if refusal.size else ""
    where = f" in {refusal.zone or region}" if refusal.zone or region else ""
    message = f"Azure refused a node{named}{where}: {clause(refusal.symptom.cause)}"
    if refusal.symptom.name in _OF_FAMILY and sku and (family := _quota(sku.name, catalog)):
        message += f" (family {family})"
    remedy = refusal.symptom.remedy
    others: list[str] = []
    if sku and sku.gpu and refusal.symptom.name not in _OF_EVERY_SIZE:
        others = [name for name in catalog.names("skus") if _is_alternative(name, sku.name, region, catalog)]
        if refusal.symptom.name in _OF_FAMILY:
            others = [name for name in others if _quota(name, catalog) != _quota(sku.name, catalog)]
        remedy = f"{remedy} Other sizes with {sku.gpu.name}: {join_names(others)}." if others else remedy
    if sku and (zones := sku.zones.get(region)) and refusal.zone:
        left = [f"{region}-{zone}" for zone in map(str, zones) if not refusal.zone.endswith(f"-{zone}")]
        remedy = f"{remedy} Other zones: {join_names(left)}." if left else remedy
    commands = [_filled(command, [refusal.size, *others], region) for command in refusal.symptom.commands]
    kind, _, name = refusal.evidence.object.partition(" ")
    placeholder = {NODE_CLAIM.kind: "NODECLAIM", NODE_POOL.kind: "NAME"}.get(kind)
    if placeholder:
        commands = [command.replace(placeholder, name) for command in commands]
    return Cause(CLOUD_REFUSED, message, remedy, tuple(commands), refusal.symptom.rules)


def _filled(command: str, sizes: list[str], region: str) -> str:
    """A command with the sizes and the region, as far as they are known."""
    command = command.replace("REGION", region) if region else command
    if command.count("SIZE") > len(sizes) or not sizes[0]:
        return command
    for size in sizes:
        command = command.replace("SIZE", size, 1)
    return command


def _quota(size: str, catalog: Catalog) -> object:
    """The family whose vCPU quota a size uses; None if unknown."""
    return catalog.must("skus", size).get("quotaFamily")


def _is_alternative(name: str, size: str, region: str, catalog: Catalog) -> bool:
    """Whether another size has the same GPU, is in use, and is offered in the region, as far as that is known."""
    other, sku = catalog.sku(name), catalog.sku(size)
    if not other or not sku or name == size or other.lifecycle.status in ("retired", "never-offered"):
        return False
    if other.gpu != sku.gpu or other.restricted.get(region):
        return False
    return not region or not other.zones or region in other.zones
