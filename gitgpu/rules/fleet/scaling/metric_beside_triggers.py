"""A metric, query or activation next to triggers, which replace them."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import is_written
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import scaled_workloads

SCALING = ("spec", "scaling")
SHORT = ("metric", "query", "metricType", "activation")  # the short form, for a single signal


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads with a key of the short form next to their triggers."""
    for workload, scaling, _ in scaled_workloads(inputs):
        if scaling.signals[0].place == SCALING:  # the short form: there are no triggers
            continue
        for key in SHORT:
            if is_written(workload.origin, (*SCALING, key)):
                message = f"{key} has no effect together with triggers"
                yield Finding(workload.origin, (*SCALING, key), message, f"remove {key}, or move it into a trigger")


RULE = Rule(
    code="SCL060",
    name="metric-beside-triggers",
    severity=Severity.ERROR,
    summary="scaling has triggers and also metric, query, metricType or activation.",
    help="The short form is for one signal. With triggers, each trigger has its own metric, target and activation.",
    sources=(
        "https://github.com/kedacore/keda-docs/blob/a55c5d345e2cbd9923ab4936f1cabc2a17e9abac/content/docs/2.20/reference/scaledobject-spec.md",
    ),
    check=_check,
)
