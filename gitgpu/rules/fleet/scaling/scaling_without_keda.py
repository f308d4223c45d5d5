"""Scaling by KEDA on a cluster without KEDA."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import stack_with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import scaled_workloads
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads that KEDA should scale on clusters without KEDA."""
    for workload, scaling, clusters in scaled_workloads(inputs):
        without = [stack_with_place(cluster, "keda") for cluster in clusters if cluster.stack.keda == "none"]
        if scaling.engine == "keda" and without:
            message = f"the workload is scaled by KEDA, but the stack has no KEDA on {join_names(without)}"
            remedy = (
                "set stack: {keda: addon} on the Cluster or in the Fleet's defaults, or remove scaling; if you install "
                "KEDA yourself, suppress SCL004 with a reason"
            )
            yield Finding(workload.origin, ("spec", "scaling"), message, remedy)


RULE = Rule(
    code="SCL004",
    name="scaling-without-keda",
    severity=Severity.ERROR,
    summary="A workload is scaled by KEDA on a cluster without KEDA.",
    help="Without KEDA's custom resource definitions the API server does not know a ScaledObject, and the overlay "
    "does not apply.",
    sources=("https://learn.microsoft.com/azure/aks/keda-about",),
    check=_check,
)
