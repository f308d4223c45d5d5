"""A dump to its diagnosis: the answers, grouped by cause, the most harmful first."""

from collections.abc import Iterable
from typing import NamedTuple

from gitgpu.diagnose.cause import NORMAL, Answer, Cause, Evidence, Subject
from gitgpu.diagnose.nodes.answers import node_answers
from gitgpu.diagnose.nodes.autoscaled import autoscaled_nodes
from gitgpu.diagnose.nodes.claims import claims
from gitgpu.diagnose.nodes.classes import class_answers, unused_classes
from gitgpu.diagnose.nodes.disruption import kept_nodes
from gitgpu.diagnose.nodes.drains import drain_answers
from gitgpu.diagnose.nodes.newer_nodes import newer_nodes
from gitgpu.diagnose.nodes.refusals import refusals
from gitgpu.diagnose.pods.cluster import Cluster
from gitgpu.diagnose.pods.crashing import crashing_pods
from gitgpu.diagnose.pods.not_created import refused_pods, suspended_workloads
from gitgpu.diagnose.pods.pending import pending_pods, pod_answers
from gitgpu.diagnose.pods.placed import placed_pods
from gitgpu.diagnose.pods.rejected import rejected_pods
from gitgpu.diagnose.reading.state import State
from gitgpu.diagnose.scaling.scalers import scaler_answers
from gitgpu.diagnostic import Diagnostic
from gitgpu.model.names.kinds import AKS_NODE_CLASS, DAEMON_SET, EVENT, NODE, NODE_CLAIM, NODE_POOL, POD
from gitgpu.simulate.setup import Setup

# The kinds that decide something, and what cannot be decided without them.
_NEEDED = (
    (NODE, "which nodes have room, and which lack GPUs"),
    (NODE_CLAIM, "which nodes are being started, and why they are not ready"),
    (NODE_POOL, "which pools could run a pod, and their limits"),
    (AKS_NODE_CLASS, "whether Karpenter can use the pools"),
    (POD, "what waits, and what uses the nodes"),
    (DAEMON_SET, "why a node has no GPUs"),
    (EVENT, "what Azure, the scheduler and the autoscalers said"),
)
_KNOWN = (POD, NODE, NODE_CLAIM)


class Group(NamedTuple):
    """Everything that has the same cause. `nodes` are the nodes or NodeClaims that it is about."""

    cause: Cause
    answers: tuple[Answer, ...]

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """What waits or fails."""
        return tuple(answer.subject for answer in self.answers)

    @property
    def nodes(self) -> tuple[str, ...]:
        """The nodes and NodeClaims that it is about."""
        return tuple(dict.fromkeys(node for answer in self.answers for node in answer.nodes))

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What the dump says about it: if several objects of a kind say the same, the first of them."""
        entries: dict[tuple[str, str], Evidence] = {}
        for answer in self.answers:
            for entry in answer.evidence:
                entries.setdefault((entry.object.partition(" ")[0], entry.text), entry)
        return tuple(entries.values())

    @property
    def minutes(self) -> int | None:
        """The longest time that one of them has waited; None if unknown."""
        return max((answer.minutes for answer in self.answers if answer.minutes is not None), default=None)


class Missing(NamedTuple):
    """A kind that the dump lacks, and what cannot be decided without it."""

    kind: str
    decides: str


class Diagnosis(NamedTuple):
    """The causes, the most harmful first; the numbers of Pending pods and of nodes; and what was not in the dump.

    `known` are the pods, nodes and NodeClaims of the dump. `details` are about nodes that work: they are part of the
    answer to a question about one node. `undecided` says that no object could be read of a kind that decides something.
    """

    groups: tuple[Group, ...]
    pending: int
    nodes: int
    missing: tuple[Missing, ...]
    unread: tuple[Diagnostic, ...]
    known: frozenset[Subject] = frozenset()
    details: tuple[Group, ...] = ()
    undecided: bool = False

    @property
    def empty(self) -> bool:
        """Whether nothing could be read."""
        return not self.known and not self.groups

    @property
    def wrong(self) -> tuple[Group, ...]:
        """The causes that have to be removed."""
        return tuple(group for group in self.groups if not group.cause.normal)


def diagnose(state: State, setup: Setup) -> Diagnosis:
    """What is wrong on a cluster."""
    found = claims(state)
    refused = refusals(found, state)
    nodes, classes = node_answers(found, refused, state, setup.region), class_answers(state)
    cluster = Cluster(
        state=state,
        region=setup.region,
        claims={claim.name: claim for claim in found},
        nodes=nodes,
        classes=classes,
        refusals=refused,
        placed=placed_pods(state.objects, setup),
    )
    kept = kept_nodes(found, state)
    answers = [
        *pod_answers(cluster),
        *nodes.values(),
        *classes.values(),
        *unused_classes(state),
        *refused_pods(state),
        *suspended_workloads(state),
        *crashing_pods(nodes, state),
        *rejected_pods(nodes, state),
        *drain_answers(found, state),
        *newer_nodes(found, state),
        *kept.idle,
        *scaler_answers(state),
    ]
    return Diagnosis(
        groups=_grouped(answers),
        pending=len(pending_pods(state)),
        nodes=sum(1 for _ in state.objects.of(*NODE)),
        missing=tuple(Missing(kind.kind, decides) for kind, decides in _NEEDED if not state.has_kind(kind.kind)),
        unread=state.unread,
        details=_grouped((*kept.every, *autoscaled_nodes(state))),
        undecided=any(kind.kind in state.lost for kind, _ in _NEEDED),
        known=frozenset(Subject(*item.identity[1:]) for kind in _KNOWN for item in state.objects.of(*kind)),
    )


def _grouped(answers: Iterable[Answer]) -> tuple[Group, ...]:
    """The answers by cause: first what is wrong, then what waits as it should, each by the number of its subjects."""
    by_cause: dict[Cause, list[Answer]] = {}
    for answer in answers:
        # A node and the pods that wait for it have different verdicts, and the same cause.
        by_cause.setdefault(answer.cause._replace(verdict=""), []).append(answer)
    groups = [Group(members[0].cause, tuple(dict.fromkeys(members))) for members in by_cause.values()]
    return tuple(sorted(groups, key=_harm))


def _harm(group: Group) -> tuple[bool, int, bool, str]:
    pods = sum(subject.kind == POD.kind for subject in group.subjects)
    return group.cause.normal, -pods, group.cause.verdict in NORMAL, group.cause.message
