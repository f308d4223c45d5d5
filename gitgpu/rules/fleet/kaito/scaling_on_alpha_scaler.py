"""A model that scales on waiting requests, which is an alpha feature of KAITO."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.served_models import Fault, ServedModel, findings


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each finding once, regardless of the number of clusters."""
    return findings(inputs, _faults)


def _faults(placed: ServedModel, row: Facts) -> Iterator[Fault]:
    """Models that scale."""
    del row
    # KTO008 reports scaling on the add-on.
    if "scaling" in placed.model.settings and not placed.on_add_on:
        message = "scaling on waiting requests is alpha in KAITO: it may change in any release"
        yield placed.place("scaling"), message, "set replicas instead, or suppress this finding with a reason"


RULE = Rule(
    code="KTO012",
    name="scaling-on-alpha-scaler",
    severity=Severity.WARNING,
    summary="A model scales by keda-kaito-scaler, which KAITO labels alpha.",
    help="Annotations and behaviour have changed from release to release, and it is not supported. To use it, suppress "
    "this finding with a reason.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/website/docs/keda-autoscaler-inference.md",
    ),
    check=_check,
)
