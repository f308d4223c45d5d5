"""Sentences about a diagnosis that all its formats have."""

from gitgpu.diagnose.cause import Subject
from gitgpu.diagnose.diagnosis import Diagnosis, Group
from gitgpu.model.names.kinds import POD
from gitgpu.spelling import count_text, join_names

SHOWN = 6  # lines of evidence of one cause


def headline(group: Group) -> str:
    """What waits or fails, for how long, and on which nodes: `2 pods, for 21 minutes, node aks-a`."""
    parts = [_subjects(group.subjects)]
    if group.minutes is not None:
        length = count_text(group.minutes, "minute")
        parts.append(f"up to {length}" if len(group.subjects) > 1 else length)
    other_nodes = [node for node in group.nodes if node not in {subject.name for subject in group.subjects}]
    if other_nodes:
        parts.append(f"{'node' if len(other_nodes) == 1 else 'nodes'} {join_names(other_nodes)}")
    return ", ".join(parts)


def _subjects(subjects: tuple[Subject, ...]) -> str:
    """The subjects by kind: `2 pods (ml/a and ml/b) and 1 Node (aks-a)`."""
    by_kind: dict[str, list[str]] = {}
    for subject in subjects:
        by_kind.setdefault(subject.kind, []).append(subject.title)
    parts = []
    for kind, titles in by_kind.items():
        noun = "pod" if kind == POD.kind else kind
        parts.append(f"{count_text(len(titles), noun)} ({join_names(titles)})")
    return " and ".join(parts)


def summary(diagnosis: Diagnosis) -> str:
    """`Summary: 17 Pending pods, 4 nodes - 2 causes that need action, 1 that does not`."""
    wrong = len(diagnosis.wrong)
    normal = len(diagnosis.groups) - wrong
    state = f"{count_text(diagnosis.pending, 'Pending pod')}, {count_text(diagnosis.nodes, 'node')}"
    waits = f", {normal} that {'does' if normal == 1 else 'do'} not" if normal else ""
    verb = "needs" if wrong == 1 else "need"
    return f"Summary: {state} - {count_text(wrong, 'cause')} that {verb} action{waits}"
