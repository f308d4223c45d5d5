"""A trigger that reads an Azure service without an identity."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import scaled_workloads
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads that scale on an Azure service and set no identity; one finding for each."""
    for workload, scaling, _ in scaled_workloads(inputs):
        metrics = dict.fromkeys(signal.metric for signal in scaling.signals if signal.in_azure)
        if metrics and scaling.identity is None:
            message = f"KEDA needs an identity to read {join_names(metrics)}"
            rows = inputs.catalog.must("triggers", "keda")["sources"]
            roles = join_names(dict.fromkeys(rows[source]["role"] for source in metrics))
            remedy = f"set scaling.identity, the client ID of a managed identity with the role {roles}"
            yield Finding(workload.origin, ("spec", "scaling"), message, remedy)


RULE = Rule(
    code="SCL061",
    name="trigger-without-credentials",
    twin="KED063",
    severity=Severity.ERROR,
    summary="A workload scales on an Azure queue, topic or metric, without an identity that may read it.",
    help="gitgpu configures KEDA to read queues, topics and metrics with workload identity only: a connection string "
    "would be a secret in Git.",
    sources=(
        "https://learn.microsoft.com/azure/aks/keda-workload-identity",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/azure_servicebus_scaler.go",
    ),
    facts=("triggers/keda",),
    check=_check,
)
