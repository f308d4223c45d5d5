"""null in labels omits a label that gitgpu would add."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.labels import is_added
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Labels without a value that gitgpu never adds."""
    for pool in inputs.pools:
        for key in sorted(key for key in pool.objects.unwanted_labels if not is_added(key)):
            message = f"label {key} has no value, and gitgpu does not add it"
            yield Finding(*pool_place(pool, "labels", key), message, 'set a value ("" for none), or remove it')


RULE = Rule(
    code="SCH030",
    name="label-without-value",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A label of a pool has no value.",
    help="An empty value in YAML is null, and null omits a label that gitgpu would add. Every other label needs "
    "a value.",
    sources=("https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/",),
    check=_check,
)
