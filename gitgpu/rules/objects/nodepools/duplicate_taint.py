"""Two taints of one NodePool with the same key and effect."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import NODE_POOL
from gitgpu.objects.node.node_pools import SPEC
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*NODE_POOL):
        seen: set[tuple[str, str]] = set()
        taints = list(_taints(item))
        if len(taints) <= 1:
            continue
        for place, taint in taints:
            key, effect = taint.get("key", ""), taint.get("effect", "")
            if (key, effect) in seen:
                message = f"duplicate taint {key} with effect {effect}"
                yield Finding(
                    item, place, message, "keep one of them: key and effect identify a taint, its value does not"
                )
            seen.add((key, effect))


def _taints(item: Item) -> Iterator[tuple[Pointer, Mapping[str, Any]]]:
    node = reach(item.body, *SPEC) or {}
    for field in ("taints", "startupTaints"):  # Karpenter validates both lists as one
        for index, taint in enumerate(node.get(field) or ()):
            yield (*SPEC, field, index), taint


RULE = Rule(
    code="CNF009",
    name="duplicate-taint",
    twin="SCH002",
    severity=Severity.ERROR,
    never_ready=True,
    summary="A NodePool has two taints with the same key and effect, counting taints and startupTaints together.",
    help="The API server accepts the NodePool. Karpenter's own validation does not, and it never becomes Ready.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/nodeclaim_validation.go",
    ),
    check=_check,
)
