"""A query for a metric of a model server or exporter with the wrong separator."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.metrics.metric_names import intended, known_names
from gitgpu.objects.monitoring.monitors import chart_monitors, endpoints
from gitgpu.objects.monitoring.queries import queries, recorded
from gitgpu.objects.objects import Objects, listed, mapping
from gitgpu.rules.object_rule import Finding, Rule

BAD = """
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  minReplicaCount: 1
  triggers:
  - type: prometheus
    metadata:
      serverAddress: http://prometheus.monitoring:9090
      query: sum(vllm_num_requests_waiting{namespace="serving"})
      threshold: "5"
"""
RENAMED = """\
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata: {name: chat, namespace: serving}
spec:
  selector: {matchLabels: {app: chat}}
  podMetricsEndpoints:
  - port: metrics
    metricRelabelings: [{sourceLabels: [__name__], regex: "vllm:(.+)", targetLabel: __name__, replacement: vllm_$1}]
"""
RECORDED = """\
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata: {name: chat, namespace: serving}
spec:
  groups:
  - name: chat
    rules: [{record: vllm_num_requests_waiting, expr: "sum by (namespace) (vllm:num_requests_waiting)"}]
"""


def _check(objects: Objects) -> Iterator[Finding]:
    known = objects.once_per_run("metric names", lambda: known_names(objects.catalog))
    own = recorded(objects)
    for query in queries(objects):
        for name in dict.fromkeys(selector.metric for selector in query.selectors):
            meant = intended(name, known) if name not in own else ""
            if meant and not _renames_metrics(objects):
                message = f"'{name}' is not the name of the metric, which is '{meant}'"
                remedy = f"use {meant}, unless something outside these files renames the metric"
                yield Finding(query.item, query.pointer, message, remedy)


def _renames_metrics(objects: Objects) -> bool:
    """Whether a monitor changes names of metrics."""
    monitors = [endpoint.body for endpoint in endpoints(objects)]
    monitors += (settings for _, _, settings in chart_monitors(objects))
    for settings in monitors:
        for relabeling in listed(settings.get("metricRelabelings")):
            if mapping(relabeling).get("targetLabel") == "__name__":
                return True
    return False


RULE = Rule(
    code="MON091",
    name="misspelt-metric",
    twin="SCL072",
    severity=Severity.WARNING,
    summary="A query uses the name of a vLLM, SGLang, TGI, Triton, Ray or DCGM metric with another separator or case.",
    help="vLLM and SGLang write a colon after their name (vllm:num_requests_waiting), the others underscores only. A "
    "query for a name that does not exist returns no data, which KEDA reads as 0. OpenTelemetry collectors and "
    "relabelings can rename metrics.",
    sources=(
        "https://github.com/vllm-project/vllm/blob/005a810bc40faa25b8870fbc8559c3462581eee3/vllm/v1/metrics/loggers.py",
        "https://github.com/sgl-project/sglang/blob/40ef116f011cf1599811af1089ddf00971092bcf/docs/references/production_metrics.md",
        "https://github.com/huggingface/text-generation-inference/blob/53fdbe617d4f3cc358842ad96914393ad6b6e4ca/docs/source/reference/metrics.md",
        "https://github.com/triton-inference-server/server/blob/dcc9123c8d7ebfc3061bb50309aa8dc3f8e78754/docs/user_guide/metrics.md",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("vllm_num", "vllm:num"),
    variants=(
        BAD.replace("vllm_num_requests_waiting", "tgi:queue_size"),
        BAD.replace("sum(vllm_num_requests_waiting", "sum(sglang_num_queue_reqs"),
        BAD.replace("sum(vllm_num_requests_waiting", "sum(dcgm_fi_dev_gpu_util"),
        BAD.replace("vllm_num_requests_waiting{", "ray_serve:deployment_queued_queries{"),
        BAD.replace('sum(vllm_num_requests_waiting{namespace="serving"})', "sum(rate(vllm_prompt_tokens_total[5m]))"),
    ),
    near_misses=(
        # A name of someone else's metric.
        BAD.replace("vllm_num_requests_waiting", "vllm_router_requests_waiting"),
        BAD.replace("vllm_num_requests_waiting", "ray_vllm_num_requests_waiting"),
        f"{BAD}---\n{RENAMED}",
        f"{BAD}---\n{RECORDED}",
    ),
)
