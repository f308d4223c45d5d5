"""An instanceType that does not fit the way KAITO gets its nodes."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import INFERENCE_SET, WORKSPACE
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.kaito_models import installs, is_off, models, newest, provisioner
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    installed = installs(objects)
    # Of several releases, any may serve the object.
    if len(installed) != 1 or not installed[0].whole:
        return
    how = provisioner(installed[0], objects)
    is_byo = how == "byo"
    # KAI094 reports an unknown provisioner, KAI093 the gate next to one that creates nodes.
    makes = not is_byo and how in newest(objects)["provisioners"]["known"] and not is_off(installed[0])
    for model in models(objects, WORKSPACE.kind, INFERENCE_SET.kind):
        size = model.resource.get("instanceType")
        if is_byo and size:
            message = f"instanceType is {size}, but KAITO does not create nodes here"
            remedy = "remove instanceType: KAITO finds nodes by labelSelector"
            yield Finding(model.item, (*model.resource_at, "instanceType"), message, remedy)
        if makes and not size and not model.resource.get("partition"):  # a partition is on nodes that exist
            message = "instanceType is missing, but KAITO needs it to create nodes"
            yield Finding(model.item, model.resource_at, message, "add instanceType with the Azure size of the nodes")


RULE = Rule(
    code="KAI017",
    name="instance-type-does-not-fit-provisioner",
    severity=Severity.ERROR,
    rejects=True,
    summary="A KAITO workload has an instanceType although KAITO creates no nodes, or has none although KAITO creates "
    "them.",
    help="With nodeProvisioner: byo, and before 0.11 with the feature gate disableNodeAutoProvisioning, KAITO's "
    "admission webhook rejects an instanceType. Otherwise it rejects a workload without one.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/workspace_validation.go",
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/cmd/workspace/main.go",
    ),
    facts=("kaito/*",),
    check=_check,
)
