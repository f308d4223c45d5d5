"""A taint of an AKS node pool that AKS rejects."""

from collections.abc import Iterator, Sequence

from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.model.spec.taint import parse_taint
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.syntax import is_label_value, is_qualified_name
from gitgpu.rules.object_rule import Finding, Rule

_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")  # those of Kubernetes


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in agent_pools(objects):
        seen: set[tuple[str, str]] = set()
        taints: Sequence[str] = pool.spec.get("nodeTaints") or ()
        for index, text in enumerate(taints):
            place = pool.place("nodeTaints", index)
            fault = _fault(text)
            if fault:
                right = _with_valid_effect(text)
                again = _identity(right) in map(_identity, taints)  # right only in case, next to another spelling
                repair = Repair(Change.VALUE, place, right) if right and not again else None
                remedy = f"use {right}" if right else "use key=value:effect, such as sku=gpu:NoSchedule"
                remedy = "remove it: the taint is already in the list" if right and again else remedy
                yield Finding(pool.item, place, fault, remedy, repair=repair)
            taint = _identity(text)
            if not fault and taint in seen:
                message = f"duplicate taint {taint[0]} with effect {taint[1]}"
                yield Finding(
                    pool.item, place, message, "keep one of them: key and effect identify a taint, its value does not"
                )
            seen.add(taint)


def _identity(text: str) -> tuple[str, str]:
    """The key and the effect of a taint."""
    taint = parse_taint(text)
    return taint.key, taint.effect


def _fault(text: str) -> str:
    taint = parse_taint(text)
    if not taint.effect:
        return f"the taint '{text}' is missing an effect"
    if taint.effect not in _EFFECTS:
        return f"'{taint.effect}' is not a taint effect"
    if not is_qualified_name(taint.key) or not is_label_value(taint.value):
        return f"'{text.removesuffix(f':{taint.effect}')}' is not a valid taint key and value"
    return ""


def _with_valid_effect(text: str) -> str:
    """The taint with its effect in the right case; empty if that does not make it valid."""
    effect = parse_taint(text).effect
    for valid in _EFFECTS:
        right = f"{text.removesuffix(effect)}{valid}"
        if valid.lower() == effect.lower() and not _fault(right):
            return right
    return ""


RULE = Rule(
    code="APL007",
    name="invalid-node-pool-taint",
    severity=Severity.ERROR,
    summary="A taint of an AKS node pool is not of the form key=value:effect, or is a duplicate.",
    help="In an AKS node pool a taint is one string. AKS rejects one that it cannot read.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-node-taints.md",
        "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/",
    ),
    check=_check,
    fixable=True,
)
