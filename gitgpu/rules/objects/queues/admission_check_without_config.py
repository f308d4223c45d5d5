"""An AdmissionCheck for provisioning requests without their configuration."""

from collections.abc import Iterator

from gitgpu.access import mapping_at, text_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import ADMISSION_CHECK, PROVISIONING_REQUEST_CONFIG
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.queues.provisioning import CONTROLLER
from gitgpu.objects.queues.references import is_missing, remedy
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import nearest

_CONTROLLER_AT, _PARAMETERS = ("spec", "controllerName"), ("spec", "parameters")
_CONTROLLERS = (CONTROLLER, "kueue.x-k8s.io/multikueue")
_SLIP = 0.9  # the ratio of difflib from which a name is a slip of another one


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*ADMISSION_CHECK):
        controller = text_at(item.body, *_CONTROLLER_AT)
        near = nearest(controller, _CONTROLLERS, _SLIP)
        if controller == CONTROLLER:
            yield from _without_config(item, objects)
        elif near and near != controller:
            message = f"Kueue has no controller '{controller}', so the check never becomes active"
            yield Finding(item, _CONTROLLER_AT, message, f"use {near}")


def _without_config(item: Item, objects: Objects) -> Iterator[Finding]:
    parameters = mapping_at(item.body, *_PARAMETERS)
    kind, name = PROVISIONING_REQUEST_CONFIG, text_at(parameters, "name")
    expected = {"apiGroup": kind.group, "kind": kind.kind}
    if not parameters:
        message = f"the check has no parameters, so it never becomes active: {CONTROLLER} needs a {kind.kind}"
        yield Finding(item, ("spec",), message, f"set parameters to apiGroup, kind and name of a {kind.kind}")
    for key, value in expected.items():
        if parameters and text_at(parameters, key) != value:
            message = f"the {key} of the parameters is not {value}, so the check never becomes active"
            yield Finding(item, (*_PARAMETERS, key), message, f"set {key}: {value}")
            return
    if is_missing(kind, name, objects):
        message = f"{kind.kind} '{name}' does not exist, so the check never becomes active"
        yield Finding(item, (*_PARAMETERS, "name"), message, remedy(kind, name, objects))


RULE = Rule(
    code="QUE008",
    name="admission-check-without-config",
    severity=Severity.ERROR,
    never_ready=True,
    summary="An AdmissionCheck for provisioning requests has no usable configuration, or its controller is misspelt.",
    help="The controller kueue.x-k8s.io/provisioning-request reads a ProvisioningRequestConfig. Without it, the "
    "check has the reason BadParametersRef and stays inactive, and so do all ClusterQueues with this check.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/pkg/controller/admissionchecks/provisioning/admissioncheck_reconciler.go",
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/pkg/cache/scheduler/clusterqueue.go",
    ),
    check=_check,
)
