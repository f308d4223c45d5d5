"""A trigger that asks KEDA's own pod for metrics."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.autoscalers import triggers
from gitgpu.diagnostic import Severity
from gitgpu.model.templates import is_template

_LOOPBACK = {"localhost", "0.0.0.0", "::1"}  # noqa: S104  what others write, no address that is bound
_REMEDY = "write the address of the server's Service: its name, its namespace, svc and the port (redis.cache.svc:6379)"


def _check(objects: Objects) -> Iterator[Finding]:
    keys = objects.catalog.must("triggers", "keda")["servers"]
    for one in triggers(objects):
        written = one.metadata.get(keys.get(one.type, "")) or ""
        host = "" if is_template(written) else _host(written)
        if host in _LOOPBACK or host.startswith("127."):
            message = f"{host} is KEDA's own pod, and nothing there answers"
            yield Finding(one.item, one.place(keys[one.type]), message, _REMEDY)


def _host(written: str) -> str:
    try:
        return urlsplit(written if "://" in written else f"//{written}").hostname or ""
    except ValueError:
        return ""


RULE = Rule(
    code="KED032",
    name="server-on-loopback",
    severity=Severity.WARNING,
    summary="A trigger asks a server at localhost, which is the pod of KEDA itself.",
    help="KEDA's operator asks for metrics, not the workload that is scaled, and not a machine that forwards a port. "
    "Only a proxy that runs in the operator's pod could answer there.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
        "https://github.com/kedacore/keda/issues/1856",
    ),
    check=_check,
    bad="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  triggers:
  - type: prometheus
    metadata: {serverAddress: "http://localhost:9090", query: "sum(vllm:num_requests_waiting)", threshold: "5"}
""",
    good="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  triggers:
  - type: prometheus
    metadata:
      serverAddress: http://prometheus-server.monitoring.svc:80
      query: sum(vllm:num_requests_waiting)
      threshold: "5"
""",
)
