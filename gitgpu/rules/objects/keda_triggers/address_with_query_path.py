"""A prometheus trigger whose address ends in the path that KEDA appends."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.metrics.endpoints import base_of
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import triggers
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for trigger in triggers(objects):
        address = trigger.metadata.get("serverAddress")
        if trigger.type == "prometheus" and isinstance(address, str) and not is_template(address):
            base = base_of(address)
            if base != address:
                message = f"KEDA appends /api/v1/query to the address and calls {address.rstrip('/')}/api/v1/query"
                yield Finding(trigger.item, trigger.place("serverAddress"), message, f"use {base}")


RULE = Rule(
    code="KED039",
    name="address-with-query-path",
    twin="MET007",
    severity=Severity.ERROR,
    summary="The serverAddress of a prometheus trigger ends in /api/v1/query, which KEDA appends itself.",
    help="Prometheus returns 404 for the repeated path, KEDA reports an error for the trigger, and nothing scales.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
        "https://keda.sh/docs/2.18/scalers/prometheus/",
    ),
    check=_check,
)
