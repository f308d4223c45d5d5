"""Advisories, and what of a fleet they affect: as text, JSON or Markdown."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from gitgpu.model.dates import evidence_day, is_old
from gitgpu.model.software.advisories import Advisory, Verdict
from gitgpu.report.envelope import envelope
from gitgpu.report.findings import Style
from gitgpu.report.markdown_text import cell
from gitgpu.report.table import layout
from gitgpu.rules.inputs.advised import Affected
from gitgpu.spelling import comma_separated, count_text, join_names

_HEADERS = ("ADVISORY", "SEVERITY", "SUBJECT", "CLUSTERS")
_MAX_NAMED = 4  # the most clusters that are named
_UNREAD = {  # facts by the keys of a match
    "sizes": "the size",
    "families": "the size",
    "gpus": "the size",
    "imageFamily": "the operating system of the node",
    "driver": "what installs the driver",
    "nodeImage": "the node image",
    "kubernetes": "the patch version of Kubernetes",
    "containerd": "the version of containerd",
    "rdma": "whether the node has InfiniBand",
    "karpenter": "the version of Karpenter",
    "version": "the version",
}


class Entry(NamedTuple):
    """An advisory with what it certainly or possibly affects. A suppressed one is listed, but does not count."""

    advisory: Advisory
    affected: tuple[Affected, ...] = ()
    suppressed: bool = False

    @property
    def is_certain(self) -> bool:
        """Whether something is certainly affected."""
        return any(each.match.verdict is Verdict.YES for each in self.affected)

    @property
    def counts(self) -> bool:
        """Whether something is affected that the user has not suppressed."""
        return self.is_certain and not self.suppressed


class AdvisoryList(NamedTuple):
    """The entries to list, out of all advisories; `every` says that no fleet was compared with them."""

    entries: tuple[Entry, ...]
    known: tuple[Advisory, ...]
    today: str
    every: bool = False


def entries(
    found: Iterable[Affected], reported: Collection[str], known: tuple[Advisory, ...], today: str
) -> AdvisoryList:
    """An entry for each advisory that affects or may affect a fleet; `reported` are the codes of all its findings."""
    by_id: dict[str, list[Affected]] = {}
    for each in found:
        by_id.setdefault(each.advisory.id, []).append(each)
    listed = []
    for advisory in known:
        if affected := by_id.get(advisory.id):
            entry = Entry(advisory, tuple(affected))
            listed.append(entry._replace(suppressed=entry.is_certain and advisory.id not in reported))
    return AdvisoryList(tuple(listed), known, today)


def every_entry(known: tuple[Advisory, ...], today: str) -> AdvisoryList:
    """An entry for each advisory, without a fleet."""
    return AdvisoryList(tuple(map(Entry, known)), known, today, every=True)


def as_text(listed: AdvisoryList, style: Style) -> str:
    """What is affected, then what may be, and how old the list is."""
    certain, possible = _parts(listed)
    blocks = ["No advisory is certain to affect this fleet.\n"]
    if certain:
        blocks = [_table(("ADVISORY", "SEVERITY") if listed.every else _HEADERS, certain, style)]
    if possible:
        head = "These may apply, which depends on facts that a fleet does not say:\n\n"
        blocks.append(head + _table(_HEADERS, possible, style))
    return "\n".join((*blocks, _age(listed)))


def _parts(listed: AdvisoryList) -> tuple[list[Entry], list[Entry]]:
    """The entries that affect the fleet, and those that may."""
    certain = [entry for entry in listed.entries if entry.is_certain or listed.every]
    return certain, [entry for entry in listed.entries if entry not in certain]


def _table(headers: Sequence[str], rows: Sequence[Entry], style: Style) -> str:
    head, texts = layout(headers, (_cells(row)[: len(headers)] for row in rows), style)
    blocks = []
    for row, text in zip(rows, texts, strict=True):
        blocks.append(text + "".join(f"  {line}\n" for line in _lines(row)))
    return head + "".join(blocks)


def _cells(entry: Entry) -> tuple[str, str, str, str]:
    wanted = Verdict.YES if entry.is_certain else Verdict.UNKNOWN
    shown = [each.subject for each in entry.affected if each.match.verdict is wanted]
    titles = list(dict.fromkeys(subject.title for subject in shown))
    clusters = list(dict.fromkeys(subject.cluster for subject in shown))
    severity = entry.advisory.severity.value + (", suppressed" if entry.suppressed else "")
    return entry.advisory.id, severity, comma_separated(titles, _MAX_NAMED), comma_separated(clusters, _MAX_NAMED)


def _lines(entry: Entry) -> Iterator[str]:
    advisory = entry.advisory
    yield f"{advisory.title}: {advisory.effect}"
    if entry.affected and not entry.is_certain:
        yield f"depends on: {join_names(_unread(entry))}"
    yield f"help: {advisory.remedy}"
    if advisory.rules and not entry.affected:
        yield f"reported by: {join_names(list(advisory.rules))}"
    yield f"source: {advisory.sources[0]}"


def _unread(entry: Entry) -> list[str]:
    keys = (key for each in entry.affected for key in each.match.unread)
    return list(dict.fromkeys(_UNREAD[key] for key in keys))


def _age(listed: AdvisoryList) -> str:
    if not listed.known:
        return "The catalog has no advisories.\n"
    newest, checked = _days(listed.known)
    number = count_text(len(listed.known), "advisory")
    text = f"{number} in the catalog: newest source {newest}, last checked {checked}."
    if is_old(newest, listed.today):
        text += f" On {listed.today} this list is old: update gitgpu, or add rows to your own catalog."
    return text + "\n"


def _days(known: Sequence[Advisory]) -> tuple[str, str]:
    """The date of the newest source, and the day on which a row was last checked."""
    return max(evidence_day(each.facts) for each in known), max(str(each.facts["verified"]) for each in known)


def as_markdown(listed: AdvisoryList) -> str:
    """The same for a pull request or an issue."""
    certain, possible = _parts(listed)
    lines = [] if certain else ["**gitgpu advisories: none is certain to affect this fleet.**", ""]
    for title, rows in (("" if listed.every else "Affected", certain), ("May be affected", possible)):
        if not rows:
            continue
        headers = ("advisory", "severity", "affects", "clusters", "what happens", "help")
        lines += [f"## {title}", ""] if title else []
        lines += [f"| {' | '.join(headers)} |", f"|{' --- |' * len(headers)}"]
        for row in rows:
            depends = f" Depends on {join_names(_unread(row))}." if row in possible else ""
            cells = (*_cells(row), f"{row.advisory.title}: {row.advisory.effect}.{depends}", row.advisory.remedy)
            lines.append(f"| {' | '.join(map(cell, cells))} |")
        lines.append("")
    return "".join(f"{line}\n" for line in (*lines, _age(listed).rstrip()))


def as_json(listed: AdvisoryList) -> str:
    """The entries with their sources, and how old the list is."""
    newest, checked = _days(listed.known) if listed.known else (None, None)
    content = {
        "advisories": [_entry(entry) for entry in listed.entries],
        "affected": sum(entry.counts for entry in listed.entries),
        "list": {"advisories": len(listed.known), "asOf": newest, "verified": checked},
    }
    return envelope("AdvisoryList", content)


def _entry(entry: Entry) -> dict[str, Any]:
    advisory = entry.advisory
    verdict = Verdict.YES if entry.is_certain else Verdict.UNKNOWN
    return {
        "id": advisory.id,
        "title": advisory.title,
        "severity": advisory.severity.value,
        "verdict": verdict.value if entry.affected else None,
        "suppressed": entry.suppressed,
        "effect": advisory.effect,
        "remedy": advisory.remedy,
        "match": dict(advisory.match),
        "from": advisory.begins or None,
        "until": advisory.until or None,
        "rules": list(advisory.rules),
        "sources": list(advisory.sources),
        "asOf": advisory.facts.get("asOf"),
        "verified": str(advisory.facts["verified"]),
        "subjects": [
            {
                "cluster": each.subject.cluster,
                "name": each.subject.title,
                "verdict": each.match.verdict.value,
                "unread": list(each.match.unread),
            }
            for each in entry.affected
        ],
    }
