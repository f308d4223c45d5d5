"""The results of an import, for its reports."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gitgpu.adopt.adoption import Fate, Inferred, Outcome
from gitgpu.adopt.first_build.software_change import SoftwareChange
from gitgpu.adopt.replaced import Replaced
from gitgpu.adopt.verdict import PoolVerdict
from gitgpu.diagnostic import Diagnostic, Places, Severity
from gitgpu.inventory.observed import Observed, Skipped
from gitgpu.model.names.kinds import (
    CLUSTER_TRIGGER_AUTHENTICATION,
    HELM_VALUES,
    HORIZONTAL_POD_AUTOSCALER,
    MANAGED_CLUSTERS_AGENT_POOL,
    NODE_POOL,
    SCALED_JOB,
    SCALED_OBJECT,
    TRIGGER_AUTHENTICATION,
)
from gitgpu.report.findings import Style, place
from gitgpu.report.long_values import short
from gitgpu.report.terminal import paint, printable
from gitgpu.source import Pointer, Span
from gitgpu.spelling import count_text

_SHAPES = {HELM_VALUES.kind: "Helm release", MANAGED_CLUSTERS_AGENT_POOL.kind: "node pool"}
_SCALERS = frozenset(
    {
        CLUSTER_TRIGGER_AUTHENTICATION.kind,
        HORIZONTAL_POD_AUTOSCALER.kind,
        SCALED_JOB.kind,
        SCALED_OBJECT.kind,
        TRIGGER_AUTHENTICATION.kind,
    }
)
_POOLS = (NODE_POOL.kind, MANAGED_CLUSTERS_AGENT_POOL.kind)
_NAME: Pointer = ("metadata", "name")
LOST = (Fate.INEXPRESSIBLE, Fate.WRONG)  # fates of GPU settings that are not in the fleet


class Reported(NamedTuple):
    """The outcome for an object or a field, and the places of the document that it is in; None if it is in none."""

    outcome: Outcome
    document: Places | None = None

    @property
    def spec(self) -> Span | None:
        """The place in the spec; None if it is not in the spec. Found when it is asked for: a report shows few."""
        into = self.outcome.into
        return self.document.span(into.pointer, key=bool(into.pointer)) if into and self.document else None

    @property
    def place(self) -> Span:
        """The place in the input."""
        return self.outcome.observed.places.span(self.outcome.pointer)

    @property
    def field(self) -> str:
        """The path of the field; "" for the whole object."""
        return dotted_pointer(self.outcome.pointer)


class ImportReport(NamedTuple):
    """Everything about an import. `written` are the files, `texts` their contents if they are only shown.

    `checked` is true if an existing fleet was compared and nothing was written.
    """

    folder: str
    outcomes: tuple[Reported, ...]
    verdicts: tuple[PoolVerdict, ...]
    skipped: tuple[Skipped, ...] = ()
    inferred: tuple[Inferred, ...] = ()
    findings: tuple[Diagnostic, ...] = ()
    written: tuple[str, ...] = ()
    texts: tuple[tuple[str, str], ...] = ()
    checked: bool = False
    replaced: tuple[Replaced, ...] = ()
    software: tuple[SoftwareChange, ...] = ()

    def software_of(self, verdict: PoolVerdict) -> str:
        """What the first build does to the software on the nodes of a pool: keep, change, or unknown."""
        changes_on_nodes = [
            change.certain
            for change in self.software
            if change.cluster == verdict.cluster and verdict.change.name in change.pools
        ]
        if not changes_on_nodes:
            return "keep"
        return "change" if any(changes_on_nodes) else "unknown"

    @property
    def changes(self) -> list[Reported]:
        """The fields that the first build changes, without those of charts, which are changes of software."""
        titles = {change.title for change in self.software}
        return [reported for reported in self.of(Fate.CHANGED) if reported.outcome.observed.name not in titles]

    def of(self, *fates: Fate) -> list[Reported]:
        """The outcomes with one of these fates, in the order of the input."""
        return [reported for reported in self.outcomes if reported.outcome.fate in fates]

    @property
    def missing(self) -> list[Inferred]:
        """The keys that have to be filled in."""
        return [value for value in self.inferred if value.missing]

    @property
    def evident(self) -> list[Inferred]:
        """The keys whose values have some evidence."""
        return [value for value in self.inferred if not value.missing]

    @property
    def incomplete(self) -> bool:
        """Whether anything about GPUs is not in the fleet, a pool loses nodes, a value is missing, or a build fails."""
        fails = any(finding.severity is Severity.ERROR for finding in self.findings)
        lost = bool(self.of(*LOST) or self.missing or fails)
        return lost or not all(verdict.keeps_nodes for verdict in self.verdicts)


@dataclass(frozen=True, slots=True)
class ImportFormat:
    """An output format of an import."""

    name: str
    render: Callable[[ImportReport, Style], str]


def contents(report: ImportReport, style: Style) -> str:
    """The files that are only shown, each below its path. To be copied, their lines must not be broken."""
    lines: list[str] = []
    for name, text in report.texts:
        lines += [paint(f"==> {printable(name)} <==", "1", colour=style.colour), *text.splitlines(), ""]
    return "".join(f"{line}\n" for line in lines)


def dotted_pointer(pointer: Pointer) -> str:
    """A pointer with dots: spec.template.metadata.labels."""
    return ".".join(map(_quoted, pointer))


def _quoted(part: str | int) -> str:
    return f'"{part}"' if "." in str(part) else str(part)


def headline(report: ImportReport) -> str:
    """Both verdicts in one line: about the nodes, and about the software on them."""
    if not report.verdicts:
        lost_pools = sum(map(_is_lost_pool, report.outcomes))
        return f"{count_text(lost_pools, 'GPU pool')}: none is adopted" if lost_pools else "no GPU pool to adopt"
    return f"{_nodes_text(report)}; {_software_text(report)}"


def _is_lost_pool(reported: Reported) -> bool:
    outcome = reported.outcome
    return outcome.fate in LOST and not outcome.pointer and outcome.observed.body.get("kind") in _POOLS


def _software_text(report: ImportReport) -> str:
    counts = Counter(map(report.software_of, report.verdicts))
    parts = [f"changes on {counts['change']}"] if counts["change"] else []
    parts += [f"unknown on {counts['unknown']}"] if counts["unknown"] else []
    return f"software {', '.join(parts)}" if parts else "software unchanged"


def _nodes_text(report: ImportReport) -> str:
    counts = Counter(verdict.word for verdict in report.verdicts)
    pools = len(report.verdicts)
    if counts["keep"] == pools:
        return f"{count_text(pools, 'GPU pool')}: no node is replaced"
    parts = (
        (counts["replace"], "would lose nodes"),
        (counts["unknown"], "unknown"),
        (counts["keep"], "keeps its nodes" if counts["keep"] == 1 else "keep their nodes"),
    )
    return f"{count_text(pools, 'GPU pool')}: {', '.join(f'{count} {what}' for count, what in parts if count)}"


def adopted_objects(reported: Sequence[Reported]) -> list[Reported]:
    """An outcome with its place in the spec for each object that is in the fleet, as a whole or field by field.

    If an object has several outcomes, it is that of the whole object or of its name. A file that several clusters share
    has one for each cluster.
    """
    adopted: dict[tuple[str, Span, str], Reported] = {}
    last, place_of_last = None, Span("")
    for line in reported:
        observed, into = line.outcome.observed, line.outcome.into
        if observed is not last:  # the outcomes of an object follow each other
            last, place_of_last = observed, observed.places.span()
        if line.document and into:
            key = (observed.name, place_of_last, into.name if into.kind == "Cluster" else into.cluster)
            if key not in adopted or adopted[key].outcome.pointer not in ((), _NAME):
                adopted[key] = line
    return list(adopted.values())


def objects_left(reported: Sequence[Reported]) -> list[tuple[str, str]]:
    """Whole objects that stay with their owners: their number by kind, and the reason."""
    counts = Counter(
        (_kind(line.outcome.observed), line.outcome.reason) for line in reported if not line.outcome.pointer
    )
    return [(count_text(count, kind), reason) for (kind, reason), count in sorted(counts.items())]


def _kind(observed: Observed) -> str:
    """The kind of an object as in its document: some objects are converted from another format when they are read."""
    kind = str(observed.body.get("kind", "object"))
    return short(kind) if observed.name.startswith(short(kind)) else _SHAPES.get(kind, short(kind))


def skipped_lines(skipped: Sequence[Skipped]) -> list[str]:
    """What is not an object of a cluster, without duplicates: its place, its name unless that is the file, and why.

    Objects of one kind that are skipped for the same reason, such as nodes, are counted, at the place of the first.
    """
    alike: dict[tuple[str, str], list[Skipped]] = {}
    for entry in skipped:
        kind, slash, _ = entry.name.partition("/")
        is_counted = slash and " " not in kind and entry.observed is None
        alike.setdefault((kind if is_counted else f"{place(entry.span)} {entry.name}", entry.reason), []).append(entry)
    lines: list[str] = []
    for (kind, reason), entries in alike.items():
        first = entries[0]
        name = "" if first.name == first.span.file else f"{first.name}: "
        different = {(entry.name, entry.span) for entry in entries}
        what = name if len(different) == 1 else f"{count_text(len(different), kind)}: "
        lines.append(f"{place(first.span)}: {what}{reason}")
    return list(dict.fromkeys(lines))


def scalers_of(adopted: Sequence[Reported]) -> tuple[list[Reported], list[str]]:
    """The adopted objects without scalers that share their kind, and a line for each such kind."""
    counts = Counter(kind for line in adopted if (kind := str(line.outcome.observed.body.get("kind", ""))) in _SCALERS)
    several = {kind for kind, count in counts.items() if count > 1}
    other_lines = [line for line in adopted if line.outcome.observed.body.get("kind") not in several]
    return other_lines, [f"{count_text(counts[kind], kind)}: scaling of their GpuWorkloads" for kind in sorted(several)]


def findings_once(findings: Sequence[Diagnostic]) -> list[tuple[Diagnostic, int]]:
    """The findings, each at its first place, with the number of other places that have the same one."""
    alike = Counter((finding.code, finding.message, finding.help) for finding in findings)
    first = {(finding.code, finding.message, finding.help): finding for finding in reversed(findings)}
    return [(first[key], count - 1) for key, count in alike.items()]
