"""Manifests to findings: objects are grouped, then checked against their contracts and by the rules."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from gitgpu.access import text_at
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.values import Values
from gitgpu.objects.delivery.flux import is_flux
from gitgpu.objects.delivery.kustomize import Part
from gitgpu.objects.delivery.kustomize_replacements import replaced_fields, with_replaced_fields
from gitgpu.objects.delivery.kustomize_variables import variables, with_variables
from gitgpu.objects.delivery.partial_files import incomplete
from gitgpu.objects.delivery.patches import apply_patches
from gitgpu.objects.delivery.substitution import Fill, Substituted, substitute, unseal
from gitgpu.objects.grouping import notes
from gitgpu.objects.grouping.applied import as_applied, deduplicate, without_applied_patches
from gitgpu.objects.grouping.applied_together import group_files
from gitgpu.objects.grouping.chart_values import values_beside
from gitgpu.objects.grouping.copies import Copies, how_applied
from gitgpu.objects.grouping.groups import Group, Grouping, unlike
from gitgpu.objects.grouping.parallel import batches, spread_groups
from gitgpu.objects.grouping.repeated_groups import Equal, GroupFindings, Prepared, check_copies, check_once
from gitgpu.objects.grouping.substituted import certain_findings, check_substituted, kinds_with_unknown_names
from gitgpu.objects.items import item_of
from gitgpu.objects.loaded import Loaded
from gitgpu.objects.manifest.manifests import Manifests, strictly
from gitgpu.objects.manifest.objects import is_ours
from gitgpu.objects.norms import Norms
from gitgpu.objects.objects import ELSEWHERE, Extent, Given, Item, identity
from gitgpu.objects.schema.contract import Scope
from gitgpu.objects.validation.partial_objects import check_partial, in_both
from gitgpu.policy import ANNOTATION, Allowed, annotation_allowances
from gitgpu.rules.object_findings import rule_findings
from gitgpu.rules.object_rulebook import rules_about

CODES = (  # findings that are reported here and not by a rule
    "CRD001",
    "CRD002",
    "LNT001",
    "LNT002",
    "LNT003",
    "LNT004",
    "LNT005",
    "LNT006",
    "LNT007",
    "LNT008",
    "LNT009",
    "LNT010",
    "LNT011",
    "LNT013",
)
UNKNOWN = "CNF002"  # the note about an object whose kind has no schema


class LintOptions(NamedTuple):
    """How to lint. `skip` names kinds ("ConfigMap" or "v1/ConfigMap") that are not checked.

    `strict` reports what is skipped otherwise: kinds without a schema (not with `ignore_missing`), and files without
    Kubernetes objects. `named` are the files that the user named explicitly: if they contain other documents, there is
    a note. `closed` means that the cluster has no other objects, so that missing objects are reported. `locked` are
    (file, Kubernetes version) for files of a build that records its version. `jobs` is the number of processes; None
    chooses it by the amount of work.
    """

    kubernetes: str
    skip: frozenset[str] = frozenset()
    strict: bool = False
    ignore_missing: bool = False
    named: frozenset[str] = frozenset()
    closed: bool = False
    locked: frozenset[tuple[str, str]] = frozenset()
    jobs: int | None = 1


class LintResult(NamedTuple):
    """The findings, the number of objects that were checked, and the number of documents that were skipped."""

    diagnostics: tuple[Diagnostic, ...]
    objects: int
    skipped: int


def lint(manifests: Manifests, extra: Iterable[Values], norms: Norms, options: LintOptions) -> LintResult:
    """All findings in the objects of some files. The values of charts in `extra` are checked with every group."""
    linter = _Linter(norms, options, manifests)
    findings = [*strictly(manifests, strict=options.strict)]
    grouping = group_files(manifests)
    groups = grouping.groups
    for batch in batches(linter.prepare(unlike(groups) or [Group([])], grouping, list(extra))):
        findings += check_once(batch, linter.check_groups)
    findings += [
        *linter.findings,
        *notes.not_objects(manifests, options.named, strict=options.strict),
        *notes.rewritten(manifests),
        *notes.unevaluated_notes(norms.custom, norms.engine),
        *notes.clamped_version_notes(linter.versions, norms.contracts),
        *map(notes.split_note, grouping.splits),
        *notes.open_cluster_notes(groups, closed=options.closed),
        *notes.unsubstituted_note(manifests, linter.substituted),
    ]
    documents = sum(len(file.others) + bool(file.template) for file in manifests.files.values())
    return LintResult(tuple(findings), len(linter.counted) - linter.skipped, linter.skipped + documents)


class _Linter:
    """Checks each object against its contract once, and caches the result: groups can share files."""

    def __init__(self, norms: Norms, options: LintOptions, manifests: Manifests) -> None:
        self.norms, self.options, self.locked = norms, options, dict(options.locked)
        self.objects = {name: file.objects for name, file in manifests.files.items()}
        self.flux = is_flux(self.objects)
        every = chain.from_iterable(self.objects.values())
        norms.run_cache[ELSEWHERE] = frozenset(identity(loaded.body) for loaded in every)
        self.incomplete = incomplete(manifests.kustomizations, manifests.files)
        self.variables = variables(manifests.kustomizations)
        self.replaced = replaced_fields(manifests.kustomizations, manifests.texts)
        self.copies = Copies(self.objects, self.incomplete)
        self.findings: list[Diagnostic] = []
        self.counted: set[int] = set()  # ids of objects
        self.skipped = 0
        self.cache: dict[tuple[Hashable, ...], Item | None] = {}
        self.substituted: set[int] = set()  # ids of objects into which Flux fills values
        self.versions: dict[str, str] = {}

    def version(self, files: Iterable[str]) -> str:
        """The Kubernetes version ("1.34") whose schemas are used for files that are applied together."""
        versions = {self.locked[file] for file in files if file in self.locked}
        version = versions.pop() if len(versions) == 1 else self.options.kubernetes
        return self.versions.setdefault(version, self.norms.contracts.clamp(version))

    def items(self, objects: Sequence[Loaded], part: Part, minor: str) -> Iterator[Item]:
        """The objects of a file as they are applied in a group; `minor` is the Kubernetes version ("1.34")."""
        how = how_applied(part)
        for loaded in objects:
            key = (id(loaded), minor, *how)
            if key not in self.cache:
                self.cache[key] = self._check(loaded, part, minor)
            item = self.cache[key]
            if item is not None:
                yield as_applied(item, loaded, part)

    def chart_values(self, values: Values, minor: str) -> Item:
        """The values of a chart as an object of a group."""
        item, _ = item_of(Given(values.body, values.places), minor, self.norms)
        return item

    def prepare(self, groups: Iterable[Group], grouping: Grouping, extra: Sequence[Values]) -> Iterator[Prepared]:
        """The objects of each group as they are applied, checked against their contracts."""
        for group in groups:
            minor = self.version(part.file for part in group.parts)
            items: list[Item] = []
            for part in group.parts:
                items += self.items(self.objects.get(part.file, ()), part, minor)
            values = [self.chart_values(values, minor) for values in (*extra, *values_beside(group, grouping))]
            whole = without_applied_patches(items)
            kept = [*(deduplicate(whole) if group.loose else whole), *values]
            closed, beyond = self.options.closed and not group.piece, kinds_with_unknown_names(kept)
            by_hand = group.by_hand and not self.options.closed
            yield Prepared(kept, minor, Extent(closed, group.beyond | beyond, by_hand))

    def check_groups(self, groups: Sequence[Equal]) -> list[GroupFindings]:
        """The findings of the rules. Processes share out small groups; for a large group, they share out its rules."""
        return spread_groups(groups, partial(check_copies, check=self._check_group), self.options.jobs, rules_about)

    def _check_group(self, group: Prepared) -> list[Diagnostic]:
        look = partial(rule_findings, minor=group.minor, norms=self.norms, extent=group.extent)
        return certain_findings(group.items, look)

    def _check(self, loaded: Loaded, part: Part, minor: str) -> Item | None:
        """The object as rules see it; None if it is skipped or deleted. Counts it, and adds to `findings`."""
        is_new = id(loaded) not in self.counted
        self.counted.add(id(loaded))
        api_version, kind = loaded.body["apiVersion"], loaded.body["kind"]
        by_user = not self.options.skip.isdisjoint((kind, f"{api_version}/{kind}"))
        if by_user or is_ours(loaded.body) or api_version == "builtin":  # a Kustomize transformer
            self.skipped += is_new
            return None
        if part.by and part.by.fill:
            self.substituted.add(id(loaded))
        item, faults = self.copies.check(loaded, part, minor, self._check_delivered)
        if item is None:
            return None
        self.findings += [fault for fault in faults if fault.code != UNKNOWN]
        self.skipped += is_new and item.scope is Scope.UNKNOWN
        if self.options.strict and not self.options.ignore_missing:
            unknown = (fault for fault in faults if fault.code == UNKNOWN)
            self.findings += [fault._replace(code="LNT005", severity=Severity.ERROR) for fault in unknown]
        return item

    def _check_delivered(self, loaded: Loaded, part: Part, minor: str) -> tuple[Item | None, list[Diagnostic]]:
        """The object after patches and substitution, and the faults that its file has too. None if it is deleted."""

        def look(now: Given) -> tuple[Item, list[Diagnostic]]:
            known, by_hand = self.incomplete, part.by is None
            return check_partial(
                now, loaded.file, known, lambda whole: item_of(whole, minor, self.norms), by_hand=by_hand
            )

        def check(body: dict[str, Any]) -> tuple[Item, list[Diagnostic]]:
            filled = with_variables(unseal(substitute(body, fill) if fill else Substituted(body)), self.variables)
            filled = with_replaced_fields(filled, self.replaced, part.namespace)
            return check_substituted(Given(body, loaded.places, part.patch), filled, look)

        fill = (part.by.fill if part.by else None) or (Fill() if self.flux else None)
        if not (fill or part.changes or self.variables or self.replaced or "sops" in loaded.body):  # most objects
            return look(Given(loaded.body, loaded.places, part.patch))
        body = apply_patches(loaded.body, part.changes, part.namespace) if part.changes else loaded.body
        if body is None:
            return None, []
        item, faults = check(body)
        if body == loaded.body:
            return item, faults
        return item._replace(written=body), in_both(faults, check(loaded.body)[1])


def allowances(manifests: Manifests) -> Iterator[Allowed]:
    """The findings that annotations of objects allow."""
    for file in manifests.files.values():
        for loaded in file.objects:
            text = text_at(loaded.body, "metadata", "annotations", ANNOTATION)
            if text:
                place = loaded.places.span(("metadata", "annotations", ANNOTATION))
                yield from annotation_allowances(text, place, identity(loaded.body).ref)
