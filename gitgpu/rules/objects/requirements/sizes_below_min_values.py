"""A minValues that is higher than the number of values that the sizes have."""

from collections.abc import Iterator, Sequence

from gitgpu.diagnostic import Problem, Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.size.node_labels import labels
from gitgpu.model.sku import Sku
from gitgpu.model.software.run_by_aks import run_by_aks
from gitgpu.model.syntax.requirement import OLD_NAMES
from gitgpu.model.syntax.version import version
from gitgpu.objects.node.candidate_sizes import candidates, is_decided
from gitgpu.objects.node.node_pools import Entry, NodePool, node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import join_names

_ALLOWED_ONLY = "min-values-of-allowed-values"  # a row of features


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        minimum_entries = [entry for entry in pool.entries if _minimum(entry)]
        sizes = candidates(pool, objects) if minimum_entries and is_decided(pool, objects) else ()
        if not sizes:
            continue
        for entry in minimum_entries:
            if shortage := _shortage(entry, pool, sizes, objects):
                problem, row = shortage
                yield Finding(pool.item, (*entry.pointer, "minValues"), *problem, row=row)


def _shortage(
    entry: Entry, pool: NodePool, sizes: Sequence[Sku], objects: Objects
) -> tuple[Problem, Facts | None] | None:
    """Why there are too few values for the minValues of a requirement, and the row of the catalog that says so.

    None if there are enough, or if it is unknown. Values of sizes rest on many rows.
    """
    minimum, key = _minimum(entry), OLD_NAMES.get(entry.key, entry.key)
    if values := _distinct(key, sizes):
        message = f"minValues is {minimum}, but the sizes have only {join_names(values)} for {entry.key}"
        remedy = f"lower minValues to {len(values)} or less, or allow more sizes"
        return (Problem(message, remedy), None) if len(values) < minimum else None
    possible = _offering_values(key, objects)
    if possible and len(possible) < minimum:
        message = f"minValues is {minimum}, but {entry.key} has only the values {join_names(possible)}"
        return Problem(message, f"lower minValues to {len(possible)} or less"), objects.catalog.must(
            "labels", "karpenter"
        )
    allowed_values = [value for value in possible if pool.together[key].takes(value)]
    if allowed_values and len(allowed_values) < minimum and _counts_allowed(objects):
        message = (
            f"minValues is {minimum}, but the requirements allow only {join_names(allowed_values)} for {entry.key}"
        )
        remedy = f"lower minValues to {len(allowed_values)} or less, or allow more values of the label"
        return Problem(message, remedy), objects.catalog.must("features", _ALLOWED_ONLY)
    return None


def _offering_values(key: str, objects: Objects) -> list[str]:
    """The values of a label that every size has by how it is sold, such as spot and on-demand."""
    facts = objects.catalog.must("labels", "karpenter")
    scope = facts["zones"]["scope"]
    if key == scope["key"]:
        return [scope["regional"], scope["zonal"]]
    return sorted({offering[key] for offering in facts["offerings"] if key in offering})


def _counts_allowed(objects: Objects) -> bool:
    """Whether all Karpenter releases that may run count only values that the requirements allow."""
    running = objects.versions("karpenter")
    if not running and (aks := run_by_aks(objects.catalog, "karpenter", objects.today)):
        running = aks.releases
    since = version(objects.catalog.must("features", _ALLOWED_ONLY)["since"])
    return bool(running) and all(version(release) >= since for release in running)


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
    "that meet all requirements, and does not start a node when there are fewer. Karpenter 1.14.3 and later count "
    "only values that the requirements allow. This matters for labels of offerings, such as the capacity type.",
    sources=(
        "https://karpenter.sh/docs/concepts/nodepools/#min-values",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/operator/options/options.go",
        "https://github.com/kubernetes-sigs/karpenter/blob/v1.14.3/pkg/cloudprovider/types.go",
    ),
    check=_check,
)
