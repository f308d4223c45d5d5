"""A trigger that connects to KEDA's own pod."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import triggers
from gitgpu.rules.object_rule import Finding, Rule

_LOOPBACK = {"localhost", "0.0.0.0", "::1"}  # noqa: S104  addresses in manifests, gitgpu does not bind them
_REMEDY = "use the address of the server's Service, with namespace and port, such as redis.cache.svc:6379"


def _check(objects: Objects) -> Iterator[Finding]:
    keys = objects.catalog.must("triggers", "keda")["servers"]
    for trigger in triggers(objects):
        if trigger.type not in keys:
            continue
        address = trigger.metadata.get(keys[trigger.type]) or ""
        host = "" if is_template(address) else _hostname(address)
        if host in _LOOPBACK or host.startswith("127."):
            message = f"{host} is the pod of KEDA itself, where no such server runs"
            yield Finding(trigger.item, trigger.place(keys[trigger.type]), message, _REMEDY)


def _hostname(address: str) -> str:
    try:
        return urlsplit(address if "://" in address else f"//{address}").hostname or ""
    except ValueError:
        return ""


RULE = Rule(
    code="KED032",
    name="trigger-server-on-localhost",
    severity=Severity.WARNING,
    summary="A trigger connects to a server on localhost, which is the pod of KEDA itself.",
    help="It is the KEDA operator that connects to this address, not the scaled workload or your own machine. Only "
    "a proxy in the operator's pod could answer there.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
        "https://github.com/kedacore/keda/issues/1856",
    ),
    facts=("triggers/keda",),
    check=_check,
)
