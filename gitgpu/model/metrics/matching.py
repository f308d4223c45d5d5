"""Operations in queries whose two sides never have the same labels."""

from collections.abc import Iterator

from gitgpu.model.metrics.promql import AGGREGATIONS, PER_SERIES, SETS, Part

_LABEL = "gpu"  # all series of a GPU have it, and no series of the others
_OF_GPUS = ("DCGM_FI_DEV_", "DCGM_FI_PROF_")
_OTHER_DEVICES = ("NVSWITCH", "_CPU_", "_CONNECTX_")  # DCGM fields of these devices
_OTHERS = ("kube_", "node_", "container_", "vllm:", "up")
_SCALARS = ("scalar", "time", "pi")


def unmatched_operators(query: Part | None) -> Iterator[str]:
    """The operators of a query that return nothing: one side has the label gpu, and the other side never has it.

    Without on() or ignoring(), Prometheus combines only series with equal labels.
    """
    for part in query.walk() if query else ():
        if part.kind != "operation" or part.matched or len(part.parts) != 2 or part.name in ("or", "unless"):
            continue
        left, right = part.parts
        if _is_scalar(left) or _is_scalar(right):
            continue
        sides = {_has_label(left), _has_label(right)}
        if sides == {True, False}:
            yield part.name


def _is_scalar(part: Part) -> bool:
    if part.kind == "operation":
        return all(map(_is_scalar, part.parts))
    return part.kind in ("number", "text") or (part.kind == "call" and part.name in _SCALARS)


def _has_label(part: Part) -> bool | None:
    """Whether all series of a part have the label gpu (True), none has it (False), or that is unknown (None)."""
    if part.kind == "series":
        return _metric_has_label(part.selector.metric)
    if part.kind == "aggregation":
        return _aggregation_has_label(part)
    return _call_has_label(part) if part.kind == "call" else _operation_has_label(part)


def _aggregation_has_label(part: Part) -> bool | None:
    if part.name not in AGGREGATIONS:
        return None
    is_dropped = (_LABEL in part.by) == part.without
    return False if is_dropped else _has_label(part.parts[-1])


def _call_has_label(part: Part) -> bool | None:
    if part.name == "vector":
        return False
    return _has_label(part.parts[0]) if part.name in PER_SERIES and part.parts else None


def _operation_has_label(part: Part) -> bool | None:
    if part.matched or part.name in SETS:
        return None
    vectors = [operand for operand in part.parts if not _is_scalar(operand)]
    return _has_label(vectors[0]) if vectors else None


def _metric_has_label(metric: str) -> bool | None:
    if metric.startswith(_OF_GPUS):
        return None if any(device in metric for device in _OTHER_DEVICES) else True
    return False if metric.startswith(_OTHERS[:-1]) or metric == _OTHERS[-1] else None
