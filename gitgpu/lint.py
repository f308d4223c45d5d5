"""Manifests to findings: objects are grouped, and checked against their contracts and against the rules."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from gitgpu.conform import Norms, item_of, related
from gitgpu.conform.grouping.applied import as_applied, deduplicated, without_applied_patches
from gitgpu.conform.grouping.applied_together import group_files
from gitgpu.conform.grouping.chart_values import values_beside
from gitgpu.conform.grouping.groups import Group, Grouping, unlike
from gitgpu.conform.grouping.judging import batches, spread_groups
from gitgpu.conform.grouping.notes import clamped, not_objects, opened, split, unevaluated, unfilled, unseen
from gitgpu.conform.grouping.repeated_groups import Judged, Prepared, judged_once, watched
from gitgpu.conform.grouping.substituted import certain_findings, check_substituted, kinds_with_unknown_names
from gitgpu.conform.objects import Given, Item, identity
from gitgpu.conform.schema.contract import Scope
from gitgpu.conform.schema.partial_objects import held_part, in_both
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.delivery.flux import is_flux
from gitgpu.load.delivery.kustomize import Part
from gitgpu.load.delivery.partial_files import incomplete
from gitgpu.load.delivery.patches import changed
from gitgpu.load.delivery.substitution import Fill, Substituted, substitute, unsealed
from gitgpu.load.manifest.manifests import Manifests, strictly
from gitgpu.load.manifest.objects import Loaded, is_ours
from gitgpu.load.values import Values
from gitgpu.policy import ANNOTATION, Allowed, annotated

CODES = (  # findings that are reported here, and by no rule
    *("CRD001", "CRD002", "LNT001", "LNT002", "LNT003", "LNT004", "LNT005", "LNT006", "LNT007", "LNT008", "LNT009"),
    *("LNT010", "LNT011", "LNT013"),
)
UNKNOWN = "CNF002"  # the note about an object whose kind has no schema


class Asked(NamedTuple):
    """How to lint. `skip` names kinds ("ConfigMap" or "v1/ConfigMap") that are not looked at.

    `strict` makes a finding of what is passed over: kinds without a schema (not with `ignore_missing`), files that hold
    no Kubernetes object. `named` are the files that were asked for by name: there, no object is at least told of.
    `closed` says that nothing else is on the cluster, so that what is absent is missed. `locked` holds the files
    whose lock says a Kubernetes version, each with that version. `jobs` is how many processes judge, None for as many
    as are worth it.
    """

    kubernetes: str
    skip: frozenset[str] = frozenset()
    strict: bool = False
    ignore_missing: bool = False
    named: frozenset[str] = frozenset()
    closed: bool = False
    locked: frozenset[tuple[str, str]] = frozenset()
    jobs: int | None = 1


class Linted(NamedTuple):
    """What came of it: the findings, how many objects were looked at and how many passed over."""

    diagnostics: tuple[Diagnostic, ...]
    objects: int
    skipped: int


def lint(sheets: Manifests, extra: Iterable[Values], measure: Norms, asked: Asked) -> Linted:
    """Everything that is wrong with the objects of some files; `extra` are objects beside them, in every group."""
    bench = _Bench(measure, asked, sheets)
    found = [*strictly(sheets, strict=asked.strict)]
    grouping = group_files(sheets)
    groups = grouping.groups
    for share in batches(bench.prepared(unlike(groups) or [Group([])], grouping, list(extra))):
        found += judged_once(share, bench.judged)
    found += bench.found
    found += [
        *not_objects(sheets, asked.named, strict=asked.strict),
        *unseen(sheets),
        *unevaluated(measure.custom, measure.engine),
        *clamped(bench.versions, measure.contracts),
    ]
    found += [*map(split, grouping.splits), *opened(groups, closed=asked.closed), *unfilled(sheets, bench.filled)]
    counted = len(bench.counted)
    passed_over = bench.skipped + sum(len(sheet.others) + bool(sheet.template) for sheet in sheets.sheets.values())
    return Linted(tuple(found), counted - bench.skipped, passed_over)


class _Bench:
    """Holds each object against its contract once, and remembers what came of it."""

    def __init__(self, measure: Norms, asked: Asked, sheets: Manifests) -> None:
        self.measure, self.asked, self.locked = measure, asked, dict(asked.locked)
        self.files = {name: sheet.objects for name, sheet in sheets.sheets.items()}
        self.flux = is_flux(self.files)
        self.incomplete = incomplete(sheets.kustomizations, sheets.sheets)
        self.found: list[Diagnostic] = []
        self.counted: set[int] = set()
        self.skipped = 0
        self.done: dict[tuple[Hashable, ...], Item | None] = {}
        self.filled: set[int] = set()
        self.versions: dict[str, str] = {}

    def version(self, files: Iterable[str]) -> str:
        """The Kubernetes version of files that are applied together."""
        found = {self.locked[file] for file in files if file in self.locked}
        return found.pop() if len(found) == 1 else self.asked.kubernetes

    def clamp(self, kubernetes: str) -> str:
        """The version whose schemas are there for it."""
        self.versions[kubernetes] = self.measure.contracts.clamp(kubernetes)
        return self.versions[kubernetes]

    def items(self, objects: Sequence[Loaded], part: Part, minor: str) -> Iterator[Item]:
        """The objects of a file as a group sees them."""
        fill = part.by.fill if part.by else None
        for loaded in objects:
            key = (id(loaded), part.patch, minor, fill, (part.changes, part.namespace) if part.changes else ())
            if key not in self.done:
                self.done[key] = self._look(loaded, part, minor)
            item = self.done[key]
            if item is not None:
                yield as_applied(item, loaded, part)

    def beside(self, values: Values, minor: str) -> Item:
        """The values of a chart as an object of a group."""
        item, faults = item_of(Given(values.body, values.places), minor, self.measure)
        self.found += [fault for fault in faults if fault.code != UNKNOWN]
        return item

    def prepared(self, groups: Iterable[Group], grouping: Grouping, extra: Sequence[Values]) -> Iterator[Prepared]:
        """The objects of each group as they are applied, checked against their contracts."""
        for group in groups:
            minor = self.clamp(self.version(part.file for part in group.parts))
            items = [item for part in group.parts for item in self.items(self.files.get(part.file, ()), part, minor)]
            beside = [self.beside(values, minor) for values in (*extra, *values_beside(group, grouping))]
            whole = without_applied_patches(items)
            kept = [*(deduplicated(whole) if group.loose else whole), *beside]
            beyond = group.beyond | kinds_with_unknown_names(kept)
            yield Prepared(kept, minor, self.asked.closed and not group.piece, beyond)

    def judged(self, groups: Sequence[Prepared]) -> list[Judged]:
        """What the rules say of groups. Processes share the small ones; of a large one they share the rules."""
        return spread_groups(groups, self._judged, self.asked.jobs)

    def _judged(self, group: Prepared) -> Judged:
        _, minor, closed, beyond = group
        judge = partial(related, minor=minor, measure=self.measure, closed=closed, beyond=beyond)
        return watched(group, lambda now: certain_findings(now.items, judge))

    def _look(self, loaded: Loaded, part: Part, minor: str) -> Item | None:
        first = id(loaded) not in self.counted
        self.counted.add(id(loaded))
        api_version, kind = loaded.body["apiVersion"], loaded.body["kind"]
        if is_ours(loaded.body) or api_version == "builtin" or {kind, f"{api_version}/{kind}"} & self.asked.skip:
            self.skipped += first
            return None
        item, faults = self._seen(loaded, part, minor)
        if item is None:
            return None
        self.found += [fault for fault in faults if fault.code != UNKNOWN]
        unknown = [fault for fault in faults if fault.code == UNKNOWN]
        self.skipped += first and item.scope is Scope.UNKNOWN
        if self.asked.strict and not self.asked.ignore_missing:
            self.found += [fault._replace(code="LNT005", severity=Severity.ERROR) for fault in unknown]
        return item

    def _seen(self, loaded: Loaded, part: Part, minor: str) -> tuple[Item | None, list[Diagnostic]]:
        """The object after patches and variables; None where a patch deletes it. What a patch mends is not told."""
        fill = part.by.fill if part.by else None
        self.filled.update([id(loaded)] if fill else ())

        def look(body: dict[str, Any]) -> tuple[Item, list[Diagnostic]]:
            made = unsealed(substitute(body, fill or Fill()) if fill or self.flux else Substituted(body))
            given = Given(body, loaded.places, part.patch)
            return check_substituted(given, made, lambda now: self._held(now, loaded.file, minor))

        body = changed(loaded.body, part.changes, part.namespace)
        if body is None:
            return None, []
        item, faults = look(body)
        if body == loaded.body:
            return item, faults
        return item._replace(written=body), in_both(faults, look(loaded.body)[1])

    def _held(self, given: Given, file: str, minor: str) -> tuple[Item, list[Diagnostic]]:
        return held_part(given, file, self.incomplete, lambda now: item_of(now, minor, self.measure))


def allowances(sheets: Manifests) -> Iterator[Allowed]:
    """What the annotations of objects allow."""
    for sheet in sheets.sheets.values():
        for loaded in sheet.objects:
            meta = loaded.body.get("metadata")
            notes = meta.get("annotations") if isinstance(meta, dict) else None
            text = notes.get(ANNOTATION) if isinstance(notes, dict) else None
            if isinstance(text, str):
                place = loaded.places.span(("metadata", "annotations", ANNOTATION))
                yield from annotated(text, place, identity(loaded.body).ref)
