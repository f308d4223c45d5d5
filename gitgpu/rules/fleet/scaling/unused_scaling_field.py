"""A field of scaling that its engine, its triggers or a Job does not use."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.scaling import Scaling
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import scaled_workloads
from gitgpu.source import Pointer

KEDA_ONLY = ("idle", "fallback", "identity", "polling_interval")  # a HorizontalPodAutoscaler has none of these
REPLICAS_ONLY = ("idle", "fallback", "cooldown", "behavior")  # a ScaledJob has none of these: a Job is not scaled down
_KEYS = {"polling_interval": "pollingInterval"}  # keys that are not the name of their field


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Fields of KEDA for a HorizontalPodAutoscaler, fields of replicas for Jobs, an identity that nothing uses."""
    for workload, scaling, _ in scaled_workloads(inputs):
        for signal in scaling.signals:
            if signal.ignores_null is not None and (signal.query is None or scaling.engine == "hpa"):
                message = "ignoreNullValues has no effect: it is for a query that KEDA reads"
                place = (*signal.place, "ignoreNullValues")
                yield Finding(workload.origin, place, message, "remove ignoreNullValues")
        if scaling.engine == "hpa":
            activations = [(*signal.place, "activation") for signal in scaling.signals if signal.activation is not None]
            for place in [*_written(scaling, KEDA_ONLY), *activations]:
                yield _unused(workload, place, "engine: hpa")
            continue
        if scaling.identity and not any(signal.in_azure for signal in scaling.signals):
            message = "identity has no effect: no trigger reads anything in Azure"
            remedy = "remove identity; the identity that reads Prometheus is stack.metrics.identity"
            yield Finding(workload.origin, ("spec", "scaling", "identity"), message, remedy)
        if workload.job is None:
            continue
        for place in _written(scaling, REPLICAS_ONLY):
            yield _unused(workload, place, "a Job")


def _written(scaling: Scaling, fields: tuple[str, ...]) -> list[Pointer]:
    """The places of these fields that are set, in their order."""
    written = (field for field, value in scaling._asdict().items() if field in fields and value is not None)
    return [("spec", "scaling", _KEYS.get(field, field)) for field in written]


def _unused(workload: Workload, place: Pointer, owner: str) -> Finding:
    return Finding(workload.origin, place, f"{place[-1]} has no effect with {owner}", f"remove {place[-1]}")


RULE = Rule(
    code="SCL065",
    name="unused-scaling-field",
    severity=Severity.ERROR,
    summary="A field of scaling has no effect with its engine, its triggers or a Job.",
    help="A HorizontalPodAutoscaler never scales to zero, has no fallback, polls nothing and reads nothing in Azure. "
    "A Job is not scaled down: it ends. KEDA uses identity to read queues and metrics in Azure, and for nothing else.",
    sources=(
        "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/horizontal-pod-autoscaler-v2/",
        "https://github.com/kedacore/keda-docs/blob/a55c5d345e2cbd9923ab4936f1cabc2a17e9abac/content/docs/2.20/reference/scaledjob-spec.md",
    ),
    check=_check,
)
