"""A feature gate that KAITO overwrites according to its nodeProvisioner."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.kaito_models import GATE, installs, is_off, newest, provisioner
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    provisioners = newest(objects)["provisioners"]["known"]
    for release in installs(objects):
        node_provisioner = provisioner(release, objects)
        # Values from elsewhere may set nodeProvisioner: byo.
        if release.whole and is_off(release) and node_provisioner in provisioners and node_provisioner != "byo":
            message = f"the feature gate is ignored: nodeProvisioner is {node_provisioner}, so KAITO creates nodes"
            yield Finding(*release.locate(*GATE), message, "add nodeProvisioner: byo to the values")


RULE = Rule(
    code="KAI093",
    name="node-gate-overwritten-by-provisioner",
    severity=Severity.ERROR,
    summary="Node provisioning by KAITO is turned off only by the feature gate, which nodeProvisioner overwrites.",
    help="As of 0.11, KAITO sets disableNodeAutoProvisioning itself: on for nodeProvisioner: byo, otherwise off. "
    "The default of the chart is azure-gpu-provisioner, so KAITO rejects a Workspace without an instanceType, and "
    "creates nodes for one that has it. The only effect that the gate still has in the chart is to install GPU "
    "Feature Discovery.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/cmd/workspace/main.go",
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/charts/kaito/workspace/values.yaml",
    ),
    facts=("kaito/*",),
    check=_check,
)
