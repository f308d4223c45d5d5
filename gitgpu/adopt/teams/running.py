"""The queues and quotas that run on a cluster."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from gitgpu.access import mapping_at, text_at
from gitgpu.inventory.observed import Observed
from gitgpu.model.names.groups import KUEUE_GROUP
from gitgpu.model.names.kinds import LOCAL_QUEUE, PRIORITY_CLASS, RESOURCE_QUOTA, group_kind
from gitgpu.objects.objects import identity

Key: TypeAlias = tuple[str, str, str]  # kind, namespace, name: running objects may have another API version
_KUBERNETES = (PRIORITY_CLASS, RESOURCE_QUOTA)
_MADE = ("Workload", "MultiKueueConfig", "MultiKueueCluster")  # kinds of Kueue that say nothing about quotas


class Running(NamedTuple):
    """The objects of Kueue, ResourceQuotas and PriorityClasses of a cluster, in the order of the input."""

    objects: Mapping[Key, Observed]

    def of(self, kind: str) -> Iterable[tuple[Key, Observed]]:
        """The objects of a kind."""
        return ((key, observed) for key, observed in self.objects.items() if key[0] == kind)

    def local_queues(self, queue: str) -> list[Key]:
        """The LocalQueues of a ClusterQueue."""
        return [
            key
            for key, observed in self.of(LOCAL_QUEUE.kind)
            if text_at(observed.body, "spec", "clusterQueue") == queue
        ]

    def priorities(self, kind: str, team: str, teams: Iterable[str]) -> dict[str, int]:
        """The priorities of a team by name: classes named after it, but not after another team with a longer name."""
        longer = tuple(f"{name}-" for name in teams if name.startswith(f"{team}-"))
        found: dict[str, int] = {}
        for (_, _, name), observed in self.of(kind):
            value = observed.body.get("value")
            is_of_team = name.startswith(f"{team}-") and not name.startswith(longer)
            if is_of_team and isinstance(value, int) and not observed.body.get("description"):
                found[name.removeprefix(f"{team}-")] = value
        return found


def running_queues(objects: Iterable[Observed]) -> Running:
    """The queues and quotas among the objects of a cluster; the first of each name."""
    found: dict[Key, Observed] = {}
    for observed in objects:
        group, kind = group_kind(observed.body)
        if (group == KUEUE_GROUP and kind not in _MADE) or group_kind(observed.body) in _KUBERNETES:
            found.setdefault(key_of(observed.body), observed)
    return Running(found)


def key_of(body: Mapping[str, Any]) -> Key:
    """The key of an object."""
    own = identity(body)
    return own.kind, own.namespace, own.name


def title(key: Key) -> str:
    """An object in words."""
    return "/".join(filter(None, key))


def spec_of(observed: Observed) -> Mapping[str, Any]:
    """The spec of an object; {} without one."""
    return mapping_at(observed.body, "spec")
