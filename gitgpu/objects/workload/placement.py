"""Whether Karpenter would start a node for a pod: the NodePools that could, and what prevents it."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from gitgpu.access import reach
from gitgpu.model.names.kinds import NODE_POOL
from gitgpu.model.names.labels import NODEPOOL_LABEL
from gitgpu.model.size.gpu_requirements import names_gpus, wants_gpus
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.requirement import Requirements
from gitgpu.objects.node.agent_pools import agent_pools, has_agent_pools, has_unknown_agent_pools
from gitgpu.objects.node.node_pools import NodePool, every_node_pool, node_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.devices import gpu_devices, requests_gpus
from gitgpu.objects.workload.node_constraints import is_readable, required_labels
from gitgpu.objects.workload.offers import Offer, limiting_resource, offer_of, pool_names
from gitgpu.objects.workload.other_clouds import may_be_foreign
from gitgpu.objects.workload.pods import Pod, pods
from gitgpu.schedule.allocatable import insufficient

Computed = TypeVar("Computed")


class Case(NamedTuple):
    """A pod that needs a GPU node from Karpenter, and the offers that agree with its labels.

    `terms` are its label requirements. Pods with equal terms get equal offers, so these are computed once. `is_open` is
    true if there may be nodes that are unknown here; `is_sure` is false if such nodes may be meant for the pod.
    """

    pod: Pod
    agreeing: tuple[Offer, ...]
    terms: Hashable
    is_open: bool
    is_sure: bool


class Refusal(NamedTuple):
    """Why no NodePool agrees with a pod: the first label that one does not define, the label that most conflict with.

    `keys` are all such labels of the NodePools for GPUs, `names` all NodePools.
    """

    missing: str
    against: str
    keys: frozenset[str]
    names: tuple[str, ...]


def cases(objects: Objects) -> tuple[Case, ...]:
    """The pods with a known placement. DaemonSets run on existing nodes, and do not start any."""
    return objects.once("cases", lambda: tuple(case for case in _every_case(objects) if case.is_sure))


def supposed_cases(objects: Objects) -> tuple[Case, ...]:
    """The pods whose placement is known only if there are no other pools; none if another pool may have GPUs."""
    if has_unknown_agent_pools(objects):
        return ()
    for pool in agent_pools(objects):
        if any(sku or name.startswith("Standard_N") for _, name, sku in pool.sizes(objects)):
            return ()  # Azure's GPU sizes have names with N, also those that the catalog does not have
    return tuple(case for case in _every_case(objects) if not case.is_sure)


def _every_case(objects: Objects) -> tuple[Case, ...]:
    return objects.once("every case", lambda: tuple(_cases(objects)))


def _cases(objects: Objects) -> Iterator[Case]:
    waiting = pods(objects)
    pools = _all_pools(objects) if waiting else ()
    if not pools:
        return
    elsewhere = not objects.closed or has_agent_pools(objects)  # nodes without Karpenter
    names = {pool.name for pool in pools if pool.for_gpus}
    for pod in waiting:
        if pod.is_daemon or pod.spec.get("nodeName") or not is_readable(pod):
            continue
        gpus = requests_gpus(pod, objects) or all(_selects_gpus(term, names, objects) for term in pod.terms())
        if gpus and not may_be_foreign(pod, objects):
            is_sure = is_pinned(pod, objects) or not elsewhere
            terms = tuple(frozenset(term.items()) for term in pod.terms())
            agreeing = objects.once(("agreeing", terms), partial(_agreeing, pod, pools, objects))
            is_open = objects.once(("open", terms), partial(_any_open, agreeing))
            yield Case(pod, agreeing, terms, is_open, is_sure)


def _any_open(offers: Iterable[Offer]) -> bool:
    return any(offer.open for offer in offers)


def _agreeing(pod: Pod, pools: Sequence[NodePool], objects: Objects) -> tuple[Offer, ...]:
    """The offers that agree. A pod that names NodePools is compared only with these: there may be thousands."""
    names = pool_names(pod)
    if names is not None:
        by_name = objects.once("pools by name", lambda: {pool.name: (index, pool) for index, pool in enumerate(pools)})
        named = sorted(by_name[name] for name in names if name in by_name)
        pools = [pool for _, pool in named]
    offers = (offer_of(pod, pool, objects) for pool in pools)
    return tuple(offer for offer in offers if offer.agrees)


def refusal(case: Case, objects: Objects) -> Refusal:
    """Why no NodePool agrees with a pod."""
    return objects.once(("refusal", case.terms), lambda: _refusal(case.pod, objects))


def _refusal(pod: Pod, objects: Objects) -> Refusal:
    offers = [offer_of(pod, pool, objects) for pool in _all_pools(objects)]
    missing = [offer.missing for offer in offers if offer.missing]
    against = Counter(offer.against for offer in offers)
    on_gpu_pools = frozenset(offer.missing or offer.against for offer in offers if offer.pool.for_gpus)
    names = tuple(offer.pool.name for offer in offers)
    return Refusal(missing[0] if missing else "", against.most_common(1)[0][0], on_gpu_pools, names)


def is_pinned(pod: Pod, objects: Objects) -> bool:
    """Whether every alternative of the pod requires a label that only Karpenter nodes have."""
    domains = objects.catalog.must("placement", "aks")["restricted"]
    restricted = [
        label.term for label in required_labels(pod) if label.is_positive and label.key.partition("/")[0] in domains
    ]
    terms = {label.term for label in required_labels(pod) if label.term is not None}
    return None in restricted or (bool(terms) and terms <= set(restricted))  # None: the nodeSelector, for all terms


def remaining(offers: Iterable[Offer], keep: Callable[[Offer, Sku], bool]) -> tuple[Offer, ...]:
    """The offers with only the sizes that `keep` accepts. Offers without any are removed."""
    left = []
    for offer in offers:
        skus = tuple(sku for sku in offer.skus if keep(offer, sku))
        if skus:
            left.append(offer._replace(skus=skus))
    return tuple(left)


def with_resource(case: Case, objects: Objects) -> tuple[Offer, ...]:
    """The offers that agree, with the sizes that advertise their GPUs as the resource that the pod requests."""
    names = frozenset(gpu_devices(case.pod, objects))
    compute = partial(remaining, case.agreeing, lambda _, sku: names <= {sku.resource})
    return objects.once(("with resource", case.terms, names), compute)


def large_enough(case: Case, objects: Objects) -> tuple[Offer, ...]:
    """The offers of `with_resource` that are large enough for one pod."""
    requests = case.pod.requests()
    compute = partial(remaining, with_resource(case, objects), lambda _, sku: not insufficient(sku, requests))
    return objects.once(("large_enough", case.terms, frozenset(requests.items())), compute)


def within_limits(case: Case, objects: Objects) -> tuple[Offer, ...]:
    """The offers of `large_enough` that are within the limits of the NodePool."""
    requests = frozenset(case.pod.requests().items())
    compute = partial(remaining, large_enough(case, objects), lambda offer, sku: not limiting_resource(offer.pool, sku))
    return objects.once(("within_limits", case.terms, requests), compute)


def once_for_pools(case: Case, objects: Objects, make: Callable[[Sequence[NodePool]], Computed]) -> Computed:
    """The result of `make` for the NodePools of `within_limits`, computed once for all pods with the same ones."""
    key = (make, case.terms, frozenset(case.pod.requests().items()))
    return objects.once(key, lambda: make([offer.pool for offer in within_limits(case, objects)]))


def _all_pools(objects: Objects) -> tuple[NodePool, ...]:
    """Every NodePool for AKS, or none if one cannot be read, is patched, or has a fixed number of nodes."""
    pools = every_node_pool(objects)
    named = sum(1 for identity in objects.present if (identity.group, identity.kind) == NODE_POOL)
    if objects.patched_names(*NODE_POOL) or named > len(pools):
        return ()
    for pool in pools:
        is_fixed = reach(pool.item.body, "spec", "replicas") is not None
        if is_fixed or any(entry.meaning is None for entry in pool.entries):
            return ()
    return node_pools(objects)


def _selects_gpus(term: Requirements, pools: set[str], objects: Objects) -> bool:
    pool = term.get(NODEPOOL_LABEL)
    pooled = pool is not None and pool.operator == "In" and pool.values <= pools
    return pooled or wants_gpus(term) or names_gpus(term, objects.catalog)
