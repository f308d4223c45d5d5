"""A release in a namespace that does not exist."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import APPLICATION, HELM_RELEASE, NAMESPACE
from gitgpu.objects.gitops.references import has_some
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

# Of Kubernetes, of `flux bootstrap`, and of Azure Policy.
_ALWAYS_THERE = ("default", "kube-node-lease", "kube-public", "kube-system", "flux-system", "gatekeeper-system")
_SETTING = "CreateNamespace=true"


def _check(objects: Objects) -> Iterator[Finding]:
    # Without any Namespace among the objects, namespaces are created in another way.
    if not objects.closed or not has_some(*NAMESPACE, objects):
        return
    destinations = [*_flux(objects), *_argo(objects)]
    created = {name for _, _, name, makes in destinations if makes}
    created |= {identity.name for identity in objects.present if (identity.group, identity.kind) == NAMESPACE}
    for item, place, name, _ in destinations:
        if name not in created and name not in _ALWAYS_THERE:
            yield Finding(item, place, f"namespace {name} does not exist, and nothing creates it", _remedy(item, name))


def _flux(objects: Objects) -> Iterator[tuple[Item, Pointer, str, bool]]:
    for item in objects.of(*HELM_RELEASE):
        name = reach(item.body, "spec", "targetNamespace")
        remote = reach(item.body, "spec", "kubeConfig")
        # A namespace on another cluster is not among these objects.
        if name and not remote:
            makes = reach(item.body, "spec", "install", "createNamespace") is True
            yield item, ("spec", "targetNamespace"), name, makes


def _argo(objects: Objects) -> Iterator[tuple[Item, Pointer, str, bool]]:
    for item in objects.of(*APPLICATION):
        name = reach(item.body, "spec", "destination", "namespace")
        options = reach(item.body, "spec", "syncPolicy", "syncOptions") or ()
        # A source that is not a chart may contain the Namespace.
        makes = _SETTING in options or not reach(item.body, "spec", "source", "chart")
        # As for Flux: another cluster may have the namespace.
        if name and _here(item):
            yield item, ("spec", "destination", "namespace"), name, makes


def _here(item: Item) -> bool:
    server: str | None = reach(item.body, "spec", "destination", "server")
    return server == "https://kubernetes.default.svc"


def _remedy(item: Item, name: str) -> str:
    flux = item.identity.kind == HELM_RELEASE.kind
    setting = "install.createNamespace: true" if flux else f"{_SETTING} to syncPolicy.syncOptions"
    return f"add the Namespace {name}, or add {setting}"


RULE = Rule(
    code="GIT011",
    name="missing-namespace",
    severity=Severity.ERROR,
    summary="A HelmRelease or an Application installs a chart in a namespace that nothing creates.",
    help="Helm does not create namespaces by default, and Argo CD does only with CreateNamespace=true.",
    sources=(
        "https://github.com/fluxcd/helm-controller/blob/0f61a8607a62be64638f2f912d9487e653960a6e/docs/spec/v2/helmreleases.md#target-namespace",
        "https://github.com/argoproj/argo-cd/blob/109ca7ca71139e514114499d294a492e7910a965/docs/user-guide/sync-options.md#create-namespace",
    ),
    check=_check,
)
