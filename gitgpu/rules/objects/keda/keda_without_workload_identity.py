"""KEDA without a token for the workload identity that triggers use."""

from collections.abc import Iterator
from itertools import chain

from gitgpu.access import mapping_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.groups import KEDA_GROUP
from gitgpu.model.names.kinds import CLUSTER_TRIGGER_AUTHENTICATION, TRIGGER_AUTHENTICATION
from gitgpu.model.names.labels import WORKLOAD_IDENTITY_LABEL
from gitgpu.objects.gitops.chart_values import effective_value
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule

_KINDS = (TRIGGER_AUTHENTICATION.kind, CLUSTER_TRIGGER_AUTHENTICATION.kind)
_IDENTITY = ("podIdentity", "azureWorkload")
_ACCOUNT = "azure.workload.identity/client-id"  # on a ServiceAccount: its identity


def _check(objects: Objects) -> Iterator[Finding]:
    users = list(filter(_wants_token, chain.from_iterable(objects.of(KEDA_GROUP, kind) for kind in _KINDS)))
    installs = list(releases(objects, "keda"))
    # Of several releases, any may serve the objects.
    if not users or len(installs) != 1 or not installs[0].whole or _has_own_token(installs[0]):
        return
    release = installs[0]
    named = f"{users[0].identity.kind} '{users[0].identity.name}'"
    if not _has_token(release, objects):
        message = f"KEDA gets no workload identity token, and {named} needs one"
        remedy = "set podIdentity.azureWorkload: {enabled: true, clientId: ..., tenantId: ...}"
        yield Finding(*release.locate(*_IDENTITY, "enabled"), message, remedy)
    elif not _has_client(release, objects):
        for item in users:
            if reach(item.body, "spec", "podIdentity", "identityId"):
                continue
            message = "neither this object nor the KEDA values name the identity to sign in with"
            remedy = (
                "add identityId with the client ID of the identity, or set podIdentity.azureWorkload.clientId in KEDA"
            )
            yield Finding(item, ("spec", "podIdentity", "provider"), message, remedy)


def _wants_token(item: Item) -> bool:
    return str(reach(item.body, "spec", "podIdentity", "provider")) == "azure-workload"


def _has_own_token(release: Release) -> bool:
    """Whether the values mount the token themselves, without the webhook."""
    return "AZURE_FEDERATED_TOKEN_FILE" in str(release.values)


def _has_token(release: Release, objects: Objects) -> bool:
    labelled = [effective_value(release, objects, *path) for path in (("podLabels", "keda"), ("additionalLabels",))]
    enabled = effective_value(release, objects, *_IDENTITY, "enabled")
    return bool(enabled) or any(str(reach(labels, WORKLOAD_IDENTITY_LABEL)).lower() == "true" for labels in labelled)


def _has_client(release: Release, objects: Objects) -> bool:
    accounts = [mapping_at(release.value("serviceAccount", *path)) for path in ((), ("operator",))]
    # A ServiceAccount of the user can have the annotation.
    elsewhere = any(account.get("create") is False for account in accounts) or _ACCOUNT in str(release.values)
    return elsewhere or bool(effective_value(release, objects, *_IDENTITY, "clientId"))


RULE = Rule(
    code="KED034",
    name="keda-without-workload-identity",
    severity=Severity.ERROR,
    summary="Triggers use workload identity, and the KEDA chart is installed without it.",
    help="The KEDA operator signs in to Azure with the token of its own pod. The workload identity webhook mounts "
    "the token if the pod has the label that podIdentity.azureWorkload.enabled sets. The client ID selects the "
    "identity. Without both, every trigger with azure-workload fails.",
    sources=(
        "https://github.com/kedacore/charts/blob/1444d00d90d7668cf7f53f270777d039371d90d0/keda/templates/manager/deployment.yaml",
        "https://github.com/kedacore/charts/blob/1444d00d90d7668cf7f53f270777d039371d90d0/keda/templates/manager/serviceaccount.yaml",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/azure/azure_aad_workload_identity.go",
        "https://github.com/kedacore/keda/issues/5203",
        "https://github.com/kedacore/keda/issues/5628",
    ),
    check=_check,
)
