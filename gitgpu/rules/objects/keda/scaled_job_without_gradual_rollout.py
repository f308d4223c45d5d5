"""A ScaledJob whose running Jobs are deleted on each edit."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import SCALED_JOB
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        item, devices = pod.item, [name for _, name, _ in pod.devices()]
        # rolloutStrategy is the deprecated name of the field.
        strategy = reach(item.body, "spec", "rollout", "strategy") or reach(item.body, "spec", "rolloutStrategy")
        if item.identity.kind == SCALED_JOB.kind and devices and strategy != "gradual":
            message = f"any change of spec deletes its running Jobs, which use {devices[0]}"
            yield Finding(item, ("spec",), message, "set rollout: {strategy: gradual}")


RULE = Rule(
    code="KED061",
    name="scaled-job-without-gradual-rollout",
    severity=Severity.WARNING,
    summary="A ScaledJob with GPU pods has no gradual rollout.",
    help="By default KEDA deletes the running Jobs of a ScaledJob when its spec changes; changes to labels and "
    "annotations do not matter. With strategy gradual, running Jobs finish, and only new Jobs use the new spec.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/controllers/keda/scaledjob_controller.go",
    ),
    check=_check,
)
