"""A Flux object whose source does not exist."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.groups import FLUX_SOURCE_GROUP
from gitgpu.model.names.kinds import FLUX_KUSTOMIZATION, HELM_CHART, HELM_RELEASE
from gitgpu.objects.gitops.references import has_some, other_namespace
from gitgpu.objects.objects import Identity, Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_PLACES: dict[tuple[str, str], tuple[Pointer, ...]] = {
    HELM_RELEASE: (("spec", "chart", "spec", "sourceRef"), ("spec", "chartRef")),
    FLUX_KUSTOMIZATION: (("spec", "sourceRef"),),
    HELM_CHART: (("spec", "sourceRef"),),
}
_BOOTSTRAP = "flux-system"  # the source that flux bootstrap creates


def _check(objects: Objects) -> Iterator[Finding]:
    for (group, kind), places in _PLACES.items():
        for item in objects.of(group, kind):
            for place in places:
                yield from _missing(item, place, objects)


def _missing(item: Item, place: Pointer, objects: Objects) -> Iterator[Finding]:
    reference = reach(item.body, *place) or {}
    kind, name = reference.get("kind") or "", reference.get("name") or ""
    # A Kustomization often uses a source that the bootstrap of Flux or the AKS extension creates.
    are_all_here = has_some(FLUX_SOURCE_GROUP, kind, objects) and (
        objects.closed or item.identity[:2] != FLUX_KUSTOMIZATION
    )
    if name in ("", _BOOTSTRAP) or not are_all_here:
        return
    namespace = reference.get("namespace") or item.identity.namespace
    where = other_namespace(Identity(FLUX_SOURCE_GROUP, kind, namespace, name), objects)
    if where is not None:
        message = f"{kind} {namespace}/{name} does not exist"
        remedy = f"set namespace: {where}" if where else f"add the {kind}, or correct the name"
        yield Finding(item, (*place, "name"), message, remedy)


RULE = Rule(
    code="GIT005",
    name="missing-flux-source",
    severity=Severity.ERROR,
    summary="A Flux Kustomization, HelmRelease or HelmChart refers to a source that is not among the objects.",
    help="Flux waits for the source and installs nothing. To use a source in another namespace, set the namespace of "
    "the reference.",
    sources=(
        "https://github.com/fluxcd/helm-controller/blob/0f61a8607a62be64638f2f912d9487e653960a6e/docs/spec/v2/helmreleases.md#chart-template",
        "https://github.com/fluxcd/kustomize-controller/blob/186fb3b29138ce82ff61ba1a9370b96a3dd598fe/docs/spec/v1/kustomizations.md#source-reference",
    ),
    check=_check,
)
