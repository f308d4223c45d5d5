"""Monitors that no Prometheus selects, counter lists under wrong keys, and values that are not strings."""

from gitgpu.diagnostic import Diagnostic
from gitgpu.objects.monitoring.monitors import chart_monitors
from gitgpu.objects.objects import Item, Objects, identity
from gitgpu.objects.schema.contract import Scope
from gitgpu.rules.object_findings import object_findings
from gitgpu.rules.object_rulebook import object_rules
from tests.helping.cases import for_each
from tests.rules.objects.samples import KUBERNETES, read, shared_norms


def reported(text: str, code: str) -> list[Diagnostic]:
    """The findings of one rule."""
    return [finding for finding in object_findings(read(text), KUBERNETES, shared_norms()) if finding.code == code]


RULES = {rule.name: rule for rule in object_rules()}
RELEASE = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: {name}, namespace: monitoring}}
spec:
  interval: 1h{more}
  chart: {{spec: {{chart: {chart}, version: {version}, sourceRef: {{kind: HelmRepository, name: charts}}}}}}
  values: {values}
---
"""
ARGO = """
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: kps, namespace: argocd}
spec:
  project: default
  destination: {server: https://kubernetes.default.svc, namespace: monitoring}
  source:
    repoURL: https://prometheus-community.github.io/helm-charts
    chart: kube-prometheus-stack
    targetRevision: 75.0.0
---
"""
MONITOR = """
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {{name: gpus, namespace: gpu, labels: {labels}}}
spec: {{selector: {{matchLabels: {{app: dcgm}}}}, endpoints: [{{port: metrics}}]}}
---
"""


def stack(values: str = "{}", more: str = "") -> str:
    """A HelmRelease of kube-prometheus-stack."""
    lines = f"\n  {more}" if more else ""
    return RELEASE.format(name="kps", chart="kube-prometheus-stack", version="75.0.0", values=values, more=lines)


@for_each(
    ("release", "labels", "count"),
    [
        (stack(), "{app: dcgm}", 1),
        (stack(), "{release: kps}", 0),
        (stack(), "{release: prometheus}", 1),
        (stack(more="releaseName: prometheus"), "{release: prometheus}", 0),
        (stack(more="targetNamespace: other"), "{release: other-kps}", 0),
        (stack("{prometheus: {prometheusSpec: {serviceMonitorSelectorNilUsesHelmValues: false}}}"), "{}", 0),
        (stack('{prometheus: {prometheusSpec: {serviceMonitorSelectorNilUsesHelmValues: "false"}}}'), "{}", 1),
        (stack("{prometheus: {prometheusSpec: {serviceMonitorSelector: {matchLabels: {a: b}}}}}"), "{a: b}", 0),
        (stack("{prometheus: {enabled: false}}"), "{}", 0),
        (stack(more="valuesFrom: [{kind: ConfigMap, name: more}]"), "{}", 0),
        (ARGO, "{app: dcgm}", 1),
        (ARGO, "{release: kps}", 0),
        ("", "{}", 0),
        (stack() + stack().replace("name: kps", "name: second"), "{}", 0),
        (stack() + RELEASE.format(name="a", chart="alloy", version="1.0.0", values="{}", more=""), "{}", 0),
    ],
)
def test_a_monitor_has_the_label_of_the_release(release: str, labels: str, count: int) -> None:
    assert len(reported(release + MONITOR.format(labels=labels), "MON022")) == count


def test_azure_monitors_are_not_checked_against_the_stack() -> None:
    text = MONITOR.format(labels="{}").replace("monitoring.coreos.com", "azmonitoring.coreos.com")
    assert reported(stack() + text, "MON022") == []


COUNTERS = """
apiVersion: v1
kind: ConfigMap
metadata: {{name: counters, namespace: {namespace}}}
data: {{{key}: "DCGM_FI_DEV_GPU_UTIL, gauge, Busy."}}
---
"""
EXPORTER = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {{name: dcgm-exporter, namespace: gpu}}
spec:
  selector: {{matchLabels: {{app: dcgm}}}}
  template:
    metadata: {{labels: {{app: dcgm}}}}
    spec: {{containers: [{{name: a, image: "nvcr.io/nvidia/k8s/dcgm-exporter:4.5.3-4.8.2-distroless", {more}}}]}}
"""
OPERATOR = RELEASE.format(name="op", chart="gpu-operator", version="v26.7.0", values="{values}", more="").replace(
    "namespace: monitoring", "namespace: gpu"
)


@for_each(
    ("more", "key", "count"),
    [
        ('args: ["-m", "gpu:counters"]', "metrics.csv", 1),
        ('args: ["-m", "gpu:counters"]', "metrics", 0),
        ('args: ["--configmap-data=gpu:counters"]', "counters.csv", 1),
        ('env: [{name: DCGM_EXPORTER_CONFIGMAP_DATA, value: "gpu:counters"}]', "metrics.csv", 1),
        ('env: [{name: DCGM_EXPORTER_CONFIGMAP_DATA, value: "other:counters"}]', "metrics.csv", 0),
        ('args: ["-f", "/etc/counters/metrics.csv"]', "metrics.csv", 0),
    ],
)
def test_the_exporter_reads_only_one_key(more: str, key: str, count: int) -> None:
    text = COUNTERS.format(namespace="gpu", key=key) + EXPORTER.format(more=more)
    assert len(reported(text, "MON023")) == count


@for_each(
    ("key", "namespace", "config", "count"),
    [
        ("metrics.csv", "gpu", "{name: counters}", 1),
        ("dcgm-metrics.csv", "gpu", "{name: counters}", 0),
        ("metrics.csv", "other", "{name: counters}", 0),
        ("metrics.csv", "gpu", "{name: other}", 0),
    ],
)
def test_the_operator_mounts_only_one_key(key: str, namespace: str, config: str, count: int) -> None:
    release = OPERATOR.replace("{values}", f"{{dcgmExporter: {{config: {config}}}}}")
    assert len(reported(COUNTERS.format(namespace=namespace, key=key) + release, "MON023")) == count


@for_each(
    ("values", "place"),
    [
        ("{toolkit: {env: [{name: A, value: true}]}}", "toolkit/env/0/value"),
        ("{driver: {env: [{name: A, value: x}, {name: B, value: 1}]}}", "driver/env/1/value"),
        ("{operator: {nodeSelector: {gpu: true}}}", "operator/nodeSelector/gpu"),
        ("{daemonsets: {tolerations: [{key: sku, value: 1, effect: NoSchedule}]}}", "daemonsets/tolerations/0/value"),
        ("{node-feature-discovery: {worker: {nodeSelector: {pool: 7}}}}",
         "node-feature-discovery/worker/nodeSelector/pool"),
    ],
)  # fmt: skip
def test_a_value_that_a_pod_needs_as_text_must_be_quoted(values: str, place: str) -> None:
    (diagnostic,) = reported(OPERATOR.replace("{values}", values), "STK037")
    assert diagnostic.pointer == f"/spec/values/{place}"
    assert diagnostic.edit is not None


@for_each(
    "values",
    [
        '{toolkit: {env: [{name: A, value: "true"}, {name: B}, {name: C, value: null}]}}',
        "{daemonsets: {tolerations: [{key: a, operator: Exists, tolerationSeconds: 30}]}}",
        "{driver: {enabled: true, startupProbe: {periodSeconds: 10}}}",
        "{operator: {nodeSelector: {gpu: 'true'}}}",
        "{toolkit: {env: text}, operator: {nodeSelector: []}}",
    ],
)
def test_text_and_other_values_elsewhere_are_fine(values: str) -> None:
    assert reported(OPERATOR.replace("{values}", values), "STK037") == []


def test_values_that_a_chart_quotes_itself_are_not_reported() -> None:
    text = RELEASE.format(
        name="cm", chart="cert-manager", version="v1.19.2", values="{nodeSelector: {gpu: true}}", more=""
    )
    assert reported(text, "STK037") == []


@for_each(
    ("values", "mode", "count"),
    [
        ("{toolkit: {enabled: false}}", "None", 1),
        ("{toolkit: {enabled: false}}", "Driver", 0),
        ("{toolkit: {enabled: false}, driver: {enabled: false}}", "None", 0),
        ("{toolkit: {enabled: false}, cdi: {nriPluginEnabled: true}}", "None", 0),
        ("{}", "None", 0),
    ],
)
def test_a_driver_needs_its_runtime(values: str, mode: str, count: int) -> None:
    pools = RULES["operator-driver-without-toolkit"].bad.partition("apiVersion: helm")[0].replace("None", mode)
    assert len(reported(pools + OPERATOR.replace("{values}", values), "STK038")) == count


@for_each(
    ("version", "values", "count"),
    [
        ("v26.7.0", "{}", 1),
        ("26.7", "{}", 1),
        ("26.x", "{}", 1),
        ("v26.3.3", "{}", 0),
        ("26.3", "{}", 0),
        ("v26.3.3", "{dcgmExporter: {serviceMonitor: {enabled: true}}}", 1),
        ("v26.7.0", "{dcgmExporter: {serviceMonitor: {enabled: false}}}", 0),
        ("v26.7.0", "{dcgmExporter: {enabled: false}}", 0),
        ("v26.7.0", "{dcgmExporter: {enabled: false, serviceMonitor: {enabled: true}}}", 0),
    ],
)
def test_from_one_version_the_operator_creates_its_monitor_by_default(version: str, values: str, count: int) -> None:
    release = RELEASE.format(name="gpu-operator", chart="gpu-operator", version=version, values=values, more="")
    items = tuple(Item(given, identity(given.body), Scope.NAMESPACED) for given in read(release.rstrip("-\n")))
    objects = Objects(items, frozenset(), shared_norms().catalog, shared_norms().kinds, KUBERNETES)
    assert len(list(chart_monitors(objects))) == count


@for_each(
    ("change", "count"),
    [
        (("port: gpu-metrics", "port: http"), 0),
        (("app: nvidia-dcgm-exporter", "app: nvidia-dcgm-exporter, team: gpu"), 0),
        (("{name: gpus, namespace: gpu-operator}", "{name: gpus, namespace: monitoring}"), 0),
        (("version: v26.7.0", 'version: "26.7"'), 1),
        (("version: v26.7.0", "version: 26.x"), 0),
        (("  values:\n", "  valuesFrom: [{kind: ConfigMap, name: own}]\n  values:\n"), 0),
        (("  values:\n", "  values:\n    dcgmExporter: {enabled: false}\n"), 0),
        (("  values:\n", "  values:\n    nameOverride: own\n"), 0),
    ],
)
def test_a_second_scrape_is_reported_only_if_it_is_certain(change: tuple[str, str], count: int) -> None:
    text = RULES["exporter-scraped-twice"].bad
    assert change[0] in text
    assert len(reported(text.replace(*change), "MON100")) == count


@for_each(
    ("change", "count"),
    [
        (("", ""), 1),
        (("podMonitorSelectorNilUsesHelmValues: false, ", ""), 0),
        (("{prometheusSpec: {", "{enabled: false, prometheusSpec: {"), 0),
        (("{prometheusSpec: {", "{prometheusSpec: {serviceMonitorSelector: {matchLabels: {team: gpu}}, "), 0),
        (("{prometheusSpec: {", "{prometheusSpec: {serviceMonitorNamespaceSelector: {matchLabels: {team: gpu}}, "), 0),
    ],
)
def test_a_pod_monitor_and_a_service_monitor_need_a_prometheus_that_reads_both(
    change: tuple[str, str], count: int
) -> None:
    text = RULES["exporter-scraped-twice"].bad_examples[1]
    assert change[0] in text
    assert len(reported(text.replace(*change, 1), "MON100")) == count
