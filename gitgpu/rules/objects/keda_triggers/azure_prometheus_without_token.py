"""A trigger that queries Azure managed Prometheus without authentication."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.metrics.servers import of_azure
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import triggers
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for trigger in triggers(objects):
        # Other modes, such as bearer, can send a token too.
        authenticated = reach(trigger.body, "authenticationRef", "name") or trigger.metadata.get("authModes")
        address = trigger.metadata.get("serverAddress")
        if trigger.type == "prometheus" and not authenticated and of_azure(address, objects.catalog):
            message = "Azure managed Prometheus requires a token, and this trigger sends none"
            remedy = "add authenticationRef to a TriggerAuthentication with podIdentity.provider: azure-workload"
            yield Finding(trigger.item, trigger.place("serverAddress"), message, remedy)


RULE = Rule(
    code="KED036",
    name="azure-prometheus-without-token",
    twin="SCL024",
    severity=Severity.ERROR,
    summary="A trigger queries Azure managed Prometheus without an authenticationRef.",
    help="The query endpoint of an Azure Monitor workspace returns 401 without a Microsoft Entra ID token. KEDA gets "
    "a token only for a trigger whose authentication has the pod identity azure-workload.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/azure/azure_managed_prometheus_http_round_tripper.go",
        "https://github.com/kedacore/keda/issues/5203",
        "https://github.com/kedacore/keda/issues/5628",
        "https://learn.microsoft.com/azure/azure-monitor/containers/integrate-keda",
    ),
    check=_check,
)
