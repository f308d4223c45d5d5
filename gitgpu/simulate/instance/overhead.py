"""What DaemonSets request on every node before other pods do. Karpenter subtracts it for each size."""

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from gitgpu.model.names.labels import INITIALIZED_LABEL, REGISTERED_LABEL
from gitgpu.model.syntax.requirement import Requirements, clash, requirement, undefined_key
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.node_constraints import tolerations_of
from gitgpu.objects.workload.pods import Pod
from gitgpu.schedule.taint import untolerated_taints
from gitgpu.simulate.instance.instance_types import Amounts
from gitgpu.simulate.pod.admitted_pods import admitted_pods
from gitgpu.simulate.pod.host_ports import HostPort, host_ports

# Every node has them once daemons may run, so upstream adds them before it compares (nodeclaimtemplate.go).
_REGISTERED = (REGISTERED_LABEL, INITIALIZED_LABEL)
_ASSUMED = {key: requirement(key, "In", ["true"]) for key in _REGISTERED}


class Daemon(NamedTuple):
    """The pods of a DaemonSet.

    `terms` are alternatives: a node whose labels agree with one of them runs such a pod. `takes` is what the pod
    requests, `ports` are the host ports that it uses.
    """

    name: str
    terms: tuple[Requirements, ...]
    takes: Mapping[str, Decimal]
    ports: frozenset[HostPort] = frozenset()

    def runs(self, labels: Requirements) -> bool:
        """Whether the DaemonSet has a pod on a node with these labels."""
        return any(not clash(labels, term) for term in self.terms)


def daemons(objects: Objects, extra: Mapping[str, Decimal]) -> tuple[tuple[Pod | None, Daemon], ...]:
    """Every DaemonSet among the objects, and one that stands for the overhead given on the command line."""
    listed = [(pod, _daemon(pod)) for pod in admitted_pods(objects) if pod.is_daemon]
    other = [(None, Daemon("others", ({},), extra))] if extra else []
    return (*listed, *other)


def daemons_on(
    all_daemons: tuple[tuple[Pod | None, Daemon], ...],
    node: Requirements,
    taints: tuple[Mapping[str, object], ...],
    well_known: frozenset[str],
    objects: Objects,
) -> tuple[Daemon, ...]:
    """The DaemonSets that run on nodes of a group, as far as its labels and taints are known."""
    template = {**node, **_ASSUMED}
    reached = []
    for pod, daemon in all_daemons:
        agreeing_terms = tuple(term for term in daemon.terms if _agrees(template, term, well_known))
        is_kept_off = pod is not None and untolerated_taints(taints, tolerations_of(pod, objects))
        if agreeing_terms and not is_kept_off:
            reached.append(daemon._replace(terms=agreeing_terms))
    return tuple(reached)


def without_daemons(has: Amounts, reached: tuple[Daemon, ...], labels: Requirements) -> Amounts:
    """What the DaemonSets leave of a node with these labels for other pods."""
    left = dict(has)
    for daemon in reached:
        if daemon.runs(labels):
            for name, amount in daemon.takes.items():
                before = left.get(name, Decimal(0))
                # Unknown stays unknown. What a node lacks goes below zero, so that the node is too small.
                left[name] = None if before is None else before - amount
    return left


def ports_of_daemons(reached: tuple[Daemon, ...], labels: Requirements) -> frozenset[HostPort]:
    """The host ports that the DaemonSets use on a node with these labels."""
    running = (daemon.ports for daemon in reached if daemon.ports and daemon.runs(labels))
    return frozenset[HostPort]().union(*running)


def _daemon(pod: Pod) -> Daemon:
    takes = {name: amount for name, amount in pod.requests().items() if amount}
    return Daemon(pod.item.identity.name, tuple(pod.terms()), {**takes, "pods": Decimal(1)}, host_ports(pod))


def _agrees(node: Requirements, term: Requirements, well_known: frozenset[str]) -> bool:
    return not clash(node, term) and not undefined_key(node, term, well_known)
