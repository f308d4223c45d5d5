"""A KEDA pod identity that KEDA rejects."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.groups import KEDA_GROUP
from gitgpu.model.names.kinds import CLUSTER_TRIGGER_AUTHENTICATION, TRIGGER_AUTHENTICATION
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.autoscalers import triggers
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_PLACE: Pointer = ("spec", "podIdentity")
_KINDS = (TRIGGER_AUTHENTICATION.kind, CLUSTER_TRIGGER_AUTHENTICATION.kind)


def _check(objects: Objects) -> Iterator[Finding]:
    for kind in _KINDS:
        for item in objects.of(KEDA_GROUP, kind):
            identity = reach(item.body, *_PLACE) or {}
            if identity.get("provider") == "azure-workload":
                yield from _azure_faults(item, identity)
    yield from _combined(objects)


def _azure_faults(item: Item, identity: dict[str, str]) -> Iterator[Finding]:
    host, tenant = identity.get("identityAuthorityHost"), identity.get("identityTenantId")
    if identity.get("identityId") == "":
        remedy = "set it to the client ID of the managed identity, or remove identityId"
        yield Finding(item, (*_PLACE, "identityId"), "identityId is empty", remedy)
    if host and not tenant:
        remedy = "add identityTenantId, or remove identityAuthorityHost"
        yield Finding(item, (*_PLACE, "identityAuthorityHost"), "identityAuthorityHost needs identityTenantId", remedy)
    elif tenant == "":
        remedy = "set it to the ID of the tenant, or remove identityTenantId"
        yield Finding(item, (*_PLACE, "identityTenantId"), "identityTenantId is empty", remedy)


def _combined(objects: Objects) -> Iterator[Finding]:
    for trigger in triggers(objects):
        reference = trigger.body.get("authenticationRef") or {}
        if trigger.type != "prometheus" or not trigger.metadata.get("authModes") or not reference.get("name"):
            continue
        kind = reference.get("kind") or _KINDS[0]
        # A ClusterTriggerAuthentication has no namespace, and another object may get it later.
        spaces = ("", trigger.item.identity.namespace)
        for item in objects.of(KEDA_GROUP, kind):
            named = item.identity.name == reference["name"] and item.identity.namespace in spaces
            provider = reach(item.body, *_PLACE, "provider") if named else None
            if provider and provider != "none":
                message = f"authModes cannot be combined with the pod identity of {kind} '{item.identity.name}'"
                remedy = "remove authModes, or refer to an authentication without podIdentity"
                yield Finding(trigger.item, trigger.place("authModes"), message, remedy)


RULE = Rule(
    code="KED013",
    name="invalid-pod-identity",
    severity=Severity.ERROR,
    rejects=True,
    summary="A podIdentity for azure-workload has empty or missing fields, or is combined with another authentication.",
    help="KEDA's admission webhook rejects empty IDs and an authority host without a tenant. The prometheus trigger "
    "rejects authModes together with a pod identity.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/triggerauthentication_webhook.go",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
        "https://learn.microsoft.com/azure/aks/keda-workload-identity",
    ),
    check=_check,
)
