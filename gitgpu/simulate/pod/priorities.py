"""The priority of a pod. kube-scheduler reads it, Karpenter does not."""

from typing import NamedTuple

from gitgpu.access import reach
from gitgpu.model.names.kinds import PRIORITY_CLASS
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import Pod

_SYSTEM = {"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}


class Priority(NamedTuple):
    """A priority: its value (None is unknown), the name of its class, and whether the pod may preempt others."""

    value: int | None = 0
    name: str = ""
    preempts: bool = True

    def may_precede(self, other: "Priority") -> bool:
        """Whether the priority may be higher than another one."""
        if self.value is None or other.value is None:
            return self.name != other.name
        return self.value > other.value


def priority_of(pod: Pod, objects: Objects) -> Priority:
    """The priority of a pod: its own, that of its PriorityClass, that of the default class, or 0."""
    name = str(pod.spec.get("priorityClassName") or "")
    chosen = [item.body for item in objects.of(*PRIORITY_CLASS) if _is_chosen(name, item.identity.name, item.body)]
    row = chosen[0] if chosen else {}
    known = row.get("value", _SYSTEM.get(name, None if name else 0))
    value = pod.spec.get("priority")
    policy = pod.spec.get("preemptionPolicy") or row.get("preemptionPolicy")
    return Priority(known if value is None else value, name, policy != "Never")


def _is_chosen(name: str, class_name: str, body: object) -> bool:
    return class_name == name if name else reach(body, "globalDefault") is True
