"""Feature gates of the DRA driver that are mutually exclusive."""

from collections.abc import Iterator

from gitgpu.access import mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.objects.gitops.chart_values import DRA, chart_row
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for release in releases(objects):
        facts = chart_row(release, objects)
        if facts.get("name") != DRA:
            continue
        gates = {key: str(value).lower() for key, value in mapping_at(release.value("featureGates")).items()}
        for gate, other_gate in facts["gates"]["exclusive"]:
            if gates.get(gate) == gates.get(other_gate) == "true":
                message = f"feature gates {gate} and {other_gate} are mutually exclusive"
                yield Finding(*release.locate("featureGates", other_gate), message, "turn one of them off")
        for gate, other_gate in facts["gates"]["needs"]:
            if gates.get(gate) == "true" and gates.get(other_gate) == "false":
                message = f"feature gate {gate} needs {other_gate}, which is off"
                remedy = f"turn {other_gate} on, or turn {gate} off"
                yield Finding(*release.locate("featureGates", other_gate), message, remedy)


RULE = Rule(
    code="STK022",
    name="conflicting-dra-feature-gates",
    severity=Severity.ERROR,
    summary="A release of the NVIDIA DRA driver turns on feature gates that are mutually exclusive.",
    help="The driver checks its feature gates at startup and exits with an error, so its pods never become ready and "
    "no device is published.",
    sources=(
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/pkg/featuregates/featuregates.go",
    ),
    check=_check,
)
