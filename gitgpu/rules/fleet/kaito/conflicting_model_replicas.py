"""A model with min above max, or with both replicas and scaling."""

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
    """Both conflicts of each model that scales."""
    del row
    scaling = placed.model.settings.get("scaling")
    if scaling and scaling["min"] > scaling["max"]:
        message = f"min: {scaling['min']} is greater than max: {scaling['max']}"
        yield placed.place("scaling", "min"), message, f"set min: {scaling['max']} or less, or raise max"
    if scaling and "replicas" in placed.model.settings:
        yield placed.place("replicas"), "replicas has no effect with scaling", "remove replicas, or remove scaling"


RULE = Rule(
    code="KTO017",
    name="conflicting-model-replicas",
    twin="KAI013",
    severity=Severity.ERROR,
    summary="The minimum replicas of a model are more than its maximum, or it has both scaling and replicas.",
    help="keda-kaito-scaler does not create a ScaledObject when min is greater than max, and reports that in an event "
    "only. A scaler and replicas cannot both set the number of replicas.",
    sources=(
        "https://github.com/kaito-project/keda-kaito-scaler/blob/3ce909d4c4250ff30fb4850d0c238e74fd42998d/pkg/controllers/autoprovision/auto_provision_controller.go",
    ),
    check=_check,
)
