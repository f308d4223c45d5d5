"""Notes about what lint could not check or compare, and why."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from posixpath import dirname

from gitgpu.diagnostic import Diagnostic, Severity, fault
from gitgpu.objects.delivery.rewriting import rewriting
from gitgpu.objects.grouping.groups import Group, Split
from gitgpu.objects.manifest.manifest_file import is_ours
from gitgpu.objects.manifest.manifests import Manifests
from gitgpu.objects.objects import Item, identity
from gitgpu.objects.schema.cel import Engine
from gitgpu.objects.schema.contracts import Contracts
from gitgpu.objects.schema.crd import Custom
from gitgpu.objects.workload.unread_pods import has_unread_pods
from gitgpu.source import Span
from gitgpu.spelling import count_text


def split_note(conflict: Split) -> Diagnostic:
    """A note about two definitions of one object in files that no kustomization names: they are checked separately."""
    own, other = identity(conflict.first.body), conflict.second.places.span()
    name = f"{own.namespace}/{own.name}".lstrip("/")
    message = (
        f"{own.kind} {name} is different in {other}: {conflict.files} files are not listed in a kustomization, and "
        "files in different directories are checked separately"
    )
    remedy = "list the files that are applied together in a kustomization.yaml, or lint one directory at a time"
    return Diagnostic("LNT010", Severity.INFO, message, remedy, conflict.first.places.span(), "", own.ref)


def open_cluster_notes(groups: Iterable[Group], *, closed: bool) -> Iterator[Diagnostic]:
    """A note for each cluster that also has objects from elsewhere, so that missing objects are not reported."""
    for group in groups:
        if closed and group.opened and not group.piece:
            message = f"{group.opened.what}: objects that are missing on this cluster are not reported"
            remedy = "lint the rendered manifests to check the whole cluster"
            yield Diagnostic("LNT011", Severity.INFO, message, remedy, group.opened.span)


def unsubstituted_note(manifests: Manifests, substituted: Collection[int]) -> Iterator[Diagnostic]:
    """One note about all `${NAME}` that no Flux Kustomization among the files replaces; `substituted` are ids."""
    reasons: list[Diagnostic] = []
    for file in manifests.files.values():
        reasons += [reason for loaded, reason in file.waiting if id(loaded) not in substituted]
    if reasons:
        first = min(reasons, key=lambda finding: finding.span)
        more = _and_others(len(reasons) - 1, "object")
        message = f"{first.message.partition(',')[0]}{more}: no Flux Kustomization in the input replaces it"
        remedy = "lint the directory with the Flux Kustomizations too; fields with such values are not checked"
        yield first._replace(severity=Severity.INFO, message=message, help=remedy)


def rewriting_note(manifests: Manifests) -> Iterator[Diagnostic]:
    """One note about all kustomizations that change objects in a way that lint does not compute."""
    rewrites = list(rewriting(manifests.kustomizations))
    for kustomization, key in rewrites[:1]:
        more = _and_others(len(rewrites) - 1, "kustomization")
        message = f"the key {key} changes what is applied{more}: lint checked the files without this change"
        remedy = f"`kustomize build {dirname(kustomization.file) or '.'} | gitgpu lint -` checks the result"
        yield Diagnostic(
            "LNT008", Severity.INFO, message, remedy, kustomization.places.span((key,), key=True), f"/{key}"
        )


def _and_others(number: int, noun: str) -> str:
    return f", and so {'does' if number == 1 else 'do'} {count_text(number, f'other {noun}')}" if number else ""


def _was(number: int) -> str:
    return "was" if number == 1 else "were"


def unevaluated_notes(custom: Mapping[tuple[str, str], Custom], engine: Engine) -> Iterator[Diagnostic]:
    """Notes about CEL rules of CRDs that were not evaluated, and patterns that were checked only for short values."""
    patterns: set[str] = set()
    for crd in custom.values():
        patterns.update(crd.hurried)
    if patterns:
        checked = f"{count_text(len(patterns), 'CRD pattern')} {_was(len(patterns))} checked for short values only"
        message = f"{checked}, because long values can take too long"
        yield Diagnostic("LNT006", Severity.INFO, message, "install gitgpu[re2]", Span(""))
    if engine.left:
        message = f"{count_text(len(engine.left), 'CEL rule')} of the CRDs {_was(len(engine.left))} not evaluated"
        lacking = "they use functions that the CEL engine does not support; the API server still evaluates them"
        remedy = "install gitgpu[cel]" if engine.missing else lacking
        yield Diagnostic("LNT006", Severity.INFO, message, remedy, Span(""))


def clamped_version_notes(versions: Mapping[str, str], contracts: Contracts) -> Iterator[Diagnostic]:
    """A note for each Kubernetes version without schemas, with the version that was used instead."""
    for version, minor in sorted(versions.items()):
        if not contracts.has(version):
            message = f"Kubernetes {version} is not bundled: built-in kinds were checked as {minor}"
            remedy = "install the release of kubernetes-validate that has it"
            yield Diagnostic("CNF010", Severity.INFO, message, remedy, Span(""))


def unknown_release_notes(contracts: Contracts, versions: Iterable[tuple[str, str]]) -> Iterator[Diagnostic]:
    """A note for each version that is newer or older than all known ones of its project."""
    for project, version in sorted(set(versions)):
        releases = contracts.releases(project)
        if releases.is_newer(version) or releases.is_older(version):
            [used] = releases.matching(version)
            message = f"{releases.name} {version} is not known here: objects were checked as for {used}"
            yield Diagnostic("LNT014", Severity.INFO, message, "pass the CRDs of the cluster with --crds", Span(""))


def unread_pods(items: Iterable[Item]) -> Iterator[Diagnostic]:
    """A note for each kind whose pods are not checked, at its first object."""
    named: set[tuple[str, str]] = set()
    for item in items:
        kind = (item.identity.group, item.identity.kind)
        if kind not in named and has_unread_pods(item):
            named.add(kind)
            message = f"the pods of {item.identity.kind} are not checked: gitgpu does not know where this kind has them"
            remedy = "to check them, lint a Pod with the same spec"
            yield Diagnostic("LNT015", Severity.INFO, message, remedy, item.given.places.span(("kind",)), "", item.ref)


def not_objects(manifests: Manifests, named: Collection[str], *, strict: bool) -> Iterator[Diagnostic]:
    """Findings about documents that are not Kubernetes objects, in files where that is unexpected.

    The first document of a fleet in each file is noted: without a note, a fleet with errors would seem correct.
    """
    remedy = "add apiVersion and kind, or do not pass this file"
    for name, file in manifests.files.items():
        severity = Severity.ERROR if strict else Severity.INFO
        is_manifest = name in named or (strict and not name.endswith(".json"))  # most JSON files have no objects
        for span in file.others if is_manifest else ():
            yield Diagnostic("LNT003", severity, "not a Kubernetes object", remedy, span)
        ours = next((loaded for loaded in file.objects if is_ours(loaded.body)), None)
        if ours and name in named:
            message = "a gitgpu document, which lint does not check"
            yield Diagnostic("LNT003", Severity.INFO, message, "run `gitgpu validate`", ours.places.span(("kind",)))
        empty = not (file.objects or file.others or file.faults)
        if empty and name in named:
            yield fault("LNT003", "the file contains no document", remedy, Span(name, 1, 1))
