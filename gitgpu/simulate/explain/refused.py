"""Objects that the API server would reject: such pools start no nodes, and such workloads get none."""

from collections.abc import Iterable, Iterator

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.model.names.kinds import (
    AKS_NODE_CLASS,
    MANAGED_CLUSTER,
    MANAGED_CLUSTERS_AGENT_POOL,
    NODE_POOL,
    SCALED_OBJECT,
)
from gitgpu.simulate.forecast import Doubt, Level, Reason, Verdict
from gitgpu.simulate.setup import Refused

# No replica of a rejected workload has a node, so that it costs nothing and is still counted.
_NONE = Level(replicas=1, placed=0, nodes=0, gpus=0, idle=0, price=0.0, maximum=0.0)
_POOLS = (NODE_POOL.kind, MANAGED_CLUSTERS_AGENT_POOL.kind, MANAGED_CLUSTER.kind)
NODE_KINDS = (*_POOLS, AKS_NODE_CLASS.kind)
SCALERS = ("HorizontalPodAutoscaler", SCALED_OBJECT.kind)


def refused_workloads(refused: Iterable[Refused]) -> Iterator[Verdict]:
    """The verdicts on rejected workloads."""
    for identity, fault, low, high in refused:
        if identity.kind not in (*NODE_KINDS, *SCALERS):
            reason = Reason("", "refused", fault.message, fault.help, fault.span, fault.span)
            yield Verdict(
                kind=identity.kind,
                namespace=identity.namespace,
                name=identity.name,
                place=fault.span,
                high=_NONE._replace(replicas=high),
                low=_NONE._replace(replicas=low),
                pools=(),
                skus=(),
                zones=(),
                spot=False,
                reasons=(reason,),
                doubts=(),
            )


def refused_pools(refused: Iterable[Refused]) -> Iterator[Reason]:
    """Why rejected pools start no nodes."""
    for identity, fault, *_ in refused:
        if identity.kind in _POOLS:
            message = fault.message if _is_unread(fault) else f"the pool is rejected: {fault.message}"
            yield Reason(identity.name, "refused", message, fault.help, fault.span, fault.span)


def unread_pools(refused: Iterable[Refused]) -> Iterator[Doubt]:
    """The doubts of every pod about pools that the API server accepts and that gitgpu cannot read."""
    for identity, fault, *_ in refused:
        if identity.kind in _POOLS and _is_unread(fault):
            yield Doubt(
                "model", f"{identity.kind} {identity.name} could run it, but its CRD is newer than what gitgpu reads"
            )


def _is_unread(fault: Diagnostic) -> bool:
    return fault.severity is Severity.INFO


def refused_classes(refused: Iterable[Refused]) -> dict[str, Diagnostic]:
    """What is wrong with each rejected node class, by name."""
    return {identity.name: fault for identity, fault, *_ in refused if identity.kind == AKS_NODE_CLASS.kind}
