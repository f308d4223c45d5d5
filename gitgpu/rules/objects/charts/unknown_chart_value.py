"""A value that the chart does not use."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.charts._unread_values import breaches


def _check(objects: Objects) -> Iterator[Finding]:
    return breaches(objects, refused=False)


RULE = Rule(
    code="STK033",
    name="unknown-chart-value",
    severity=Severity.WARNING,
    summary="A release sets a value that its chart version does not use.",
    help="Helm ignores a key that no template of the chart uses: a misspelled key, a key in the wrong place, or a "
    "key of another version has no effect, and the default applies. gitgpu checks the versions of charts that the "
    "catalog lists under values. A map that the chart passes on as a whole can have any key. gitgpu does not check "
    "values with templates that use .Values. A file passed with --values has no version and is checked against all "
    "versions.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/issues/196",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/deployments/gpu-operator/values.yaml",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/deployments/helm/nvidia-device-plugin/values.yaml",
    ),
    facts=("values",),
    check=_check,
)
