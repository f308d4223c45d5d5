"""One change of the software that runs on a cluster."""

from enum import StrEnum
from typing import NamedTuple

from gitgpu.source import Span


class Effect(StrEnum):
    """What happens to the software."""

    STARTS = "starts"
    STOPS = "stops"
    RESTARTS = "restarts"
    REPLACED = "is replaced"
    UPGRADES = "is upgraded"
    DOWNGRADES = "is downgraded"
    CHANGES = "changes"  # without a restart


class SoftwareChange(NamedTuple):
    """A change by the first build. `title` names an object, and `parts` what of it is affected; () for all of it.

    `pools` are those on whose nodes it runs; () if it is not bound to GPU nodes. `avoid` is the line of the Cluster
    that keeps what runs, or "". Without `certain`, something that was not read decides; `reason` says what.
    """

    cluster: str
    title: str
    effect: Effect
    reason: str
    span: Span
    parts: tuple[str, ...] = ()
    pools: tuple[str, ...] = ()
    avoid: str = ""
    certain: bool = True
