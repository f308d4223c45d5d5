"""The result of a simulation: where each workload would run, what it would cost, and what prevents it."""

from typing import NamedTuple

from gitgpu.source import Span

HOURS = 730  # of a month, as Azure's price pages count
SCHEDULABLE, UNSCHEDULABLE = "schedulable", "unschedulable"


class Reason(NamedTuple):
    """Why a pool gives a workload no node. `at` is what blocks it, `change` the line to change.

    `kind` is class, taint, label, size, resource, offering, minValues, limit, claim, apart, spread, pools or refused;
    `stage` says how far the pod came: the higher, the nearer to a node.
    """

    pool: str
    kind: str
    message: str
    help: str
    at: Span
    change: Span
    stage: int = 0


class Doubt(NamedTuple):
    """What cannot be known from files. If it `decides`, the answer could be the opposite."""

    kind: str
    message: str
    decides: bool = True


class Share(NamedTuple):
    """How many pods of a workload are on a node, and how many slots of GPUs they have; `workload` is its number."""

    workload: int
    pods: int
    slots: int


class Node(NamedTuple):
    """A node that would be there.

    It has `gpus`, and pods use `used` of them. `slots` is what pods can ask for: the same, or more where GPUs are
    shared or cut into parts. `price` is what an hour costs, None where that is unknown; `most` is what it cannot exceed
    (None: not known either). If it `exists`, it costs nothing more.
    """

    pool: str
    sku: str
    spot: bool
    zones: tuple[str, ...]
    gpus: int
    used: int
    slots: int
    price: float | None
    most: float | None
    shares: tuple[Share, ...]
    exists: bool = False


class Price(NamedTuple):
    """What something costs an hour, and what it cannot exceed; None is unknown."""

    exact: float | None
    most: float | None


class Level(NamedTuple):
    """A workload at one number of replicas: how many of them get a node, and on how many nodes.

    It uses `gpus`; `stranded` are GPUs of its nodes that no pod uses. `price` is its part of what the nodes
    cost an hour, `most` what that cannot exceed.
    """

    replicas: int
    placed: int
    nodes: int
    gpus: int
    stranded: int
    price: float | None
    most: float | None


class Verdict(NamedTuple):
    """The answer for one workload on one cluster; `low` and `high` are its fewest and its most replicas.

    `number` identifies it in nodes; None if the API server would reject it.
    `pools`, `skus` and `zones` are those of its nodes at maximum replicas. `together` is how many nodes Karpenter may
    start when all replicas come at once, where that is more than they need in the end.
    """

    kind: str
    namespace: str
    name: str
    place: Span
    high: Level
    low: Level
    pools: tuple[str, ...]
    skus: tuple[str, ...]
    zones: tuple[str, ...]
    spot: bool
    reasons: tuple[Reason, ...]
    doubts: tuple[Doubt, ...]
    together: int | None = None
    number: int | None = None

    @property
    def verdict(self) -> str:
        """Do all replicas get a node?"""
        return SCHEDULABLE if self.high.placed == self.high.replicas else UNSCHEDULABLE

    @property
    def certain(self) -> bool:
        """Does the answer hold whatever the unknown facts are?"""
        return not any(doubt.decides for doubt in self.doubts)

    @property
    def title(self) -> str:
        """Its namespace and name."""
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


class Forecast(NamedTuple):
    """One cluster: the verdicts in order of name, its nodes at the fewest and at maximum replicas.

    `passed` counts workloads that ask for no GPU and were passed over; `notes` hold for the cluster as a whole.
    `running` are the nodes with GPUs and the pods that are there already, which no other number counts.
    """

    cluster: str
    region: str
    verdicts: tuple[Verdict, ...]
    low: tuple[Node, ...]
    high: tuple[Node, ...]
    passed: int
    notes: tuple[str, ...] = ()
    running: tuple[int, int] = (0, 0)


def total(prices: list[float | None]) -> float | None:
    """The sum, None when a part of it is not known."""
    known = [price for price in prices if price is not None]
    # The prices of the catalog have at most four decimals, and a sum of floats can have more.
    return round(sum(known), 4) if len(known) == len(prices) else None
