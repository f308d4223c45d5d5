"""A metric of an autoscaler that the adapter has no rule for."""

from collections.abc import Iterator

from gitgpu.conform.gitops.releases import Release, releases
from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.autoscalers import autoscalers
from gitgpu.diagnostic import Severity
from gitgpu.spelling import nearest

_TYPES = {"Pods": "pods", "Object": "object"}
BAD = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: prometheus-adapter, namespace: monitoring}
spec:
  interval: 1h
  chart: {spec: {chart: prometheus-adapter, version: 5.3.0, sourceRef: {kind: HelmRepository, name: community}}}
  values:
    prometheus: {url: "http://prometheus.monitoring"}
    rules:
      default: false
      custom:
      - seriesQuery: DCGM_FI_DEV_GPU_UTIL{namespace!="",pod!=""}
        resources: {overrides: {namespace: {resource: namespace}, pod: {resource: pod}}}
        name: {as: gpu_utilization}
        metricsQuery: avg(<<.Series>>{<<.LabelMatchers>>}) by (<<.GroupBy>>)
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: chat}
  maxReplicas: 4
  metrics: [{type: Pods, pods: {metric: {name: gpu_util}, target: {type: AverageValue, averageValue: "70"}}}]
"""


def _check(objects: Objects) -> Iterator[Finding]:
    names = [_names(one) for one in releases(objects, "prometheus-adapter")]
    served = {name for one in names if one for name in one}
    if not served or None in names:
        return
    for item in autoscalers(objects):
        for at, metric in enumerate(reach(item.body, "spec", "metrics") or ()):
            key = _TYPES.get(reach(metric, "type") or "", "")
            wanted = reach(metric, key, "metric", "name") if key else None
            if wanted and wanted not in served:
                near = nearest(wanted, served)
                message = f"prometheus-adapter serves no '{wanted}'; it serves {', '.join(sorted(served))}"
                remedy = f"write {near or 'one of these'}, or add a rule to the adapter"
                yield Finding(item, ("spec", "metrics", at, key, "metric", "name"), message, remedy)


def _names(release: Release) -> set[str] | None:
    """Under which names an adapter serves; None where that is not told here."""
    rules, given = release.value("rules"), release.value("rules", "custom")
    only_these = release.whole and isinstance(given, list) and release.value("rules", "default") is False
    if not only_these or rules.get("existing"):
        return None
    named = [one["name"] for one in given if isinstance(one, dict) and isinstance(one.get("name"), dict)]
    names = {"$" if one.get("matches") else str(one.get("as") or "$") for one in named}  # $: a part of the series' name
    return names if len(named) == len(given) and not any("$" in one for one in names) else None


RULE = Rule(
    code="KED030",
    name="metric-nobody-serves",
    severity=Severity.ERROR,
    summary="A HorizontalPodAutoscaler asks for a metric under a name that no rule of prometheus-adapter gives.",
    help="With rules.default: false the adapter serves what its own rules name and nothing else. The autoscaler then "
    "reports an error and never scales. Where the chart's default rules are on, nothing is said.",
    sources=(
        "https://github.com/kubernetes-sigs/prometheus-adapter/blob/01919d0ef11859bc214e0c8a8bd5368afd9d47f7/docs/config.md",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("name: gpu_util}", "name: gpu_utilization}"),
)
