"""The address of a Prometheus with the path of its query API, which KEDA adds."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.endpoints import base_of
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Servers that end in the path that KEDA and prometheus-adapter append."""
    for cluster in inputs.clusters:
        server = cluster.stack.metrics.server or ""
        base = base_of(server)
        if base != server:
            message = f"KEDA appends /api/v1/query to the server and requests {server.rstrip('/')}/api/v1/query"
            yield Finding(cluster.origin, ("spec", "stack", "metrics", "server"), message, f"use {base}")


RULE = Rule(
    code="MET007",
    name="address-with-query-path",
    twin="KED039",
    severity=Severity.ERROR,
    summary="metrics.server ends in /api/v1/query, which KEDA and prometheus-adapter append.",
    help="Prometheus returns 404 for the repeated path, KEDA reports an error for each trigger, and nothing is "
    "scaled. For Azure managed Prometheus, the query endpoint of the Azure Monitor workspace has no path.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
    ),
    check=_check,
)
