"""The label of Azure workload identity where the webhook does not read it."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import WORKLOAD_IDENTITY_LABEL
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule

_YES = "true"


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        above = reach(pod.item.body, "metadata", "labels") or {}
        template = pod.pointer[:-1]
        label = pod.labels.get(WORKLOAD_IDENTITY_LABEL)
        if label is None and above.get(WORKLOAD_IDENTITY_LABEL) == _YES:
            message = f"the {pod.item.identity.kind} has this label but its pods do not, so they get no token"
            remedy = f"add the label to the pod template: {'/'.join(map(str, template))}/metadata/labels"
            yield Finding(pod.item, ("metadata", "labels", WORKLOAD_IDENTITY_LABEL), message, remedy, at_key=True)
        # Any other value turns the token off on purpose.
        elif label is not None and label != _YES and label.lower() in ("yes", "on", "1", "true", "enabled"):
            place = (*template, "metadata", "labels", WORKLOAD_IDENTITY_LABEL)
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
