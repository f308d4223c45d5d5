"""What a real API server and Karpenter accept and reject, compared with what the simulator takes into account."""

import json
from collections.abc import Iterator

from gitgpu.load.schemas import Schemas
from gitgpu.load.text import Text
from gitgpu.objects.manifest.manifests import read_manifests
from gitgpu.objects.objects import Given
from gitgpu.rules.norms import norms
from gitgpu.simulate.admission import admit, rejection_norms
from tests.simulate.refusals.cases import RECORDED, cases
from tests.simulate.worlds import Body, catalog

# Rejections that no rule reports yet, by the API server's message.
OPEN = (
    "3Mi is not positive integer multiple of hugepages-2Mi",
    "HugePages require cpu or memory",
    "spec.containers: Required value",
    "spec.containers[0].image: Invalid value",
    "spec.containers[0].env[0].valueFrom: Invalid value",
    "spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value",
    "spec.containers[0].lifecycle.preStop: Required value",
    "spec.containers[0].securityContext: Invalid value",
    "spec.containers[0].securityContext.runAsUser: Invalid value",
    "spec.volumes[0].emptyDir.sizeLimit: Forbidden",
    "spec.activeDeadlineSeconds: Invalid value: 0",
    "spec.dnsConfig: Required value",
    "spec.nodeName: Invalid value",
    "spec.securityContext.supplementalGroups[0]: Invalid value",
    "spec.template.spec.activeDeadlineSeconds: Forbidden",
    "spec.selector.matchExpressions[0].operator: Invalid value",
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "101%"',
    "spec.timeZone: Invalid value",
)
# Both are accepted, but no node ever joins: NodeClaims with such an annotation are rejected; the kubelet fails.
BAD_ANNOTATION: Body = {"annotations": {"a b": "c"}}
BAD_KUBELET: Body = {"kubelet": {"imageGCHighThresholdPercent": 60}}


def recorded() -> Iterator[Body]:
    """Each object, and why it is rejected; "" if it is accepted."""
    with RECORDED.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines)


def is_open(reason: str) -> bool:
    """Whether the object is rejected for a reason that no rule reports yet."""
    return any(words in reason for words in OPEN)


def test_the_verdicts_are_those_of_the_cases() -> None:
    records = list(recorded())
    assert [record["object"] for record in records] == json.loads(json.dumps(list(cases())))
    assert sum(1 for record in records if record["refused"]) > len(records) / 2
    assert all(any(words in record["refused"] for record in records) for words in OPEN)


def test_rejected_objects_are_ignored_and_accepted_ones_are_not() -> None:
    known = rejection_norms(norms(Schemas(), catalog()))
    holes, alarms = [], []
    for record in recorded():
        (sheet,) = read_manifests([Text("all.yaml", json.dumps(record["object"]), "all.yaml")]).files.values()
        (loaded,) = sheet.objects
        item, _ = admit(Given(loaded.body, loaded.places), "1.36", known)
        if record["refused"] and item.sound:
            holes.append(record["refused"])
        elif not record["refused"] and not item.sound:
            spec = record["object"]["spec"]
            alarms.append(spec["template"]["metadata"] if "template" in spec else spec)
    assert alarms == [BAD_ANNOTATION, BAD_KUBELET]
    assert [reason for reason in holes if not is_open(reason)] == []
    assert all(any(words in reason for reason in holes) for words in OPEN)
