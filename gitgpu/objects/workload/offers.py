"""Whether a NodePool can start a node for a pod, by its labels: the possible sizes, or the label that prevents it."""

from decimal import Decimal
from typing import NamedTuple

from gitgpu.model.names.labels import NODEPOOL_LABEL
from gitgpu.model.size.node_labels import NAMES, labels
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.quantity import quantity
from gitgpu.model.syntax.requirement import Requirements, clash, intersect, requirement, undefined_key
from gitgpu.objects.node.candidate_sizes import candidates, values
from gitgpu.objects.node.node_pools import NodePool
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import Pod
from gitgpu.schedule.capacity import capacity


class Offer(NamedTuple):
    """A NodePool for a pod. `skus` are the GPU sizes that fit the label requirements of both.

    `missing` is a label that the pod requires and the pool does not define; `against` is a label for which their
    requirements conflict; both are "" if the labels match. `open` means that sizes which the catalog lacks may fit, so
    that nothing can be reported.
    """

    pool: NodePool
    skus: tuple[Sku, ...]
    missing: str = ""
    against: str = ""
    open: bool = False

    @property
    def agrees(self) -> bool:
        """Whether the labels match."""
        return not self.missing and not self.against


def offer_of(pod: Pod, pool: NodePool, objects: Objects) -> Offer:
    """The offer of a NodePool for a pod, based on labels only."""
    well_known = frozenset(objects.catalog.must("placement", "aks")["wellKnown"])
    node = {**pool.together, NODEPOOL_LABEL: requirement(NODEPOOL_LABEL, "In", [pool.name])}
    offers = [_try(term, node, pool, objects, well_known) for term in pod.terms()]
    ranked = sorted(offers, key=lambda offer: (not offer.agrees, not offer.missing))
    agreeing_offers = [offer for offer in offers if offer.agrees]
    skus: dict[str, Sku] = {}
    for offer in agreeing_offers:
        skus.update((sku.name, sku) for sku in offer.skus)
    return ranked[0]._replace(skus=tuple(skus.values()), open=any(offer.open for offer in agreeing_offers))


def _try(term: Requirements, node: Requirements, pool: NodePool, objects: Objects, known: frozenset[str]) -> Offer:
    against = clash(node, term)
    if against:
        return Offer(pool, (), against=against)
    missing = undefined_key(node, term, known)
    if missing:
        return Offer(pool, (), missing=missing)
    possible = candidates(pool, objects)
    both = intersect([*node.values(), *term.values()])
    skus = tuple(sku for sku in possible if not clash(labels(sku), both))
    if skus or _is_open(pool, possible, objects):
        return Offer(pool, skus, open=_is_open(pool, possible, objects))
    for key in sorted(term):
        if all(clash(labels(sku), {key: term[key]}) for sku in possible):
            return Offer(pool, (), against=key)
    return Offer(pool, (), against=min(term, default="*"))


def _is_open(pool: NodePool, possible: tuple[Sku, ...], objects: Objects) -> bool:
    """Whether the pool can use a GPU size that the catalog lacks, or no size at all, which other rules report."""
    unknown = {name for _, name in values(pool, NAMES) if objects.catalog.sku(name) is None}
    if unknown:
        letters = {name.removeprefix("Standard_")[:1] for name in unknown}
        if any(sku.family in letters for sku in objects.catalog.skus):
            return True
    return pool.for_gpus and not possible


def pool_names(pod: Pod) -> set[str] | None:
    """The NodePools that a pod names; None if it may run on others."""
    names: set[str] = set()
    for term in pod.terms():
        required = term.get(NODEPOOL_LABEL)
        if required is None or required.operator != "In":
            return None
        names |= required.values
    return names or None


def limiting_resource(pool: NodePool, sku: Sku) -> str:
    """The resource with a limit that is smaller than one node of the size; "" if there is none."""
    has = capacity(sku)
    for name, limit in pool.limits.items():
        need, maximum = has.get(name), _amount(limit)
        if need is not None and maximum is not None and need > maximum:
            return name
    return ""


def _amount(limit: str | int) -> Decimal | None:
    try:
        return quantity(limit)
    except ValueError:
        return None
