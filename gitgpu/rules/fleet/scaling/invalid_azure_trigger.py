"""A fraction as the target or activation of a trigger that counts messages."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import signals


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Triggers on queues whose target or activation is a fraction."""
    # `wholes` are the keys that KEDA reads as whole numbers, by type of trigger.
    for workload, _, signal in signals(inputs):
        facts = inputs.catalog.must("triggers", "keda")
        source = facts["sources"].get(signal.metric, {})
        for key, value in (("target", signal.target), ("activation", signal.activation)):
            if value is not None and value % 1 and source.get(key) in facts["wholes"].get(source.get("type"), ()):
                message = f"{signal.metric} counts messages, but {value:g} is not a whole number"
                yield Finding(workload.origin, (*signal.place, key), message, f"set {key}: {round(value) or 1}")


RULE = Rule(
    code="SCL062",
    name="invalid-azure-trigger",
    twin="KED060",
    severity=Severity.ERROR,
    summary="A trigger on a queue has a target or an activation with a fraction.",
    help="KEDA reads both as whole numbers and rejects the trigger when they are not.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/azure_queue_scaler.go",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/azure_servicebus_scaler.go",
    ),
    facts=("triggers/keda",),
    check=_check,
)
