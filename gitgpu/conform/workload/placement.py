"""Whether Karpenter would start a node for a pod: NodePool by NodePool, and what stands in the way."""

from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import NamedTuple

from gitgpu.conform.node.agent_pools import agent_pools
from gitgpu.conform.node.candidate_sizes import candidates, values
from gitgpu.conform.node.node_pools import NodePool, every_node_pool, names_gpus, node_pools, wants_gpus
from gitgpu.conform.node.other_clouds import may_be_foreign
from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.workload.node_constraints import is_readable, requested_devices, required_labels
from gitgpu.conform.workload.pods import Pod, pods
from gitgpu.model.quantity import quantity
from gitgpu.model.sku import Sku
from gitgpu.schedule.allocatable import insufficient
from gitgpu.schedule.capacity import capacity
from gitgpu.schedule.requirement import Requirements, clash, joined, requirement, undefined
from gitgpu.schedule.size import NAMES, labels

POOL = "karpenter.sh/nodepool"


class Offer(NamedTuple):
    """A NodePool as a place for a pod. `skus` are the GPU sizes that meet what both require of labels.

    `missing` is a label that the pod requires and the pool does not define, `against` one on which the two disagree;
    both are "" when the labels agree. With `open`, sizes that the catalog lacks may do: then nothing is said.
    """

    pool: NodePool
    skus: tuple[Sku, ...]
    missing: str = ""
    against: str = ""
    open: bool = False

    @property
    def agrees(self) -> bool:
        """Do the labels leave a size?"""
        return not self.missing and not self.against


class Case(NamedTuple):
    """A pod that needs a GPU node of Karpenter's, and what each NodePool offers it."""

    pod: Pod
    offers: tuple[Offer, ...]

    @property
    def agreeing(self) -> tuple[Offer, ...]:
        """The offers with which the pod's labels agree."""
        return tuple(one for one in self.offers if one.agrees)

    @property
    def is_open(self) -> bool:
        """May there be a node that cannot be told of from here?"""
        return any(one.agrees and one.open for one in self.offers)


def cases(objects: Objects) -> tuple[Case, ...]:
    """The pods of which it can be said where they go. DaemonSets go where nodes are, and start none."""
    return objects.once("cases", lambda: tuple(case for case, sure in _every_case(objects) if sure))


def supposed_cases(objects: Objects) -> tuple[Case, ...]:
    """The pods of which it could be said, were there no other pools: there may be some, but none with GPUs is known."""
    if any(
        sku or name.startswith("Standard_N") for pool in agent_pools(objects) for _, name, sku in pool.sizes(objects)
    ):
        return ()
    return tuple(case for case, sure in _every_case(objects) if not sure)


def _every_case(objects: Objects) -> tuple[tuple[Case, bool], ...]:
    return objects.once("every case", lambda: tuple(_cases(objects)))


def _cases(objects: Objects) -> Iterator[tuple[Case, bool]]:
    waiting = pods(objects)
    pools = _all_pools(objects) if waiting else ()
    if not pools:
        return
    elsewhere = not objects.closed or any(True for _ in agent_pools(objects))
    names = {pool.name for pool in pools if pool.for_gpus}
    for pod in waiting:
        if pod.is_daemon or pod.spec.get("nodeName") or not is_readable(pod):
            continue
        gpus = bool(gpu_devices(pod, objects)) or all(_selects_gpus(term, names, objects) for term in pod.terms())
        if gpus and not may_be_foreign(pod, objects):
            sure = is_pinned(pod, objects) or not elsewhere
            yield Case(pod, tuple(_offer(pod, pool, objects) for pool in pools)), sure


def gpu_devices(pod: Pod, objects: Objects) -> dict[str, Decimal]:
    """What the pod asks for of whole GPUs, by the name of the resource."""
    rows = objects.catalog.rows("devices").values()
    known = {name for row in rows if row["manufacturer"] for name in row["resources"]}
    return {name: amount for name, amount in requested_devices(pod).items() if name in known}


def is_pinned(pod: Pod, objects: Objects) -> bool:
    """Does it require, in every alternative, a label that only nodes of Karpenter have?"""
    domains = objects.catalog.must("placement", "aks")["restricted"]
    found = [one.term for one in required_labels(pod) if one.is_positive and one.key.partition("/")[0] in domains]
    terms = {one.term for one in required_labels(pod) if one.term is not None}
    return None in found or (bool(terms) and terms <= set(found))


def limited(pool: NodePool, sku: Sku) -> str:
    """The resource whose limit is smaller than one node of the size; empty when there is none."""
    has = capacity(sku)
    for name, limit in pool.limits.items():
        need, most = has.get(name), _amount(limit)
        if need is not None and most is not None and need > most:
            return name
    return ""


def remaining(offers: Iterable[Offer], keep: Callable[[Offer, Sku], bool]) -> tuple[Offer, ...]:
    """The offers with the sizes that are kept; those without any go."""
    left = (one._replace(skus=tuple(sku for sku in one.skus if keep(one, sku))) for one in offers)
    return tuple(one for one in left if one.skus)


def made(case: Case, objects: Objects) -> tuple[Offer, ...]:
    """The offers that agree, with the sizes whose GPUs go by the name that the pod asks for."""
    names = set(gpu_devices(case.pod, objects))
    return remaining(case.agreeing, lambda _, sku: names <= {sku.resource})


def roomy(case: Case, objects: Objects) -> tuple[Offer, ...]:
    """Of these, what is large enough for one pod."""
    asked = case.pod.requests()
    return remaining(made(case, objects), lambda _, sku: not insufficient(sku, asked))


def allowed(case: Case, objects: Objects) -> tuple[Offer, ...]:
    """Of these, what the limits of the NodePool let start."""
    return remaining(roomy(case, objects), lambda one, sku: not limited(one.pool, sku))


def _all_pools(objects: Objects) -> tuple[NodePool, ...]:
    """Every NodePool for AKS, or none when one cannot be read, is a patch, or keeps a fixed number of nodes ."""
    found = every_node_pool(objects)
    named = sum(1 for one in objects.present if (one.group, one.kind) == ("karpenter.sh", "NodePool"))
    patched = bool(objects.patched("karpenter.sh", "NodePool"))
    fixed = any(reach(pool.item.body, "spec", "replicas") is not None for pool in found)
    unread = any(entry.meaning is None for pool in found for entry in pool.entries)
    return () if patched or fixed or unread or named > len(found) else node_pools(objects)


def _selects_gpus(term: Requirements, pools: set[str], objects: Objects) -> bool:
    pool = term.get(POOL)
    pooled = pool is not None and pool.operator == "In" and pool.values <= pools
    return pooled or wants_gpus(term) or names_gpus(term, objects)


def _offer(pod: Pod, pool: NodePool, objects: Objects) -> Offer:
    known = frozenset(objects.catalog.must("placement", "aks")["wellKnown"])
    node = {**pool.together, POOL: requirement(POOL, "In", [pool.name])}
    offers = [_try(term, node, pool, objects, known) for term in pod.terms()]
    ranked = sorted(offers, key=lambda one: (not one.agrees, not one.missing))
    agreeing = [one for one in offers if one.agrees]
    skus = {sku.name: sku for one in agreeing for sku in one.skus}
    return ranked[0]._replace(skus=tuple(skus.values()), open=any(one.open for one in agreeing))


def _try(term: Requirements, node: Requirements, pool: NodePool, objects: Objects, known: frozenset[str]) -> Offer:
    against = clash(node, term)
    if against:
        return Offer(pool, (), against=against)
    missing = undefined(node, term, known)
    if missing:
        return Offer(pool, (), missing=missing)
    able = candidates(pool, objects)
    both = joined([*node.values(), *term.values()])
    skus = tuple(sku for sku in able if not clash(labels(sku), both))
    if skus or _is_open(pool, able, objects):
        return Offer(pool, skus, open=_is_open(pool, able, objects))
    barred = (key for key in sorted(term) if all(clash(labels(sku), {key: term[key]}) for sku in able))
    return Offer(pool, (), against=next(barred, "") or next(iter(sorted(term)), "*"))


def _is_open(pool: NodePool, able: tuple[Sku, ...], objects: Objects) -> bool:
    """May the pool become a GPU size that the catalog lacks, or can none be had, which other rules tell?"""
    strange = {name for _, name in values(pool, NAMES) if objects.catalog.sku(name) is None}
    families = {sku.family for sku in objects.catalog.skus if sku.family} if strange else set()
    letters = {name.removeprefix("Standard_")[:1] for name in strange}
    return bool(letters & families) or (pool.for_gpus and not able)


def _amount(limit: str | int) -> Decimal | None:
    try:
        return quantity(limit)
    except ValueError:
        return None
