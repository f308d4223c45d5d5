"""The result of a diagnosis: what waits or fails, why, how that is known, and what to do."""

from typing import NamedTuple

from gitgpu.objects.objects import Item
from gitgpu.source import Pointer

# The verdicts on a Pending pod.
FITS_NOW, WAITING_FOR_NODE, STUCK_NODE = "fits-now", "waiting-for-node", "stuck-node"
CLOUD_REFUSED, NO_POOL, LIMIT, NODE_CLASS = "cloud-refused", "no-pool", "limit", "node-class-not-ready"
QUOTA, QUEUED, SUSPENDED, UNKNOWN = "quota", "queued", "suspended", "unknown"
# What else is wrong: pods that have a node and do not start, nodes, and scalers.
NOT_STARTED, NODE_NOT_READY, WITHOUT_GPUS, NODE_FAULT = "not-started", "node-not-ready", "without-gpus", "node-fault"
NOT_DRAINED, NOT_SCALED, REJECTED = "not-drained", "not-scaled", "rejected"
# What Karpenter does with nodes that work.
NOT_CONSOLIDATED, NOT_REPLACED, EXPIRES = "not-consolidated", "not-replaced", "expires"
_NAMES = frozenset({"Azure", "Kubernetes", "Karpenter", "Kueue"})
# What waits as it should: no action is needed.
NORMAL = frozenset({FITS_NOW, WAITING_FOR_NODE, QUEUED, SUSPENDED})


def clause(sentence: str) -> str:
    """A sentence as the end of another one: without its full stop, and in lower case unless it starts with a name."""
    is_name = sentence[1:2].isupper() or sentence.split(" ", maxsplit=1)[0] in _NAMES
    return (sentence if is_name else sentence[:1].lower() + sentence[1:]).rstrip(".")


class Subject(NamedTuple):
    """An object that waits or fails."""

    kind: str
    namespace: str
    name: str

    @property
    def title(self) -> str:
        """Its namespace and name."""
        return f"{self.namespace}/{self.name}" if self.namespace else self.name

    @property
    def full_name(self) -> str:
        """Its kind, namespace and name, as evidence names it."""
        return f"{self.kind} {self.title}"


def subject_of(item: Item) -> Subject:
    """An object as a subject."""
    return Subject(item.identity.kind, item.identity.namespace, item.identity.name)


class Evidence(NamedTuple):
    """What an object of the dump says: `object` is its kind and name."""

    object: str
    text: str


class Cause(NamedTuple):
    """Why something waits or fails. What has the same cause is reported together.

    `message` is a sentence without the subject; `commands` can be run, `rules` are codes. `normal` says that
    no action is needed: it goes on by itself, or is intended. `field` of the NodePool `pool` is in the way, if one is.
    """

    verdict: str
    message: str
    remedy: str
    commands: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    normal: bool = False
    pool: str = ""
    field: Pointer = ()


class Answer(NamedTuple):
    """The verdict on one subject.

    `nodes` are the nodes or NodeClaims that it is about; `minutes` is how long it has waited, None if unknown.
    """

    subject: Subject
    cause: Cause
    evidence: tuple[Evidence, ...] = ()
    nodes: tuple[str, ...] = ()
    minutes: int | None = None
