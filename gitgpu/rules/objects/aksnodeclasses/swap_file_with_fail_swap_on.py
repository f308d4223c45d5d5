"""A swap file on nodes whose kubelet rejects to start with swap."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.objects.node.node_classes import node_classes
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for item, spec in node_classes(objects):
        kubelet = spec.get("kubelet") or {}
        if reach(spec, "linuxOSConfig", "swapFileSize") is None or kubelet.get("failSwapOn") is False:
            continue
        message = "swapFileSize is set without kubelet.failSwapOn: false, so the kubelet refuses to start"
        add = Repair(Change.ADD, ("spec", "kubelet"), "false", "failSwapOn")
        # A repair adds a key to a mapping that exists.
        repair = add if kubelet and "failSwapOn" not in kubelet else None
        place = ("spec", "linuxOSConfig", "swapFileSize")
        yield Finding(item, place, message, "set kubelet: {failSwapOn: false}", repair=repair)


RULE = Rule(
    code="ANC002",
    name="swap-file-with-fail-swap-on",
    severity=Severity.ERROR,
    rejects=True,
    summary="An AKSNodeClass sets swapFileSize without kubelet.failSwapOn: false.",
    help="A kubelet does not start on a node with swap unless failSwapOn is false. The API server rejects one setting "
    "without the other.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/v1.14.2/pkg/apis/crds/karpenter.azure.com_aksnodeclasses.yaml",
        "https://learn.microsoft.com/azure/aks/custom-node-configuration",
    ),
    check=_check,
    fixable=True,
)
