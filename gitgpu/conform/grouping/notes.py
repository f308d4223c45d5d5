"""What lint could not compare, and why: notes beside the findings."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from posixpath import dirname

from gitgpu.conform.grouping.groups import Group, Split
from gitgpu.conform.objects import identity
from gitgpu.conform.schema.cel import Engine
from gitgpu.conform.schema.contract import Contracts
from gitgpu.conform.schema.crd import Custom
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.delivery.rewriting import rewriting
from gitgpu.load.manifest.manifests import Manifests
from gitgpu.load.text import fault
from gitgpu.source import Span


def split(found: Split) -> Diagnostic:
    """A note that files which no kustomization names define one object in two ways, and so are taken apart."""
    own, other = identity(found.one.body), found.other.places.span()
    name = f"{own.namespace}/{own.name}".lstrip("/")
    message = (
        f"{own.kind} {name} is not the same in {other}: of the {found.files} files that no kustomization names, those "
        "of different directories are not compared with each other"
    )
    remedy = "name the files that are applied together in a kustomization.yaml, or lint one directory at a time"
    return Diagnostic("LNT010", Severity.INFO, message, remedy, found.one.places.span(), "", own.ref)


def opened(groups: Iterable[Group], *, closed: bool) -> Iterator[Diagnostic]:
    """Notes that a cluster has objects from elsewhere, so that it is not whole."""
    for group in groups:
        if closed and group.opened and not group.piece:
            message = f"{group.opened.what}: what is absent from this cluster is not reported"
            remedy = "lint what is applied, rendered, to see the whole cluster"
            yield Diagnostic("LNT011", Severity.INFO, message, remedy, group.opened.span)


def unfilled(sheets: Manifests, filled: Collection[int]) -> Iterator[Diagnostic]:
    """One note that values are filled in by something that is not among the files."""
    every = [(loaded, why) for sheet in sheets.sheets.values() for loaded, why in sheet.waiting]
    found = [why for loaded, why in every if id(loaded) not in filled]
    if found:
        first = min(found, key=lambda finding: finding.span)
        more = f", and so do {len(found) - 1} other objects" if len(found) > 1 else ""
        message = f"{first.message.partition(',')[0]}{more}: no Flux Kustomization here is seen to replace it"
        remedy = "lint the directory with the Flux Kustomizations too; what depends on such a value is not checked"
        yield first._replace(severity=Severity.INFO, message=message, help=remedy)


def unseen(sheets: Manifests) -> Iterator[Diagnostic]:
    """A note that Kustomize will change what was looked at: one, however many kustomizations do."""
    found = list(rewriting(sheets.kustomizations))
    for kustomization, key in found[:1]:
        more = f", and so do {len(found) - 1} other kustomizations" if len(found) > 1 else ""
        message = f"the key {key} changes what is applied{more}: lint has looked at the files as they are before that"
        remedy = f"`kustomize build {dirname(kustomization.file) or '.'} | gitgpu lint -` looks at what comes out"
        yield Diagnostic(
            "LNT008", Severity.INFO, message, remedy, kustomization.places.span((key,), key=True), f"/{key}"
        )


def unevaluated(custom: Mapping[tuple[str, str], Custom], engine: Engine) -> Iterator[Diagnostic]:
    """The CEL rules of CRDs that were not evaluated, and the patterns that were, but not on every value."""
    patterns = {pattern for crd in custom.values() for pattern in crd.hurried}
    if patterns:
        message = (
            f"{len(patterns)} CRD patterns were checked for short values only, because long values can take too long"
        )
        yield Diagnostic("LNT006", Severity.INFO, message, "install gitgpu[re2]", Span("", 0, 0))
    if engine.left:
        message = f"{len(engine.left)} CEL rules of the CRDs were not evaluated"
        lacking = "they use functions that the CEL engine does not support; the API server evaluates them"
        remedy = "install gitgpu[cel]" if engine.missing else lacking
        yield Diagnostic("LNT006", Severity.INFO, message, remedy, Span("", 0, 0))


def clamped(versions: Mapping[str, str], contracts: Contracts) -> Iterator[Diagnostic]:
    """A note for each Kubernetes version without schemas, with the version that was used instead."""
    for wanted, minor in sorted(versions.items()):
        if not contracts.has(wanted):
            message = f"Kubernetes {wanted} is not bundled: built-in kinds were checked as {minor}"
            remedy = "install the release of kubernetes-validate that has it"
            yield Diagnostic("CNF010", Severity.INFO, message, remedy, Span("", 0, 0))


def not_objects(sheets: Manifests, named: Collection[str], *, strict: bool) -> Iterator[Diagnostic]:
    """Documents that are not Kubernetes objects, where that is a finding."""
    remedy = "add apiVersion and kind, or do not pass this file"
    for name, sheet in sheets.sheets.items():
        severity = Severity.ERROR if strict else Severity.INFO
        wanted = name in named or (strict and not name.endswith(".json"))  # much is JSON, few objects are
        for span in sheet.others if wanted else ():
            yield Diagnostic("LNT003", severity, "not a Kubernetes object", remedy, span)
        empty = not (sheet.objects or sheet.others or sheet.faults)
        if empty and name in named:
            yield fault("LNT003", "the file contains no document", remedy, Span(name, 1, 1))
