"""Prometheus rules in Azure's rule groups and in the values of kube-prometheus-stack."""

from tests.helping.cases import for_each
from tests.rules.objects.samples import conformed

BROKEN = "max by (Hostname) (DCGM_FI_DEV_GPU_TEMP > 85"
GROUPS = '[{name: gpu, rules: [{alert: GpuHot, expr: "EXPR", for: 10m}]}]'
AZURE = """\
apiVersion: alertsmanagement.azure.com/v1api20230301
kind: PrometheusRuleGroup
metadata: {name: gpu, namespace: monitoring}
spec:
  location: westeurope
  interval: PT1M
  owner: {name: rg}
  scopesReferences: [{armId: /subscriptions/0/resourceGroups/rg/providers/microsoft.monitor/accounts/amw}]
  rules: [{alert: GpuHot, expression: "EXPR", for: PT10M, severity: 2}]
"""
HEAD = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: stack, namespace: monitoring}
spec:
  interval: 1h
  chart: {spec: {chart: kube-prometheus-stack, version: 88.5.3, sourceRef: {kind: HelmRepository, name: community}}}
"""
BY_NAME = f"{HEAD}  values: {{additionalPrometheusRulesMap: {{gpu: {{groups: {GROUPS}}}}}}}\n"
FILES = f"{HEAD}  values: {{additionalPrometheusRules: [{{name: gpu, groups: {GROUPS}}}]}}\n"
APPLICATION = f"""\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: stack, namespace: argocd}}
spec:
  project: default
  destination: {{server: "https://kubernetes.default.svc", namespace: monitoring}}
  source:
    repoURL: https://prometheus-community.github.io/helm-charts
    chart: kube-prometheus-stack
    targetRevision: 88.5.3
    helm:
      values: |
        additionalPrometheusRulesMap: {{gpu: {{groups: {GROUPS}}}}}
  syncPolicy: {{syncOptions: [ServerSideApply=true]}}
"""
PLACES = {
    "azure": (AZURE, "/spec/rules/0/expression"),
    "map": (BY_NAME, "/spec/values/additionalPrometheusRulesMap/gpu/groups/0/rules/0/expr"),
    "list": (FILES, "/spec/values/additionalPrometheusRules/0/groups/0/rules/0/expr"),
    "text": (APPLICATION, "/spec/source/helm/values"),
}


def findings(text: str) -> list[tuple[str, str]]:
    """The codes and places of findings from the rules about queries."""
    return [(finding.code, finding.pointer) for finding in conformed(text) if finding.code in {"MON001", "MON018"}]


@for_each("where", PLACES)
def test_an_expression_that_is_not_promql_is_reported(where: str) -> None:
    text, place = PLACES[where]
    assert findings(text.replace("EXPR", BROKEN)) == [("MON018", place)]
    assert findings(text.replace("EXPR", "max(DCGM_FI_DEV_GPU_TEMP) > 85")) == []


@for_each("where", PLACES)
def test_a_field_that_dcgm_does_not_have_is_reported(where: str) -> None:
    text, place = PLACES[where]
    assert findings(text.replace("EXPR", "DCGM_FI_DEV_GPU_UTILISATION > 5")) == [("MON001", place)]


@for_each("odd", ["5", "[5]", "{gpu: 5}", "{gpu: {groups: 5}}", "{gpu: {groups: [{rules: [null, 5]}]}}"])
def test_values_of_another_shape_are_skipped(odd: str) -> None:
    assert findings(f"{HEAD}  values: {{additionalPrometheusRulesMap: {odd}}}\n") == []


def test_the_list_is_ignored_if_the_map_is_set() -> None:
    both = BY_NAME.replace("EXPR", "up").rstrip().removesuffix("}")
    assert (
        findings(f"{both}, additionalPrometheusRules: [{{name: gpu, groups: {GROUPS.replace('EXPR', BROKEN)}}}]}}\n")
        == []
    )
