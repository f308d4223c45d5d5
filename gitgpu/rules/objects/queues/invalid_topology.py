"""A Topology whose levels the API server refuses."""

from collections.abc import Iterator

from gitgpu.access import rows, text_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import TOPOLOGY
from gitgpu.model.names.labels import HOSTNAME_LABEL
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_LEVELS = ("spec", "levels")


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*TOPOLOGY):
        labels = [text_at(level, "nodeLabel") for level in rows(item.body, *_LEVELS)]
        for index, label in enumerate(labels):
            place = (*_LEVELS, index, "nodeLabel")
            if label in labels[:index]:
                yield Finding(item, place, f"two levels have the label {label}", "remove one of them")
            elif label == HOSTNAME_LABEL and index < len(labels) - 1:
                message = f"{label} must be the lowest level: no level can be inside a node"
                yield Finding(item, place, message, "move it to the end, or remove the levels after it")


RULE = Rule(
    code="QUE041",
    name="invalid-topology",
    severity=Severity.ERROR,
    rejects=True,
    summary="Two levels of a Topology have the same label, or the hostname is not the lowest level.",
    help="The API server rejects it: CEL rules of the definition limit the levels, from the widest to the narrowest.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/config/components/crd/bases/kueue.x-k8s.io_topologies.yaml",
    ),
    check=_check,
)
