"""A custom resource that is applied together with the release that installs its CRD."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.annotations import FLUX_SSA_ANNOTATION, SYNC_OPTIONS_ANNOTATION
from gitgpu.model.names.kinds import APPLICATION, CUSTOM_RESOURCE_DEFINITION, FLUX_KUSTOMIZATION, HELM_RELEASE
from gitgpu.objects.gitops.applications import applications, reaches
from gitgpu.objects.gitops.references import applied_objects
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.objects import Identity, Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import count_text

# Annotations or labels, with the value that excludes an object.
_SKIPPED_BY_FLUX = {"kustomize.toolkit.fluxcd.io/reconcile": "disabled", FLUX_SSA_ANNOTATION: "ignore"}
_NO_DRY_RUN = "SkipDryRunOnMissingResource=true"


class _Batch(NamedTuple):
    """The objects that a controller checks in one dry run before it applies any of them."""

    by: Item
    items: list[Item]
    remedy: str


def _check(objects: Objects) -> Iterator[Finding]:
    installers = _installers(objects)
    # CRDs in other files may define the kind.
    if not installers or {CUSTOM_RESOURCE_DEFINITION, ("*", "*")} & objects.beyond:
        return
    for batch in (*_flux_batches(objects), *_argo_batches(objects)):
        here = {item.identity for item in batch.items}
        for release, kinds in installers.items():
            early = [item for item in batch.items if item.identity[:2] in kinds]
            if release in here and early and batch.by.identity != release:
                yield _finding(batch, release, early)


def _finding(batch: _Batch, release: Identity, early: list[Item]) -> Finding:
    first, *others = early
    also, crd, applied = "", "its CRD", "neither is applied"
    if others:
        also, crd, applied = f" and {count_text(len(others), 'other object')}", "their CRDs", "none of them is applied"
    by = f"{batch.by.identity.kind} {batch.by.identity.name}"
    message = (
        f"{by} applies this object{also} together with {release.kind} {release.name}, which installs {crd}: "
        f"on a new cluster the dry run fails, and {applied}"
    )
    return Finding(first, ("kind",), message, batch.remedy)


def _installers(objects: Objects) -> Mapping[Identity, frozenset[tuple[str, str]]]:
    """The releases that install kinds, which no other release does; these kinds as (group, kind)."""
    charts = mapping_at(objects.catalog.must("delivery", "helm").get("installed"))
    all_releases = list(releases(objects, *charts))
    number = Counter(release.chart for release in all_releases)
    delivered_releases = (item for item in all_releases if item.item.identity[:2] in (HELM_RELEASE, APPLICATION))
    installers: dict[Identity, frozenset[tuple[str, str]]] = {}
    for release in delivered_releases:
        chart = charts[release.chart]
        if (
            # With two releases, the other one may install the CRD first.
            number[release.chart] == 1
            and release.whole
            and not reach(release.item.body, "spec", "suspend")
            and _installs(release, chart)
        ):
            kinds = (kind.partition("/") for kind in chart["kinds"])
            new_kinds = frozenset((group, kind) for group, _, kind in kinds if not _defined(group, objects))
            installers[release.item.identity] = new_kinds
    return installers


def _installs(release: Release, chart: Mapping[str, Any]) -> bool:
    """Whether the release installs the CRDs of the chart."""
    if chart["folder"] and _skips_folder(release):
        return False
    for path, default in chart["values"].items():
        value = release.value(*path.split("."))
        if value is True or (value is None and default):
            return True
    return not chart["values"]


def _skips_folder(release: Release) -> bool:
    """Whether Flux or Argo CD skips the crds folder of the chart."""
    source = mapping_at(release.item.body, *release.pointer[:-1])  # `helm` in the source of an Application
    return source.get("skipCrds") is True or reach(release.item.body, "spec", "install", "crds") == "Skip"


def _defined(group: str, objects: Objects) -> bool:
    """Whether CRDs of a group are among the objects."""
    return any(
        identity[:2] == CUSTOM_RESOURCE_DEFINITION and identity.name.endswith(f".{group}")
        for identity in objects.present
    )


def _flux_batches(objects: Objects) -> Iterator[_Batch]:
    kustomizations = {item.identity for item in objects.of(*FLUX_KUSTOMIZATION)}
    for item in objects.of(*FLUX_KUSTOMIZATION):
        needs = [_needed(item, need) for need in list_at(item.body, "spec", "dependsOn")]
        # A dependency that is in other files may install the CRD.
        if all(need in kustomizations for need in needs) and not reach(item.body, "spec", "suspend"):
            checked = [other for other in applied_objects(item, objects) if not _skipped(other)]
            remedy = f"apply it with another Kustomization that has {item.identity.name} in spec.dependsOn"
            yield _Batch(item, checked, remedy)


def _needed(item: Item, need: Mapping[str, Any]) -> Identity:
    return item.identity._replace(namespace=need.get("namespace") or item.identity.namespace, name=need.get("name", ""))


def _skipped(item: Item) -> bool:
    """Whether annotations or labels exclude the object from Flux."""
    for field in ("annotations", "labels"):
        entries = mapping_at(item.body, "metadata", field)
        if any(str(entries.get(key)).lower() == value for key, value in _SKIPPED_BY_FLUX.items()):
            return True
    return False


def _argo_batches(objects: Objects) -> Iterator[_Batch]:
    for item, spec in applications(objects):
        if _NO_DRY_RUN not in list_at(spec, "syncPolicy", "syncOptions"):
            others = [other for other in objects.items if not _skips_dry_run(other) and reaches(item, spec, other)]
            remedy = f"annotate it with {SYNC_OPTIONS_ANNOTATION}: {_NO_DRY_RUN}, and give the Application a retry"
            yield _Batch(item, others, remedy)


def _skips_dry_run(item: Item) -> bool:
    """Whether an annotation makes Argo CD apply an object whose kind does not exist yet."""
    return _NO_DRY_RUN in str(reach(item.body, "metadata", "annotations", SYNC_OPTIONS_ANNOTATION))


RULE = Rule(
    code="GIT017",
    name="object-applied-with-its-crd",
    severity=Severity.INFO,
    summary="Flux or Argo CD applies an object together with the release of the chart that installs its CRD.",
    help="Both controllers check all objects in a dry run before they apply any. On a new cluster the kind does not "
    "exist yet, so the dry run fails, and the release that would install the CRD is not applied either. Each retry "
    "fails in the same way. On a cluster that already has the CRD, it works.",
    sources=(
        "https://fluxcd.io/flux/components/kustomize/kustomizations/#controlling-the-apply-behavior-of-resources",
        "https://github.com/argoproj/argo-cd/blob/109ca7ca71139e514114499d294a492e7910a965/docs/user-guide/sync-options.md#skip-dry-run-for-new-custom-resources-types",
        "https://github.com/argoproj/argo-cd/blob/109ca7ca71139e514114499d294a492e7910a965/gitops-engine/pkg/sync/sync_context.go",
        "https://github.com/fluxcd/flux2/issues/5641",
        "https://github.com/fluxcd/kustomize-controller/issues/1194",
        "https://github.com/fluxcd/pkg/blob/e2cfd1a2d1815a81b3e77ef750e6528282ccccd6/ssa/manager_apply.go",
    ),
    facts=("delivery/helm",),
    check=_check,
)
