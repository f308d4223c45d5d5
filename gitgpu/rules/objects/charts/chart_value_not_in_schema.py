"""A value that the schema of the chart rejects."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.charts._unread_values import breaches


def _check(objects: Objects) -> Iterator[Finding]:
    return breaches(objects, refused=True)


RULE = Rule(
    code="STK034",
    name="chart-value-not-in-schema",
    severity=Severity.ERROR,
    summary="A release sets a value that the schema of its chart version rejects.",
    help="The chart has a values.schema.json that does not allow other keys here. Helm validates the values before "
    "it renders the chart, and the release fails.",
    sources=(
        "https://github.com/cert-manager/cert-manager/blob/2d0d7f7f74241a9cbf79f0e2a7bb247238ee09fd/deploy/charts/cert-manager/values.schema.json",
        "https://helm.sh/docs/topics/charts/#schema-files",
    ),
    facts=("values",),
    check=_check,
)
