"""A metric of an autoscaler that prometheus-adapter does not serve."""

from collections.abc import Iterator

from gitgpu.access import mapping_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import autoscalers
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import nearest

_TYPES = {"Pods": "pods", "Object": "object"}


def _check(objects: Objects) -> Iterator[Finding]:
    served: set[str] = set()
    for release in releases(objects, "prometheus-adapter"):
        names = _served_names(release)
        if names is None:
            return  # this adapter may serve any metric
        served |= names
    if not served:  # KED025 reports metrics without an adapter
        return
    for item in autoscalers(objects):
        for index, metric in enumerate(reach(item.body, "spec", "metrics") or ()):
            key = _TYPES.get(reach(metric, "type") or "", "")
            name = reach(metric, key, "metric", "name") if key else None
            if name and name not in served:
                closest = nearest(name, served)
                message = f"prometheus-adapter does not serve '{name}'; it serves {', '.join(sorted(served))}"
                remedy = f"use {closest or 'one of these names'}, or add a rule to the adapter"
                yield Finding(item, ("spec", "metrics", index, key, "metric", "name"), message, remedy)


def _served_names(release: Release) -> set[str] | None:
    """The metric names that an adapter serves; None if the values do not contain them all."""
    rules, custom = release.value("rules"), release.value("rules", "custom")
    only_these = release.whole and isinstance(custom, list) and release.value("rules", "default") is False
    # The default rules serve metrics by the names of their series; `existing` is a ConfigMap with more rules.
    if not only_these or rules.get("existing"):
        return None
    names: set[str] = set()
    for rule in custom:
        name = mapping_at(rule, "name")
        text = str(name.get("as") or "")
        if name.get("matches") or not text or "$" in text:  # a part of the name of the series
            return None
        names.add(text)
    return names


RULE = Rule(
    code="KED030",
    name="metric-not-served-by-adapter",
    severity=Severity.ERROR,
    summary="A HorizontalPodAutoscaler uses a metric name that no rule of prometheus-adapter defines.",
    help="With rules.default: false the adapter serves only the metrics of its own rules. The autoscaler then "
    "reports an error and never scales. With the default rules of the chart gitgpu does not report this.",
    sources=(
        "https://github.com/kubernetes-sigs/prometheus-adapter/blob/01919d0ef11859bc214e0c8a8bd5368afd9d47f7/docs/config.md",
    ),
    check=_check,
)
