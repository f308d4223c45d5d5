"""The label of Azure workload identity where the webhook does not read it."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects, reach
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule

_USE = "azure.workload.identity/use"
_YES = "true"


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        above = reach(pod.item.body, "metadata", "labels") or {}
        template = pod.pointer[:-1]
        label = pod.labels.get(_USE)
        if label is None and above.get(_USE) == _YES:
            message = f"the {pod.item.identity.kind} has this label but its pods do not, so they get no token"
            remedy = f"add the label to the pod template: {'/'.join(map(str, template))}/metadata/labels"
            yield Finding(pod.item, ("metadata", "labels", _USE), message, remedy, at_key=True)
        # Any other value turns the token off on purpose.
        elif label is not None and label != _YES and label.lower() in ("yes", "on", "1", "true", "enabled"):
            place = (*template, "metadata", "labels", _USE)
            if not is_template(label):
                yield Finding(
                    pod.item, place, f"the value is '{label}', not 'true', so the pods get no token", 'use "true"'
                )


RULE = Rule(
    code="POD037",
    name="workload-identity-label-not-on-pods",
    severity=Severity.WARNING,
    summary="The label for Azure workload identity is on the workload instead of its pods, or its value is not true.",
    help='The webhook reads only the label azure.workload.identity/use: "true" of pods. Other pods start without a '
    "token and without AZURE_CLIENT_ID, and fail to sign in.",
    sources=(
        "https://github.com/Azure/azure-workload-identity/issues/1025",
        "https://github.com/Azure/azure-workload-identity/issues/1185",
        "https://github.com/MicrosoftDocs/azure-docs/issues/113216",
        "https://learn.microsoft.com/azure/aks/workload-identity-overview#pod-labels",
    ),
    check=_check,
)
