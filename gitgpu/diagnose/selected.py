"""The part of a diagnosis that is about one pod or one node."""

from gitgpu.diagnose.diagnosis import Diagnosis, Group
from gitgpu.model.names.kinds import NODE, NODE_CLAIM, POD


def about_pod(diagnosis: Diagnosis, namespace: str, name: str) -> tuple[Diagnosis, bool]:
    """What holds back a pod, and whether the dump has the pod."""
    groups = []
    for group in diagnosis.groups:
        answers = [answer for answer in group.answers if answer.subject == (POD.kind, namespace, name)]
        if answers:
            groups.append(Group(group.cause, tuple(answers)))
    return diagnosis._replace(groups=tuple(groups)), (POD.kind, namespace, name) in diagnosis.known


def about_node(diagnosis: Diagnosis, name: str) -> tuple[Diagnosis, bool]:
    """What is wrong with a node or NodeClaim, what Karpenter does with it, and whether the dump has it."""
    groups = [group for group in diagnosis.groups if name in group.nodes]
    causes = {group.cause for group in groups}
    for group in diagnosis.details:
        answers = tuple(answer for answer in group.answers if name in answer.nodes)
        if answers and group.cause not in causes:
            groups.append(Group(group.cause, answers))
    known = any((kind, "", name) in diagnosis.known for kind in (NODE.kind, NODE_CLAIM.kind))
    return diagnosis._replace(groups=tuple(groups)), known
