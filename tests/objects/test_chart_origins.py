"""Charts of different projects with one name: where a chart comes from decides, not other words in the object."""

from gitgpu.objects.gitops.chart_values import chart_row
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.items import gather, item_of
from tests.helping.cases import for_each
from tests.rules.objects.samples import KUBERNETES, read, shared_norms

FLUX = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: RELEASE, namespace: apps}
spec:
  interval: 1h
  chart: {spec: {chart: workspace, version: 0.12.0, sourceRef: {kind: HelmRepository, name: SOURCE}}}
  values: {note: VALUES}
"""
SOURCE = """---
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: SOURCE, namespace: apps}
spec: {interval: 1h, url: "ADDRESS"}
"""
OCI = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: workspace, namespace: apps}
spec: {interval: 1h, chartRef: {kind: OCIRepository, name: charts}}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: {name: charts, namespace: apps}
spec: {interval: 1h, url: "ADDRESS/workspace", ref: {tag: 0.12.0}}
"""
ARGO = """
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: RELEASE, namespace: argocd}
spec:
  project: default
  destination: {server: "https://kubernetes.default.svc", namespace: RELEASE}
  source: {repoURL: "ADDRESS", chart: workspace, targetRevision: 0.12.0}
"""
INSTALLED = """
apiVersion: gitgpu.dev/v1alpha1
kind: HelmValues
chart: workspace
version: 0.12.0
values: {}
"""
OF_KAITO = "https://kaito-project.github.io/kaito/charts/kaito"
OTHER = "https://charts.contoso.com/web"


def flux(source: str, url: str = "", release: str = "workspace", values: str = "") -> str:
    text = FLUX + (SOURCE.replace("ADDRESS", url) if url else "")
    return text.replace("SOURCE", source).replace("RELEASE", release).replace("VALUES", values or "none")


@for_each(
    ("text", "is_kaito"),
    [
        (flux("charts", OF_KAITO), True),
        (flux("charts", "oci://contoso.azurecr.io/charts/kaito-project.github.io/kaito/charts/kaito"), True),
        (flux("kaito", OTHER), False),
        (flux("kaito"), True),
        (flux("charts"), False),
        (flux("charts", OTHER, release="kaito-demo", values="for the kaito team"), False),
        (OCI.replace("ADDRESS", "oci://ghcr.io/kaito-project/charts"), True),
        (OCI.replace("ADDRESS", "oci://ghcr.io/contoso/charts"), False),
        (ARGO.replace("ADDRESS", OF_KAITO).replace("RELEASE", "models"), True),
        (ARGO.replace("ADDRESS", OTHER).replace("RELEASE", "kaito"), False),
        (INSTALLED, True),
        (INSTALLED + "release: web\nnamespace: web\n", False),
        (INSTALLED + "release: kaito-workspace\nnamespace: kaito-workspace\n", True),
        (INSTALLED + f"repository: {OTHER}\nrelease: kaito\n", False),
    ],
)
def test_a_chart_with_a_common_name(text: str, is_kaito: bool) -> None:
    norms = shared_norms()
    # Import reads releases that Helm lists, which have more keys than the schema of values files.
    items = [item_of(each, KUBERNETES, norms)[0]._replace(sound=True) for each in read(text)]
    objects = gather(items, KUBERNETES, norms, closed=True)
    [release] = releases(objects)
    assert chart_row(release, objects).get("name", "") == ("kaito-workspace" if is_kaito else "")
