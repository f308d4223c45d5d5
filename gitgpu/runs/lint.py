"""Manifests to findings: objects are grouped, then checked against their contracts and by the rules."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import chain
from typing import NamedTuple

from gitgpu.access import text_at
from gitgpu.counting import Count, no_count
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.helm_values import Values
from gitgpu.objects.grouping import notes
from gitgpu.objects.grouping.applied import deduplicate, without_applied_patches
from gitgpu.objects.grouping.applied_together import group_files
from gitgpu.objects.grouping.chart_values import values_beside
from gitgpu.objects.grouping.checked_items import CheckedItems
from gitgpu.objects.grouping.copies import Terms
from gitgpu.objects.grouping.groups import Group, Grouping, unlike
from gitgpu.objects.grouping.substituted import bare_item, certain_findings, kinds_with_unknown_names
from gitgpu.objects.grouping.two_fleets import two_fleets
from gitgpu.objects.installed_releases import installed_releases, newer_installed_definitions, releases_by_group
from gitgpu.objects.items import item_of
from gitgpu.objects.manifest.manifests import Manifests, strictly
from gitgpu.objects.norms import Norms
from gitgpu.objects.objects import ELSEWHERE, Extent, Given, Item, identity
from gitgpu.policy import ANNOTATION, Allowed, annotation_allowances
from gitgpu.rules.object_findings import rule_findings
from gitgpu.rules.object_rulebook import rules_about
from gitgpu.runs.lint_groups import Equal, GroupFindings, Prepared, batches, check_copies, check_once, spread_groups

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
    "LNT014",
    "LNT015",
    "LNT016",
    "LNT017",
    "LNT018",
)
UNKNOWN = "CNF002"  # the note about an object whose kind has no schema


class LintOptions(NamedTuple):
    """How to lint. `skip` names kinds ("ConfigMap" or "v1/ConfigMap") that are not checked.

    `strict` reports what is skipped otherwise: kinds without a schema (not with `ignore_missing`), and files without
    Kubernetes objects. `named` are the files that the user named explicitly: if they contain other documents, there is
    a note. `closed` means that the cluster has no other objects, so that missing objects are reported. `locked` are
    (file, Kubernetes version) for files of a build that records its version. `jobs` is the number of processes; None
    chooses it by the amount of work. `on_count` gets the number of objects that are checked.
    """

    kubernetes: str
    skip: frozenset[str] = frozenset()
    strict: bool = False
    ignore_missing: bool = False
    named: frozenset[str] = frozenset()
    closed: bool = False
    locked: frozenset[tuple[str, str]] = frozenset()
    jobs: int | None = 1
    on_count: Count = no_count


class LintResult(NamedTuple):
    """The findings, the number of objects that were checked, and the number of documents that were skipped."""

    diagnostics: tuple[Diagnostic, ...]
    objects: int
    skipped: int


def lint(manifests: Manifests, extra: Iterable[Values], norms: Norms, options: LintOptions) -> LintResult:
    """All findings in the objects of some files. The values of charts in `extra` are checked with every group."""
    every_object = chain.from_iterable(file.objects for file in manifests.files.values())
    norms.run_cache[ELSEWHERE] = frozenset(identity(loaded.body) for loaded in every_object)
    findings = [*strictly(manifests, strict=options.strict)]
    grouping = group_files(manifests)
    groups = grouping.groups
    norms = replace(
        norms,
        find_versions=partial(installed_releases, groups, manifests, norms.contracts),
        find_definitions=cache(partial(newer_installed_definitions, manifests, norms.contracts)),
    )
    linter = _Linter(norms, options, CheckedItems(manifests, norms, options.skip))
    for batch in batches(linter.prepare(unlike(groups) or [Group([])], grouping, list(extra))):
        findings += check_once(batch, linter.check_groups)
    checked = linter.checked
    findings += [
        *_reported(checked.faults, options),
        *notes.not_objects(manifests, options.named, strict=options.strict),
        *notes.rewriting_note(manifests),
        *notes.unevaluated_notes(norms.custom, norms.engine),
        *notes.clamped_version_notes(linter.versions, norms.contracts),
        *map(notes.split_note, grouping.splits),
        *notes.open_cluster_notes(groups, closed=options.closed),
        *notes.unsubstituted_note(manifests, checked.substituted),
        *notes.unread_pods(checked.every()),
        *two_fleets(manifests),
    ]
    documents = sum(len(file.others) + bool(file.template) for file in manifests.files.values())
    return LintResult(tuple(findings), len(checked.counted) - checked.skipped, checked.skipped + documents)


class _Linter:
    """Prepares the groups of a run, and applies the rules to them."""

    def __init__(self, norms: Norms, options: LintOptions, checked: CheckedItems) -> None:
        self.norms, self.options, self.checked = norms, options, checked
        self.locked = dict(options.locked)
        self.seen, self.total = 0, sum(len(file.objects) for file in checked.manifests.files.values())
        self.versions: dict[str, str] = {}

    def version(self, files: Iterable[str]) -> str:
        """The Kubernetes version ("1.34") whose schemas are used for files that are applied together."""
        versions = {self.locked[file] for file in files if file in self.locked}
        version = versions.pop() if len(versions) == 1 else self.options.kubernetes
        return self.versions.setdefault(version, self.norms.contracts.clamp(version))

    def chart_values(self, values: Values, minor: str) -> Item:
        """The values of a chart as an object of a group."""
        item, _ = item_of(Given(values.body, values.places), minor, self.norms)
        return item

    def prepare(self, groups: Sequence[Group], grouping: Grouping, extra: Sequence[Values]) -> Iterator[Prepared]:
        """The objects of each group as they are applied, checked against their contracts."""
        installed = releases_by_group(groups, self.checked.manifests, self.norms.contracts)
        for group, versions in zip(groups, installed, strict=True):
            minor = self.version(part.file for part in group.parts)
            items: list[Item] = []
            for part in group.parts:
                items += self.checked.of_part(part, Terms(minor, versions))
            values = [self.chart_values(values, minor) for values in (*extra, *values_beside(group, grouping))]
            whole = without_applied_patches(items)
            kept = [*(deduplicate(whole) if group.loose else whole), *values]
            closed, beyond = self.options.closed and not group.piece, kinds_with_unknown_names(kept)
            joined = self.options.closed or len(group.parts) == 1  # the objects of one file are applied together
            by_hand = group.by_hand and not joined
            yield Prepared(kept, minor, Extent(closed, group.beyond | beyond, by_hand), versions)

    def check_groups(self, groups: Sequence[Equal]) -> list[GroupFindings]:
        """The findings of the rules. Processes share out small groups; for a large group, they share out its rules."""
        check = partial(check_copies, check=self._check_group)
        return spread_groups(groups, check, self.options.jobs, rules_about, self._count)

    def _count(self, objects: int) -> None:
        """Counts objects. Those that several groups share are checked in each, so there can be more than were read."""
        self.seen += objects
        self.options.on_count(min(self.seen, self.total), self.total)

    def _check_group(self, group: Prepared) -> list[Diagnostic]:
        norms = self.norms.running(group.versions)
        look = partial(rule_findings, minor=group.minor, norms=norms, extent=group.extent, advise=True)
        findings = look(group.items)
        if not any(item.holes for item in group.items):
            return findings
        return certain_findings(findings, look(map(bare_item, group.items)), group.items)


def _reported(faults: Iterable[Diagnostic], options: LintOptions) -> Iterator[Diagnostic]:
    """The faults of objects to report. That a kind has no schema is an error with `strict`, and nothing otherwise."""
    for fault in faults:
        if fault.code != UNKNOWN:
            yield fault
        elif options.strict and not options.ignore_missing:
            yield fault._replace(code="LNT005", severity=Severity.ERROR)


def allowances(manifests: Manifests) -> Iterator[Allowed]:
    """The findings that annotations of objects allow."""
    for file in manifests.files.values():
        for loaded in file.objects:
            text = text_at(loaded.body, "metadata", "annotations", ANNOTATION)
            if text:
                place = loaded.places.span(("metadata", "annotations", ANNOTATION))
                yield from annotation_allowances(text, place, identity(loaded.body).ref)
