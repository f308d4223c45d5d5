"""A trigger whose TriggerAuthentication does not exist."""

from collections.abc import Iterator, Sequence

from gitgpu.diagnostic import Severity
from gitgpu.model.names.groups import KEDA_GROUP
from gitgpu.model.names.kinds import CLUSTER_TRIGGER_AUTHENTICATION, TRIGGER_AUTHENTICATION
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Identity, Objects
from gitgpu.objects.workload.autoscalers import triggers
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for trigger in triggers(objects):
        reference = trigger.body.get("authenticationRef") or {}
        kind, name = reference.get("kind") or TRIGGER_AUTHENTICATION.kind, reference.get("name") or ""
        if not name or is_template(name) or not objects.knows(KEDA_GROUP, kind):
            continue
        namespace = trigger.item.identity.namespace if kind == TRIGGER_AUTHENTICATION.kind else ""
        namesakes = objects.identities(KEDA_GROUP, kind, name)
        if not any(_is_found(other, namespace) for other in namesakes):
            message = f"{kind} '{name}' does not exist"
            if namespace:
                message += f" in namespace {namespace}"
            place = (*trigger.pointer, "authenticationRef", "name")
            yield Finding(trigger.item, place, message + _elsewhere(name, kind, namesakes, objects), _remedy(namesakes))


def _is_found(namesake: Identity, namespace: str) -> bool:
    """Whether the object is in this namespace, if both are known. A cluster-scoped one is for all namespaces."""
    return (
        namesake.kind == CLUSTER_TRIGGER_AUTHENTICATION.kind
        or "" in (namespace, namesake.namespace)
        or namesake.namespace == namespace
    )


def _elsewhere(name: str, kind: str, namesakes: Sequence[Identity], objects: Objects) -> str:
    if namesakes:
        return f"; an object with that name is in namespace {namesakes[0].namespace}"
    other = CLUSTER_TRIGGER_AUTHENTICATION.kind if kind == TRIGGER_AUTHENTICATION.kind else TRIGGER_AUTHENTICATION.kind
    others = objects.identities(KEDA_GROUP, other, name)
    return f"; to use the {other} with that name, set kind: {other}" if others else ""


def _remedy(namesakes: Sequence[Identity]) -> str:
    if namesakes:
        return "move it to the namespace of the ScaledObject, or use a ClusterTriggerAuthentication"
    return "add it, or correct the name and kind of the reference"


RULE = Rule(
    code="KED012",
    name="missing-trigger-authentication",
    severity=Severity.ERROR,
    never_ready=True,
    summary="A trigger refers to an authentication that is not among the objects, or is in another namespace.",
    help="KEDA looks for a TriggerAuthentication in the namespace of the ScaledObject only. Without it, KEDA does "
    "not build the trigger, and the workload is not scaled.",
    sources=(
        "https://keda.sh/docs/2.18/concepts/authentication/",
        "https://learn.microsoft.com/azure/aks/keda-workload-identity",
    ),
    check=_check,
)
