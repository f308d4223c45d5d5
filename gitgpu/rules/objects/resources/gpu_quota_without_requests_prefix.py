"""A GPU quota without the prefix requests, which has no effect."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.model.names.kinds import RESOURCE_QUOTA
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    domains = {f"{gpu.manufacturer}.com" for gpu in objects.catalog.gpus}
    for item in objects.of(*RESOURCE_QUOTA):
        limits = reach(item.body, "spec", "hard") or {}
        for key in limits:
            name = key.removeprefix("limits.")
            if name.partition("/")[0] in domains and "/" in name:
                right, place = f"requests.{name}", ("spec", "hard", key)
                repair = None if right in limits else Repair(Change.KEY, place, right)  # the right key exists already
                message = f"the quota key {key} has no effect"
                yield Finding(item, place, message, f"use {right}", at_key=True, repair=repair)


RULE = Rule(
    code="NAM009",
    name="gpu-quota-without-requests-prefix",
    severity=Severity.WARNING,
    summary="A ResourceQuota names GPUs without the prefix 'requests.'.",
    help="Kubernetes counts devices only by their requests. It stores other keys and ignores them.",
    sources=(
        "https://kubernetes.io/docs/concepts/policy/resource-quotas/#quota-for-extended-resources",
        "https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/quota/v1/evaluator/core/pods.go",
    ),
    check=_check,
    fixable=True,
)
