"""A nodeProvisioner that keeps KAITO from starting."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.kaito_models import decides, installs, newest
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import nearest


def _check(objects: Objects) -> Iterator[Finding]:
    provisioners = newest(objects)["provisioners"]["known"]
    for release in installs(objects):
        node_provisioner = release.value("nodeProvisioner")
        if (
            node_provisioner is not None  # the default of the chart is valid
            and node_provisioner not in provisioners
            and not is_template(str(node_provisioner))
            and decides(release, objects)
        ):
            closest = nearest(str(node_provisioner), provisioners)
            remedy = f"use {closest}" if closest else f"use one of {', '.join(provisioners)}"
            yield Finding(*release.locate("nodeProvisioner"), f"unknown nodeProvisioner '{node_provisioner}'", remedy)


RULE = Rule(
    code="KAI094",
    name="unknown-kaito-node-provisioner",
    severity=Severity.ERROR,
    summary="The values of the KAITO chart set an unknown nodeProvisioner.",
    help="KAITO reads it at startup and exits with an error.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/cmd/workspace/main.go",
    ),
    facts=("kaito/*",),
    check=_check,
)
