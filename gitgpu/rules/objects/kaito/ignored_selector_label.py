"""A label in a selector that KAITO ignores."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import RAG_ENGINE
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.kaito_models import models, newest
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for model in models(objects):
        labels = model.selector.get("matchLabels") or {}
        reserved = set(newest(objects)["reservedLabels"]) if labels else set()
        # The webhook has no such check for a RAGEngine.
        if model.kind != RAG_ENGINE.kind and set(labels) <= reserved:
            continue  # rejected: KAI005 reports it
        for key in labels:
            if key in reserved:
                message = f"KAITO ignores the label '{key}' in a selector, because it sets this label itself"
                place = (*model.selector_at, "matchLabels", key)
                yield Finding(model.item, place, message, "remove it, and select by your own label", at_key=True)


RULE = Rule(
    code="KAI006",
    name="ignored-selector-label",
    severity=Severity.WARNING,
    summary="A KAITO workload selects nodes by a label that KAITO reserves.",
    help="KAITO drops its reserved labels from the selector and only logs it. Otherwise one Workspace could use the "
    "nodes of another.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/labels.go",
    ),
    facts=("kaito/*",),
    check=_check,
)
