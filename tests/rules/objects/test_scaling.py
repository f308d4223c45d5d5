"""Rules about KEDA, HorizontalPodAutoscalers, metrics and KAITO, in cases that their examples do not cover."""

import json

from gitgpu.rules.object_findings import object_findings
from tests.helping.cases import for_each
from tests.rules.objects.samples import bad_example, conformed, read, shared_norms

SCALED = """
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {{name: {name}, namespace: serving, annotations: {{{notes}}}}}
spec:
  scaleTargetRef: {{{target}}}
  {bounds}
  triggers: [{triggers}]
---
"""
HPA = """
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: {name}, namespace: serving, annotations: {{{notes}}}}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: {kind}, name: chat}}
  minReplicas: {least}
  maxReplicas: 4
  metrics: [{metrics}]
---
"""
RULES = """
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata: {{name: gpu, namespace: monitoring}}
spec:
  groups:
  - name: gpu
    rules:
    - alert: Gpu
      expr: {query}
---
"""
COUNTERS = """
apiVersion: v1
kind: ConfigMap
metadata: {{name: counters, namespace: gpu-operator}}
data:
  metrics: {text}
---
"""
WORKSPACE = """
apiVersion: kaito.sh/v1beta1
kind: Workspace
metadata: {{name: phi, namespace: serving}}
resource: {{{size} labelSelector: {{matchLabels: {{apps: phi}}}}}}
inference: {{{inference}}}
"""
QUEUE = "{type: azure-queue, metadata: {queueName: prompts, connectionFromEnv: STORAGE}}"


def codes(text: str) -> list[str]:
    """The codes of all findings, sorted."""
    return sorted(fault.code for fault in conformed(text))


def scaled(
    triggers: str = QUEUE, bounds: str = "", target: str = "name: chat", name: str = "chat", notes: str = ""
) -> str:
    """A ScaledObject with these parts."""
    return SCALED.format(name=name, notes=notes, target=target, bounds=bounds, triggers=triggers)


def hpa(least: int = 1, metrics: str = "", name: str = "hpa", notes: str = "", kind: str = "Deployment") -> str:
    """A HorizontalPodAutoscaler with these parts."""
    return HPA.format(name=name, notes=notes, kind=kind, least=least, metrics=metrics)


def asking(query: str, threshold: str = "5", kind: str = "Value") -> str:
    """A ScaledObject that queries Prometheus."""
    server = 'serverAddress: "http://prometheus.monitoring:9090"'
    trigger = (
        f"{{type: prometheus, metricType: {kind}, metadata: {{{server}, query: {query!r}, threshold: '{threshold}'}}}}"
    )
    return scaled(trigger, "minReplicaCount: 1")


def timed(start: str, end: str = "0 19 * * *", zone: str = "Europe/Berlin", replicas: str = "4") -> str:
    """A ScaledObject with a cron trigger."""
    times = f'start: "{start}", end: "{end}", timezone: "{zone}", desiredReplicas: "{replicas}"'
    return scaled(f"{{type: cron, metadata: {{{times}}}}}")


def workspace(size: str = "Standard_NC24ads_A100_v4", inference: str = "preset: {name: phi-4}") -> str:
    """A Workspace with this size and this inference."""
    return WORKSPACE.format(size=f'instanceType: "{size}",' if size else "", inference=inference)


SCALERS = {
    "two of one kind": (scaled() + scaled(name="other"), ["KED001"]),
    "the same name, another kind": (scaled() + scaled(name="other", target="kind: StatefulSet, name: chat"), []),
    "an autoscaler next to it": (hpa() + scaled(), ["KED001"]),
    "an autoscaler that KEDA overlooks": (hpa(notes='validations.keda.sh/hpa-ownership: "false"') + scaled(), []),
    "the autoscaler that KEDA made": (hpa(name="keda-hpa-chat") + scaled(), []),
    "one that is taken over": (
        hpa()
        + scaled(
            notes='scaledobject.keda.sh/transfer-hpa-ownership: "true"',
            bounds="advanced: {horizontalPodAutoscalerConfig: {name: hpa}}",
        ),
        [],
    ),
    "a name of 54": (scaled(name="a" * 54), []),
    "a name of 55": (scaled(name="a" * 55), ["KED003"]),
    "a name of 64": (scaled(name="a" * 64), ["KED003"]),
    "above the default": (scaled(bounds="minReplicaCount: 101"), ["KED004"]),
    "idle below the fewest": (
        scaled(bounds="{idleReplicaCount: 0, minReplicaCount: 0}"[1:-1].replace(", ", "\n  ")),
        [],
    ),
    "idle as many as the fewest": (scaled(bounds="idleReplicaCount: 2\n  minReplicaCount: 2"), ["KED004"]),
    "an autoscaler's bounds": (hpa(least=5), ["KED004"]),
    "zero without a queue": (hpa(least=0), ["KED024"]),
    "a DaemonSet": (hpa(kind="DaemonSet"), ["KED023"]),
    "a kind without its group": (scaled(target="kind: InferenceSet, name: chat"), ["KED023"]),
    "paused by no": (scaled(notes='autoscaling.keda.sh/paused: "no"'), ["KED029"]),
    "paused at two": (scaled(notes='autoscaling.keda.sh/paused-replicas: "2"'), []),
}


@for_each(("text", "expected"), SCALERS.values(), ids=SCALERS)
def test_findings_about_scaled_objects(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


def test_an_autoscaler_may_scale_to_zero_from_the_release_that_supports_it() -> None:
    queue = '{type: External, external: {metric: {name: q}, target: {type: AverageValue, averageValue: "5"}}}'
    by_minor = {
        minor: object_findings(read(hpa(0, queue)), minor, shared_norms(), closed=False) for minor in ("1.36", "1.37")
    }
    assert [[fault.code for fault in faults] for faults in by_minor.values()] == [["KED024"], []]


def test_a_missing_authentication_is_reported_only_for_a_whole_cluster() -> None:
    trigger = QUEUE.replace("}}", "}, authenticationRef: {name: azure}}")
    open_world = object_findings(read(scaled(trigger)), "1.34", shared_norms(), closed=False)
    assert [fault.code for fault in open_world] == []
    assert codes(scaled(trigger)) == ["KED012"]


TIMES = {
    "five fields": (timed("0 7 * * mon-fri"), []),
    "steps and lists": (timed("*/30 7,8 1-15/2 jan-jun ?"), []),
    "six fields": (timed("0 0 7 * * *"), ["KED017"]),
    "a word": (timed("@daily"), ["KED017"]),
    "Sunday as 7": (timed("0 7 * * 7"), ["KED017"]),
    "the same twice": (timed("0 19 * * *"), ["KED017"]),
    "an offset": (timed("0 7 * * *", zone="GMT+2"), ["KED017"]),
    "an offset of the database": (timed("0 7 * * *", zone="Etc/GMT-2"), []),
    "no replicas": (timed("0 7 * * *", replicas="0"), ["KED017"]),
    "replicas in words": (timed("0 7 * * *", replicas="four"), ["KED015"]),
    "of a chart": (timed("{{ .Values.start }}", replicas="{{ .Values.replicas }}"), []),
}


@for_each(("text", "expected"), TIMES.values(), ids=TIMES)
def test_times_of_a_trigger(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


FORMULAS = {
    "functions and words": ('formula: "max(queue, 1) > 2 ? 3.0 : queue", target: "5"', []),
    "texts": ("formula: 'queue > 1 ? 2 : 3 # x', target: \"5\"", []),
    "no formula": ('target: "5"', ["KED008"]),
    "no target": ("formula: queue", ["KED008"]),
    "a target of 0": ('formula: queue, target: "0"', ["KED008"]),
    "a dash is a minus": ('formula: queue-length, target: "5"', ["KED008"]),
    "what cannot be read is left": ('formula: "let a = queue; a * 2", target: "5"', []),
}


@for_each(("modifiers", "expected"), FORMULAS.values(), ids=FORMULAS)
def test_findings_about_scaling_formulas(modifiers: str, expected: list[str]) -> None:
    trigger = QUEUE.replace("{type", "{name: queue, type")
    assert codes(scaled(trigger, f"advanced: {{scalingModifiers: {{{modifiers}}}}}")) == expected


UTIL = 'DCGM_FI_DEV_GPU_UTIL{pod=~"chat-.*"}'
RATIO = 'DCGM_FI_PROF_GR_ENGINE_ACTIVE{pod=~"chat-.*"}'
QUERIES = {
    "an average by value": (asking(f"avg({UTIL})"), []),
    "an average by average": (asking(f"avg({UTIL})", kind="AverageValue"), ["KED020"]),
    "a sum by average": (asking(f"sum({UTIL})", kind="AverageValue"), []),
    "every GPU": (asking(UTIL), ["KED018"]),
    "every GPU over time": (asking("avg_over_time(DCGM_FI_DEV_GPU_UTIL[5m])"), ["KED018"]),
    "every pod": (asking("sum by (pod) (requests)"), ["KED018"]),
    "one pod": (asking('sum by (pod) (requests{pod="chat-0"})'), []),
    "a share of two sums": (asking("100 * sum(a) / sum(b)"), []),
    "a metric of one's own": (asking("gateway_requests_waiting"), []),
    "a quantile": (asking("histogram_quantile(0.9, sum by (le) (rate(seconds_bucket[5m])))"), []),
    "a field that is not there": (asking("avg(DCGM_FI_DEV_SM_UTIL)"), ["MON001"]),
    "a new name of an old field": (asking("avg(DCGM_FI_DEV_GPU_UTIL_RATIO)"), []),
    "a label that is not there": (asking('avg(DCGM_FI_DEV_GPU_UTIL{deployment="chat"})'), ["MON003"]),
    "a label that may be missing": (asking('avg(DCGM_FI_DEV_GPU_UTIL{deployment!="chat"})'), []),
    "a ratio as it is": (asking(f"avg({RATIO})", "0.7"), []),
    "a ratio in percent": (asking(f"avg({RATIO})", "70"), ["MON015"]),
    "a ratio times a hundred": (asking(f"100 * avg({RATIO})", "70"), []),
    "a sum of ratios": (asking(f"sum({RATIO})", "70"), []),
    "a percentage as a ratio": (asking("avg(DCGM_FI_DEV_GPU_UTIL)", "0.7"), ["MON025"]),
    "a sum of percentages as a ratio": (asking("sum(avg_over_time(DCGM_FI_DEV_MEM_COPY_UTIL[5m]))", ".5"), ["MON025"]),
    "a percentage": (asking("avg(DCGM_FI_DEV_GPU_UTIL)", "70"), []),
    "a percentage made a ratio": (asking("avg(DCGM_FI_DEV_GPU_UTIL) / 100", "0.7"), []),
    "a share of busy GPUs": (asking("count(DCGM_FI_DEV_GPU_UTIL)", "0.7"), []),
    "a percentage and another metric": (asking("max(DCGM_FI_DEV_GPU_UTIL or requests)", "0.7"), []),
    "a rule over an idle GPU": (RULES.format(query="DCGM_FI_DEV_GPU_UTIL < 0.5"), []),
    "of a chart": (asking("avg(DCGM_FI_DEV_{{ .Values.field }})"), []),
    "a rule over a ratio": (RULES.format(query="avg by (gpu) (DCGM_FI_PROF_SM_ACTIVE) > 80"), ["MON015"]),
    "a rule over many ratios": (RULES.format(query="sum(DCGM_FI_PROF_SM_ACTIVE) > 80"), []),
    "a rule over bytes": (RULES.format(query="DCGM_FI_DEV_FB_USED > 16e9"), ["MON016"]),
    "a rule over mebibytes": (RULES.format(query="DCGM_FI_DEV_FB_USED > 16000"), []),
    "a rule in bytes": (RULES.format(query="DCGM_FI_DEV_FB_USED * 1048576 > 16e9"), []),
    "a rule that is a number": (RULES.format(query="1"), []),
}


@for_each(("text", "expected"), QUERIES.values(), ids=QUERIES)
def test_rules_about_queries(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


LISTS = {
    "comments and space": ("# a, b\n\nDCGM_FI_DEV_GPU_UTIL,   gauge,  busy\n", []),
    "a space before the comma": ("DCGM_FI_DEV_DEC_UTIL ,     gauge, decoder\n", []),
    "a quoted comma": ('DCGM_FI_DEV_GPU_UTIL, gauge,"busy, in percent"\n', []),
    "a comma too many": ("DCGM_FI_DEV_GPU_UTIL, gauge, busy, in percent\n", ["MON010"]),
    "a comment further in": ("DCGM_FI_DEV_GPU_UTIL, gauge, busy\n  # more\n", ["MON010"]),
    "a type in capitals": ("DCGM_FI_DEV_GPU_UTIL, Gauge, busy\n", ["MON010"]),
    "the exporter's own": ("DCGM_EXP_XID_ERRORS_COUNT, gauge, errors\n", []),
    "twice": ("DCGM_FI_DEV_GPU_UTIL, gauge, a\nDCGM_FI_DEV_GPU_UTIL, gauge, b\n", ["MON011"]),
    "no list": ("prometheus: DCGM_FI_DEV_GPU_UTIL\nother: 1\n", []),
}


@for_each(("text", "expected"), LISTS.values(), ids=LISTS)
def test_lists_of_counters(text: str, expected: list[str]) -> None:
    assert codes(COUNTERS.format(text=json.dumps(text))) == expected


MODELS = {
    "in lowercase": (workspace("standard_nc24ads_a100_v4"), []),
    "without Standard_": (workspace("NC24ads_A100_v4"), ["KAI002"]),
    "a size of other days": (workspace("Standard_NC6s_v3"), ["KAI003"]),
    "a size that Azure calls otherwise": (workspace("Standard_ND96asr_A100_v4"), ["KAI003"]),
    "a size that KAITO calls otherwise": (workspace("Standard_ND96asr_v4"), ["KAI002"]),
    "a size of Azure Arc": (workspace("Standard_NC4_A2"), []),
    "a size of AWS": (workspace("p4d.24xlarge"), []),
    "one to fill in": (workspace("<your-vm-sku>"), []),
    "nodes of one's own": (workspace(""), []),
    "pods of one's own on any size": (workspace("Standard_ND96asr_v4", "template: {spec: {containers: []}}"), []),
    "but not on every name": (workspace("ND96asr_v4", "template: {spec: {containers: []}}"), ["KAI002"]),
    "a name of Hugging Face": (workspace(inference="preset: {name: microsoft/phi-44}"), []),
    "an unknown preset": (workspace(inference="preset: {name: our-own-model}"), ["KAI011"]),
    "a preset with a slip": (workspace(inference="preset: {name: phi-4-mini-instuct}"), ["KAI011"]),
    "nothing to serve": (workspace(inference=""), ["KAI001"]),
}


KAITO = """
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: kaito-workspace, namespace: kaito}}
spec:
  interval: 1h
  chart: {{spec: {{chart: workspace, version: {version}, sourceRef: {{kind: HelmRepository, name: kaito}}}}}}
  values: {{{values}}}
"""
SIZE, OFF = "Standard_NC24ads_A100_v4", "featureGates: {disableNodeAutoProvisioning: true}"


@for_each(
    ("version", "values", "size", "expected"),
    [
        ("0.12.0", "nodeProvisioner: byo", "", []),
        ("0.12.0", f"nodeProvisioner: byo, {OFF}", "", []),
        ("0.12.0", "nodeProvisioner: byo", SIZE, ["KAI017"]),
        ("0.12.0", OFF, "", ["KAI093"]),
        ("0.11.x", OFF, "", ["KAI093"]),
        ("0.11.0", "", "", ["KAI017"]),
        ("0.12.0", "nodeProvisioner: karpenter", SIZE, []),
        ("0.12.0", "nodeProvisioner: kapenter", "", ["KAI094"]),
        ("0.10.0", OFF, "", []),
        ("0.10.0", OFF, SIZE, ["KAI017"]),
        ("0.10.0", "", SIZE, []),
    ],
)
def test_how_kaito_gets_its_nodes(version: str, values: str, size: str, expected: list[str]) -> None:
    reported = codes(workspace(size) + KAITO.format(version=version, values=values))
    assert [code for code in reported if code.startswith("KAI")] == expected


@for_each(("text", "expected"), MODELS.values(), ids=MODELS)
def test_findings_about_models_of_kaito(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


MONITORED = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: dcgm-exporter, namespace: gpu-monitoring}}
spec:
  interval: 1h
  chart: {{spec: {{chart: dcgm-exporter, version: 4.8.2, sourceRef: {{kind: HelmRepository, name: nvidia}}}}}}
  values: {{{values}}}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {{name: {name}, namespace: monitoring}}
spec:
  namespaceSelector: {{{namespaces}}}
  selector: {{matchLabels: {{{labels}}}}}
  endpoints: [{{port: metrics, honorLabels: true}}]
"""


@for_each(
    ("changes", "reported"),
    [
        ({}, False),
        ({"namespaces": "any: true"}, False),
        ({"namespaces": "matchNames: [gpu]"}, True),
        ({"labels": "app.kubernetes.io/instance: dcgm-exporter"}, False),
        ({"labels": "app.kubernetes.io/name: dcgm-exporter, app.kubernetes.io/version: 4.8.2"}, False),
        ({"labels": "app: dcgm-exporter"}, True),
        ({"labels": "app: dcgm-exporter", "values": "nameOverride: gpus"}, False),
        ({"labels": "app: chat", "name": "chat"}, False),
    ],
)
def test_a_monitor_selects_the_exporter(changes: dict[str, str], reported: bool) -> None:
    usual = {"name": "dcgm", "namespaces": "matchNames: [gpu-monitoring]", "values": ""}
    text = MONITORED.format(**{**usual, "labels": "app.kubernetes.io/name: dcgm-exporter", **changes})
    assert ("MON019" in codes(text)) is reported


@for_each(
    ("words", "reported"),
    [
        ("args: [-f, /etc/counters.csv]", True),
        ("args: [-k]", False),
        ("args: [--kubernetes=true]", False),
        ("env: [{name: DCGM_EXPORTER_KUBERNETES, value: 'false'}]", True),
        ("env: [{name: DCGM_EXPORTER_KUBERNETES, value: '1'}]", False),
        ("envFrom: [{configMapRef: {name: exporter}}]", False),
    ],
)
def test_an_exporter_has_to_map_gpus_to_pods(words: str, reported: bool) -> None:
    text = bad_example("MON017").replace('env: [{name: DCGM_EXPORTER_INTERVAL, value: "30000"}]', words)
    assert ("MON017" in codes(text)) is reported


@for_each(
    ("rules", "reported"),
    [
        ("default: false", True),
        ("default: true", False),
        ("default: false, existing: adapter-rules", False),
        ("default: false, custom: [{seriesQuery: up, name: {matches: (.*)_total}}]", False),
        ("default: false, custom: [{seriesQuery: up, name: {as: '${1}_used'}}]", False),
        ("default: false, custom: [text]", False),
    ],
)
def test_the_adapter_serves_only_the_metrics_in_its_rules(rules: str, reported: bool) -> None:
    custom = "" if "custom" in rules else ", custom: [{seriesQuery: up, name: {as: gpu_utilization}}]"
    head, rest = bad_example("KED030").split("    rules:\n")
    text = f"{head}    rules: {{{rules}{custom}}}\n---{rest.split('---')[1]}"
    assert ("KED030" in codes(text)) is reported


@for_each(
    ("kind", "policy", "reported"),
    [
        ("Job", "Always", True),
        ("Job", "OnFailure", False),
        ("Deployment", "Never", True),
        ("Deployment", "Always", False),
    ],
)
def test_which_restart_policies_a_kind_allows(kind: str, policy: str, reported: bool) -> None:
    family, more = ("batch", "") if kind == "Job" else ("apps", "selector: {matchLabels: {app: a}}, ")
    pod = f"{{restartPolicy: {policy}, containers: [{{name: a, image: 'a:1'}}]}}"
    spec = f"{{{more}template: {{metadata: {{labels: {{app: a}}}}, spec: {pod}}}}}"
    text = f"apiVersion: {family}/v1\nkind: {kind}\nmetadata: {{name: a, namespace: b}}\nspec: {spec}\n"
    assert ("POD025" in codes(text)) is reported


KEDA_CHART = """
apiVersion: {api}
kind: {kind}
metadata: {{name: keda, namespace: keda}}
spec: {spec}
---
"""


def keda(version: str, values: str = "{}") -> str:
    """KEDA from its chart, with Flux."""
    source = "sourceRef: {kind: HelmRepository, name: kedacore}"
    spec = f"{{interval: 1h, chart: {{spec: {{chart: keda, version: {version}, {source}}}}}, values: {values}}}"
    return KEDA_CHART.format(api="helm.toolkit.fluxcd.io/v2", kind="HelmRelease", spec=spec)


KEDA_BY_ARGO = KEDA_CHART.format(
    api="argoproj.io/v1alpha1",
    kind="Application",
    spec="{project: default, destination: {server: 'https://kubernetes.default.svc', namespace: keda}, "
    "source: {repoURL: 'https://kedacore.github.io/charts', chart: keda, targetRevision: 2.20.2}}",
)
SCALED_JOB = """
apiVersion: keda.sh/v1alpha1
kind: ScaledJob
metadata: {name: render, namespace: batch}
spec:
  jobTargetRef: {template: {spec: {restartPolicy: Never, containers: [{name: render, image: "render:1"}]}}}
  triggers:
  - {type: azure-queue, metadata: {queueName: a, accountName: b, queueLength: "1"}}
  - {type: azure-queue, metricType: METRIC, metadata: {queueName: c, accountName: b, queueLength: "1"}}
"""
METRIC_TYPES = {
    "the pinned chart": (keda("2.20.2"), "AverageValue", ["KED062"]),
    "with Argo CD": (KEDA_BY_ARGO, "AverageValue", ["KED062"]),
    "an older chart": (keda("v2.19.0"), "AverageValue", ["KED062"]),
    "a chart that has it": (keda("2.20.1"), "AverageValue", []),
    "another that has it": (keda("2.14.0"), "AverageValue", []),
    "a newer one, which is not known": (keda("2.21.0"), "AverageValue", []),
    "a range": (keda("2.x"), "AverageValue", []),
    "definitions from elsewhere": (keda("2.20.2", "{crds: {install: false}}"), "AverageValue", []),
    "no chart": ("", "AverageValue", []),
    "no chart, and no number to divide by": ("", "Value", ["KED007"]),
    "a share of a request": ("", "Utilization", ["KED007"]),
    "both": (keda("2.20.2"), "Value", ["KED007", "KED062"]),
    "a template": ("", "'${METRIC_TYPE}'", []),
}


@for_each(("chart", "kind", "expected"), METRIC_TYPES.values(), ids=METRIC_TYPES)
def test_the_metric_type_of_a_scaled_job(chart: str, kind: str, expected: list[str]) -> None:
    reported = [code for code in codes(chart + SCALED_JOB.replace("METRIC", kind, 1)) if code in ("KED007", "KED062")]
    assert reported == expected
