"""GIT017: a custom resource next to the release that installs its CRD, in layouts of real repositories."""

import pytest

from gitgpu.runs.lint import LintOptions
from tests.lint.test_lint import linted

SYNC = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: {name}, namespace: flux-system}}
spec:
  interval: 1h
  prune: true
  path: ./{path}
  {extra}
  sourceRef: {{kind: GitRepository, name: flux-system}}
"""
KEDA = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: keda, namespace: flux-system}
spec:
  interval: 1h
  targetNamespace: keda
  install: {createNamespace: true}
  chart: {spec: {chart: keda, version: 2.20.2, sourceRef: {kind: HelmRepository, name: kedacore}}}
"""
AUTHENTICATION = """\
apiVersion: keda.sh/v1alpha1
kind: ClusterTriggerAuthentication
metadata: {name: azure}
spec: {podIdentity: {provider: azure-workload, identityId: 00000000-0000-0000-0000-000000000000}}
"""
DEFINITION = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: clustertriggerauthentications.keda.sh}
spec:
  group: keda.sh
  scope: Cluster
  names: {kind: ClusterTriggerAuthentication, plural: clustertriggerauthentications}
  versions: [{name: v1alpha1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
"""
APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: keda, namespace: argocd}
spec:
  project: default
  destination: {server: "https://kubernetes.default.svc", namespace: keda}
  source: {repoURL: "https://kedacore.github.io/charts", chart: keda, targetRevision: 2.20.2}
  syncPolicy: {syncOptions: [CreateNamespace=true, ServerSideApply=true]}
"""
ROOT = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: root, namespace: argocd}}
spec:
  project: default
  destination: {{server: "https://kubernetes.default.svc", namespace: argocd}}
  source: {{repoURL: "https://github.com/contoso/fleet", path: apps, targetRevision: main}}
  syncPolicy: {{automated: {{}}, syncOptions: [{options}]}}
"""


def sync(name: str, path: str, extra: str = "timeout: 5m") -> str:
    """A Flux Kustomization."""
    return SYNC.format(name=name, path=path, extra=extra)


def findings(files: dict[str, str]) -> list[tuple[str, str]]:
    """Where GIT017 is reported: the file and the name of the object."""
    every = linted(files, LintOptions("1.34")).diagnostics
    return [
        (finding.span.file, finding.object.name) for finding in every if finding.code == "GIT017" and finding.object
    ]


FLUX = {"clusters/prod/sync.yaml": sync("keda", "keda"), "keda/release.yaml": KEDA}


def test_one_flux_kustomization_applies_the_release_and_the_object() -> None:
    assert findings({**FLUX, "keda/azure.yaml": AUTHENTICATION}) == [("keda/azure.yaml", "azure")]


def test_the_object_in_another_kustomization_is_fine() -> None:
    dependent = sync("auth", "auth", "dependsOn: [{name: keda}]")
    assert findings({**FLUX, "clusters/prod/auth.yaml": dependent, "auth/azure.yaml": AUTHENTICATION}) == []


@pytest.mark.parametrize(
    "release",
    [
        KEDA + "  values: {crds: {install: false}}\n",
        KEDA + "  valuesFrom: [{kind: ConfigMap, name: keda}]\n",
        KEDA + "  suspend: true\n",
    ],
)
def test_a_release_that_may_not_install_the_definition_is_not_reported(release: str) -> None:
    assert findings({**FLUX, "keda/release.yaml": release, "keda/azure.yaml": AUTHENTICATION}) == []


def test_a_definition_in_a_file_of_its_own_is_applied_first() -> None:
    assert findings({**FLUX, "keda/azure.yaml": AUTHENTICATION, "keda/crd.yaml": DEFINITION}) == []


def test_a_dependency_outside_the_tree_may_install_the_definition() -> None:
    dependent = sync("keda", "keda", "dependsOn: [{name: crds}]")
    assert findings({**FLUX, "clusters/prod/sync.yaml": dependent, "keda/azure.yaml": AUTHENTICATION}) == []


def test_the_definition_may_come_from_another_repository() -> None:
    sheet = "resources: [release.yaml, azure.yaml, 'https://github.com/contoso/crds?ref=v1']\n"
    assert findings({**FLUX, "keda/azure.yaml": AUTHENTICATION, "keda/kustomization.yaml": sheet}) == []


def test_cert_manager_installs_no_definitions_unless_configured() -> None:
    release = KEDA.replace("chart: keda, version: 2.20.2", "chart: cert-manager, version: v1.15.1")
    issuer = """\
apiVersion: cert-manager.io/v1
kind: ClusterIssuer
metadata: {name: selfsigned}
spec: {selfSigned: {}}
"""
    files = {**FLUX, "keda/release.yaml": release, "keda/issuer.yaml": issuer}
    assert findings(files) == []
    files["keda/release.yaml"] = release + "  values: {crds: {enabled: true}}\n"
    assert findings(files) == [("keda/issuer.yaml", "selfsigned")]


def test_an_application_of_applications_with_the_object_beside_them() -> None:
    files = {"root.yaml": ROOT.format(options=""), "apps/keda.yaml": APPLICATION, "apps/azure.yaml": AUTHENTICATION}
    assert findings(files) == [("apps/azure.yaml", "azure")]


def test_argo_cd_that_skips_the_dry_run_applies_both() -> None:
    option = "SkipDryRunOnMissingResource=true"
    files = {"root.yaml": ROOT.format(options=option), "apps/keda.yaml": APPLICATION, "apps/azure.yaml": AUTHENTICATION}
    assert findings(files) == []
    annotated = AUTHENTICATION.replace(
        "name: azure", f"name: azure, annotations: {{argocd.argoproj.io/sync-options: {option}}}"
    )
    assert findings({**files, "root.yaml": ROOT.format(options=""), "apps/azure.yaml": annotated}) == []


def test_chart_and_object_as_sources_of_one_application_are_one_sync() -> None:
    sources = """\
  sources:
    - {repoURL: "https://kedacore.github.io/charts", chart: keda, targetRevision: 2.20.2}
    - {repoURL: "https://github.com/contoso/fleet", path: auth, targetRevision: main}
"""
    lines = [line for line in APPLICATION.splitlines() if not line.startswith("  source:")]
    assert findings({"app.yaml": "\n".join(lines) + "\n" + sources, "auth/azure.yaml": AUTHENTICATION}) == []
