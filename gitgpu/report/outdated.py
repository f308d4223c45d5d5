"""The charts and images of a fleet that have newer versions: as text, JSON or Markdown."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from gitgpu.model.software.compatibility import Conflict
from gitgpu.model.software.outdated import DRIVER, KUBERNETES, Standing
from gitgpu.model.software.support import Support
from gitgpu.report.envelope import envelope
from gitgpu.report.findings import Style
from gitgpu.report.markdown_text import cell
from gitgpu.report.table import layout
from gitgpu.spelling import comma_separated

MAX_NAMED = 4  # the most clusters that are named
_NAMES = {KUBERNETES: "Kubernetes", DRIVER: "GPU driver"}  # in sentences
_SUPPORT = {
    Support.DEPRECATED: "is deprecated: it gets only fixes of critical bugs and vulnerabilities",
    Support.ENDED: "is no longer supported",
}
HEADERS = ("name", "version", "pinned", "compatible", "newest", "clusters")


def as_text(rows: Sequence[Standing], style: Style) -> str:
    """Tables by ring of what has a newer version, with the reason if that is not compatible or not in the catalog."""
    newer = [row for row in rows if row.version != row.newest or row.missing]
    if not newer:
        return "Everything is up to date.\n"
    head, texts = layout([header.upper() for header in HEADERS], map(_cells, newer), style)
    text_of = dict(zip(newer, texts, strict=True))
    rings = []
    for ring, standings in groupby(newer, lambda row: row.ring):
        text = f"ring {ring}\n{head}" if ring else head
        for row in standings:
            text += text_of[row] + "".join(f"  {reason}\n" for reason in _reasons(row))
        rings.append(text)
    return "\n".join(rings)


def as_markdown(rows: Sequence[Standing]) -> str:
    """The same tables for a pull request or an issue."""
    newer = [row for row in rows if row.version != row.newest or row.missing]
    if not newer:
        return "**gitgpu outdated: everything is up to date.**\n"
    lines = []
    for ring, standings in groupby(newer, lambda row: row.ring):
        lines += [f"## ring {cell(ring)}", ""] if ring else []
        lines += [f"| {' | '.join(HEADERS)} | why not |", f"|{' --- |' * (len(HEADERS) + 1)}"]
        lines += map(_markdown_row, standings)
        lines.append("")
    return "".join(f"{line}\n" for line in lines[:-1])


def _markdown_row(row: Standing) -> str:
    cells = (*_cells(row), "; ".join(_reasons(row)))
    return f"| {' | '.join(map(cell, cells))} |"


def as_json(rows: Sequence[Standing]) -> str:
    """Every chart and image, including those without newer versions."""
    outdated = sum(row.is_outdated for row in rows)
    return envelope("Outdated", {"software": [_row(row) for row in rows], "outdated": outdated})


def _row(row: Standing) -> dict[str, Any]:
    return {
        "ring": row.ring or None,
        "clusters": list(row.clusters),
        "name": row.software,
        "version": row.version,
        "pinned": row.pinned,
        "newestCompatible": row.compatible,
        "newest": row.newest,
        "outdated": row.is_outdated,
        "whyNot": [_conflict(obstacle) for obstacle in row.obstacles],
        "blocked": row.blocked and {"version": row.blocked.new, "why": row.blocked.why},
        "support": row.support and row.support.value,
        "untested": [_conflict(conflict) for conflict in row.untested],
        "missing": [missing._asdict() for missing in row.missing],
    }


def _conflict(conflict: Conflict) -> dict[str, str]:
    return {
        "name": conflict.software,
        "version": conflict.version,
        "with": f"{conflict.other} {conflict.other_version}",
        "why": conflict.why,
        "source": conflict.source,
    }


def _cells(row: Standing) -> tuple[str, ...]:
    pinned = "yes" if row.pinned else "no"
    return row.software, row.version, pinned, row.compatible, row.newest, comma_separated(row.clusters, MAX_NAMED)


def _reasons(row: Standing) -> Iterator[str]:
    if row.support:
        yield f"{row.software} {row.version} {_SUPPORT[row.support]}"
    for conflict in row.obstacles:
        yield _reason(conflict, "is not compatible with")
    if row.blocked:
        first = f"; upgrade to {row.compatible} first" if row.is_outdated else ""
        yield f"the upgrade from {row.version} to {row.blocked.new} is blocked: {row.blocked.why.rstrip('.')}{first}"
    for conflict in row.untested:
        yield _reason(conflict, "is not tested with")
    for missing in row.missing:
        yield f"the catalog does not have {row.software} {missing.version}: {missing.why} ({missing.tried})"


def _reason(conflict: Conflict, verb: str) -> str:
    other = _NAMES.get(conflict.other, conflict.other)
    versions = f"{conflict.software} {conflict.version} {verb} {other} {conflict.other_version}"
    return f"{versions}: {conflict.why} ({conflict.source})"
