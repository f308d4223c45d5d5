"""NodeClaims: how far each has come, and what it waits for.

The conditions are those of pkg/controllers/nodeclaim/lifecycle (launch.go, registration.go, initialization.go,
liveness.go) of kubernetes-sigs/karpenter v1.14.0.
"""

from collections.abc import Mapping
from typing import NamedTuple

from gitgpu.access import list_at, reach, rows, text_at
from gitgpu.diagnose.cause import Evidence
from gitgpu.diagnose.reading.conditions import Condition, condition
from gitgpu.diagnose.reading.state import State
from gitgpu.model.names.kinds import NODE, NODE_CLAIM
from gitgpu.model.names.labels import INSTANCE_TYPE_LABEL, NODEPOOL_LABEL
from gitgpu.objects.objects import Item

LAUNCH_TIMEOUT, REGISTRATION_TIMEOUT = 5, 15  # minutes; after that, Karpenter deletes the NodeClaim (liveness.go)
_PHASES = ("Launched", "Registered", "Initialized")


class Claim(NamedTuple):
    """A NodeClaim.

    `node` is the name of its node, "" if it has none; `size` is "" before Azure has chosen one of several. `waits` is
    the condition that is not True yet, None if it is initialized. `minutes` is how long that has lasted.
    """

    item: Item
    name: str
    node: str
    pool: str
    size: str
    waits: Condition | None
    minutes: int | None
    deleted: bool

    @property
    def evidence(self) -> Evidence:
        """What the NodeClaim says about itself."""
        return Evidence(f"NodeClaim {self.name}", str(self.waits) if self.waits else "is initialized")


def claims(state: State) -> tuple[Claim, ...]:
    """Every NodeClaim of the dump."""
    by_provider = {reach(node.body, "spec", "providerID"): node.identity.name for node in state.objects.of(*NODE)}
    by_provider.pop(None, None)
    return tuple(_claim(item, by_provider, state) for item in state.objects.of(*NODE_CLAIM))


def _claim(item: Item, by_provider: Mapping[str, str], state: State) -> Claim:
    body = item.body
    found = (condition(item, name) for name in _PHASES)
    waits = next((entry for entry in found if entry and entry.status != "True"), None)
    if waits is None and not any(condition(item, name) for name in _PHASES):
        waits = Condition(
            "Launched", "Unknown", "", "it has no conditions yet", text_at(body, "metadata", "creationTimestamp")
        )
    node = by_provider.get(text_at(body, "status", "providerID"), text_at(body, "status", "nodeName"))
    return Claim(
        item=item,
        name=item.identity.name,
        node=node,
        pool=text_at(body, "metadata", "labels", NODEPOOL_LABEL),
        size=text_at(body, "metadata", "labels", INSTANCE_TYPE_LABEL) or _only_size(item),
        waits=waits,
        minutes=state.minutes_since(waits.since) if waits else None,
        deleted=bool(reach(body, "metadata", "deletionTimestamp")),
    )


def _only_size(item: Item) -> str:
    """The size that a NodeClaim allows; "" if it allows several."""
    allowed = {
        str(value)
        for row in rows(item.body, "spec", "requirements")
        if row.get("key") == INSTANCE_TYPE_LABEL and row.get("operator") == "In"
        for value in list_at(row, "values")
    }
    return allowed.pop() if len(allowed) == 1 else ""
