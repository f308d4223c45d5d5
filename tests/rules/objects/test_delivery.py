"""Rules about delivery and names: ignored settings, missing references, and correct input that looks wrong."""

from gitgpu.rules.object_findings import object_findings
from tests.helping.cases import for_each
from tests.rules.objects.samples import KUBERNETES, bad_example, conformed, read, shared_norms

OF_ARGO = bad_example("GIT015", 2)
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b, annotations: {%s: %s}}\n"
FLUX = "kustomize.toolkit.fluxcd.io/"
APPLICATION = """
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: keda, namespace: argocd}
spec:
  project: default
  destination: {server: "https://kubernetes.default.svc", namespace: keda}
  %s
"""
RELEASE = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: operator, namespace: gpu}
spec:
  interval: 1h
  chart: {spec: {chart: contoso, version: 1.2.3, sourceRef: {kind: HelmRepository, name: %s}}}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: contoso, namespace: %s}
spec: {interval: 1h, url: "https://charts.contoso.com"}
"""
SET = """
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: fleet, namespace: argocd}
spec:
  goTemplate: %s
  generators: [{clusters: {}}]
  template:
    metadata: {name: "%s"}
    spec:
      project: default
      destination: {name: prod, namespace: serving}
      source: {repoURL: "https://github.com/contoso/fleet", path: overlays, targetRevision: main}
"""
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: b}\ndata: {token: '%s'}\n"


def codes(text: str) -> list[str]:
    """The codes of all findings."""
    return [fault.code for fault in conformed(text)]


@for_each(
    ("key", "value", "expected"),
    [
        (f"{FLUX}prune", "Disabled", []),
        (f"{FLUX}prune", '"false"', ["GIT001"]),
        (f"{FLUX}ssa", "IfNotPresent", []),
        (f"{FLUX}ssa", "never", ["GIT001"]),
        ("helm.sh/resource-policy", "Keep", []),
        ("helm.sh/resource-policy", "delete", ["GIT001"]),
        ("argocd.argoproj.io/sync-options", "'Prune=false, Delete=confirm'", []),
        ("argocd.argoproj.io/sync-options", "prune=false", ["GIT002"]),
        ("argocd.argoproj.io/sync-wave", '"-1"', []),
    ],
)
def test_which_values_of_annotations_are_reported(key: str, value: str, expected: list[str]) -> None:
    assert codes(CONFIG % (key, value)) == expected


def test_a_misspelt_annotation_against_pruning_is_fixed() -> None:
    (flux,) = conformed(CONFIG % (f"{FLUX}prune", '"false"'))
    (argo,) = conformed(CONFIG % ("argocd.argoproj.io/sync-options", "'prune=false,ServerSideApply=true'"))
    texts = [fault.edit and fault.edit.text for fault in (flux, argo)]
    assert texts == ["disabled", "Prune=false,ServerSideApply=true"]


CHART = "source: {repoURL: 'https://kedacore.github.io/charts', chart: keda, targetRevision: 2.20.2}"
STACK = CHART.replace("keda,", "kube-prometheus-stack,").replace("}", "%s}")


@for_each(
    ("source", "expected"),
    [
        ("source: {repoURL: 'https://github.com/contoso/fleet', path: .}", []),
        ("source: {repoURL: 'https://github.com/contoso/fleet'}", ["GIT003"]),
        ("sources: [{repoURL: 'https://github.com/contoso/fleet', ref: values}]", []),
        ("project: default", ["GIT003"]),
        (CHART, ["GIT009"]),
        (CHART + "\n  syncPolicy: {syncOptions: [ServerSideApply=true]}", []),
        (CHART + "\n  syncPolicy: {syncOptions: [Replace=true]}", []),
        (STACK % "", ["GIT009"]),
        (STACK % ", helm: {valuesObject: {crds: {enabled: false}}}", []),
        (STACK % ", helm: {skipCrds: true}", []),
        (CHART.replace("}", ", helm: {skipCrds: true}}"), ["GIT009"]),
    ],
)
def test_which_sources_of_an_application_are_reported(source: str, expected: list[str]) -> None:
    text = APPLICATION.replace("  project: default\n", "") if source.startswith("project") else APPLICATION
    assert codes(text % source) == expected


CHART_SET = """
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: monitoring, namespace: argocd}
spec:
  goTemplate: true
  generators: [{clusters: {}}]
  template:
    metadata: {name: "{{.name}}-stack"}
    spec:
      project: default
      destination: {name: "{{.name}}", namespace: monitoring}
      %s
      syncPolicy: {syncOptions: [%s]}
"""


@for_each(
    ("source", "options", "expected"),
    [
        (STACK % "", "CreateNamespace=true", ["GIT009"]),
        (STACK % "", "ServerSideApply=true", []),
        (STACK % ", helm: {skipCrds: true}", "", []),
        (f"sources: [{{{STACK.partition('{')[2]}]" % "", "", ["GIT009"]),
        (STACK.replace("kube-prometheus-stack", "'{{.chart}}'") % "", "", []),
    ],
)
def test_an_application_set_makes_applications(source: str, options: str, expected: list[str]) -> None:
    diagnostics = [finding for finding in conformed(CHART_SET % (source, options)) if finding.code == "GIT009"]
    assert [finding.code for finding in diagnostics] == expected
    assert all("spec.template.spec.syncPolicy" in diagnostic.help for diagnostic in diagnostics)


ONE_SOURCE = 'source: {repoURL: "https://github.com/contoso/fleet", path: ., targetRevision: main}'


@for_each(
    ("sources", "expected"),
    [
        ("{repoURL: 'https://github.com/contoso/fleet', path: .}", ["GIT015"]),
        ("{repoURL: 'https://github.com/contoso/fleet', ref: values}, {repoURL: x, path: ./}", ["GIT015"]),
        ("{repoURL: x, path: ., kustomize: {replicas: [{name: chat, count: 3}]}}", []),
        ("{repoURL: x, path: apps}", []),
        ("{repoURL: x, chart: chat, path: ., targetRevision: 1.0.0}", []),  # the path is not read
    ],
)
def test_a_workload_may_be_in_any_source_of_an_application(sources: str, expected: list[str]) -> None:
    text = OF_ARGO.replace(ONE_SOURCE, f"sources: [{sources}]")
    assert text != OF_ARGO
    assert [code for code in codes(text) if code == "GIT015"] == expected


def test_a_source_in_another_namespace_is_suggested() -> None:
    assert codes(RELEASE % ("contoso", "gpu")) == []
    (fault,) = conformed(RELEASE % ("contoso", "flux-system"))
    assert (fault.code, fault.help) == ("GIT005", "set namespace: flux-system")
    assert codes((RELEASE % ("contoso", "gpu")).partition("---")[0]) == []


def test_the_source_of_a_kustomization_may_be_created_outside_the_files() -> None:
    text = """
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec: {interval: 1h, prune: true, path: ./apps, sourceRef: {kind: GitRepository, name: platform}}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: fleet, namespace: flux-system}
spec: {interval: 1h, url: "https://github.com/contoso/fleet"}
"""
    open_world = object_findings(read(text), KUBERNETES, shared_norms(), closed=False)
    assert "GIT005" in codes(text)
    assert "GIT005" not in {finding.code for finding in open_world}


@for_each(
    ("modern", "name", "expected"),
    [
        ("true", "a-{{.name}}", []),
        ("true", "a-{{ .path.basename }}", []),
        ("true", "a-{{name}}", ["GIT010"]),
        ("true", "a-{{path.basename}}", ["GIT010"]),
        ("true", "a-{{index .path.segments 1}}", []),
        ("true", "{{if .x}}a{{else}}b{{end}}", []),
        ("false", "a-{{name}}", []),
        ("false", "a-{{.name}}", ["GIT010"]),
    ],
)
def test_a_template_of_the_other_language_is_not_filled_in(modern: str, name: str, expected: list[str]) -> None:
    assert codes(SET % (modern, name)) == expected


@for_each(
    ("value", "expected"),
    [("aGVsbG8=", []), ("aGVsbG8", ["NAM008"]), ("hf_token", ["NAM008"]), ("${TOKEN}", []), ("", [])],
)
def test_which_values_are_reported_as_secrets(value: str, expected: list[str]) -> None:
    assert codes(SECRET % value) == expected


def test_values_from_objects_elsewhere_are_not_reported_as_missing() -> None:
    values = "  valuesFrom: [{kind: ConfigMap, name: elsewhere}]\n"
    text = (RELEASE % ("contoso", "gpu")).replace("---", f"{values}---") + "---\n" + CONFIG % ("a", "b")
    assert codes(text) == ["GIT006"]
    assert object_findings(read(text), KUBERNETES, shared_norms(), closed=False) == []


SUBSTITUTING = """
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: gpu, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild: {substituteFrom: [%s]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: vars, namespace: flux-system}
data: {region: eastus}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: gpu}
data: {text: "${region} ${zone}"}
"""
PATCHING = """
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: all, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./clusters
  sourceRef: {kind: GitRepository, name: flux-system}
  patches: [{patch: "[]", target: {kind: Kustomization}}]
"""


@for_each(
    ("references", "more", "expected"),
    [
        ("{kind: ConfigMap, name: vars}", "", ["GIT013"]),
        ("{kind: ConfigMap, name: vars}, {kind: Secret, name: keys}", "", []),
        ("{kind: ConfigMap, name: elsewhere}", "", []),
        ("{kind: ConfigMap, name: vars}", PATCHING, []),
    ],
    ids=["all variables are known", "a secret", "a ConfigMap that is not there", "a patch of Kustomizations"],
)
def test_a_variable_is_reported_if_all_variables_are_known(references: str, more: str, expected: list[str]) -> None:
    assert [code for code in codes(SUBSTITUTING % references + more) if code == "GIT013"] == expected
