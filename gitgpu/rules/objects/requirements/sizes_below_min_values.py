"""A minValues that is higher than the number of values that the sizes have."""

from collections.abc import Iterator, Sequence

from gitgpu.diagnostic import Severity
from gitgpu.model.size.node_labels import labels
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.requirement import OLD_NAMES
from gitgpu.objects.node.candidate_sizes import candidates, is_decided
from gitgpu.objects.node.node_pools import Entry, node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        with_minimum = [entry for entry in pool.entries if _minimum(entry)]
        sizes = candidates(pool, objects) if with_minimum and is_decided(pool, objects) else ()
        if not sizes:
            continue
        for entry in with_minimum:
            minimum = _minimum(entry)
            available = _distinct(OLD_NAMES.get(entry.key, entry.key), sizes)
            if available and len(available) < minimum:
                message = f"minValues is {minimum}, but the sizes have only {join_names(available)} for {entry.key}"
                remedy = f"lower minValues to {len(available)} or less, or allow more sizes"
                yield Finding(pool.item, (*entry.pointer, "minValues"), message, remedy)


def _minimum(entry: Entry) -> int:
    """The minValues of a requirement; 0 without one."""
    return (entry.meaning.minimum or 0) if entry.meaning else 0


def _distinct(key: str, sizes: Sequence[Sku]) -> list[str]:
    """The values of a label over all sizes; empty if it is unknown for one of them."""
    values: set[str] = set()
    for sku in sizes:
        label = labels(sku).get(key)
        if label is None:
            return []
        values |= label.values
    return sorted(values)


RULE = Rule(
    code="NPS013",
    name="sizes-below-min-values",
    severity=Severity.ERROR,
    summary="The minValues of a NodePool requirement is higher than the number of values that its sizes have.",
    help="Karpenter must be able to choose from at least minValues values of a label. It counts them over the sizes "
    "that meet all requirements, and starts no node when there are fewer.",
    sources=(
        "https://karpenter.sh/docs/concepts/nodepools/#min-values",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/operator/options/options.go",
    ),
    check=_check,
)
