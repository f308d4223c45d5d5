"""A chart that Argo CD cannot apply the usual way."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.releases import releases
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity

_ENOUGH = {"ServerSideApply=true", "Replace=true"}
_NO_DEFINITIONS = ("crds", "install")


def _check(objects: Objects) -> Iterator[Finding]:
    rows = objects.catalog.rows("charts").values()
    large = {row["chart"]: row["largeDefinitions"] for row in rows if row.get("largeDefinitions")}
    for release in releases(objects, *large):
        options = set(reach(release.item.body, "spec", "syncPolicy", "syncOptions") or ())
        argo = release.item.identity.kind == "Application"
        if argo and not options & _ENOUGH and release.whole and release.value(*_NO_DEFINITIONS) is not False:
            message = f"a CRD of {release.chart} has {large[release.chart]} bytes, too many for an annotation"
            remedy = "add ServerSideApply=true to spec.syncPolicy.syncOptions"
            yield Finding(release.item, (*release.pointer[:-2], "chart"), message, remedy)


RULE = Rule(
    code="GIT009",
    name="oversized-definitions",
    severity=Severity.ERROR,
    summary="An Application installs a chart with a CRD too large for an annotation, without server-side apply.",
    help="Argo CD then writes the CRD into an annotation of itself, and the API server takes 256 KiB of these.",
    sources=(
        "https://github.com/argoproj/argo-cd/blob/109ca7ca71139e514114499d294a492e7910a965/docs/user-guide/sync-options.md#server-side-apply",
        "https://github.com/kedacore/keda/blob/v2.20.2/config/crd/bases/keda.sh_scaledjobs.yaml",
    ),
    check=_check,
    bad="""
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: keda, namespace: argocd}
spec:
  project: default
  destination: {server: "https://kubernetes.default.svc", namespace: keda}
  source: {repoURL: "https://kedacore.github.io/charts", chart: keda, targetRevision: 2.20.2}
  syncPolicy: {syncOptions: [CreateNamespace=true]}
""",
    good="""
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: keda, namespace: argocd}
spec:
  project: default
  destination: {server: "https://kubernetes.default.svc", namespace: keda}
  source: {repoURL: "https://kedacore.github.io/charts", chart: keda, targetRevision: 2.20.2}
  syncPolicy: {syncOptions: [CreateNamespace=true, ServerSideApply=true]}
""",
)
