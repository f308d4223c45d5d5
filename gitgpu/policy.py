"""What somebody chose to look at, and what was allowed with a reason: settles which findings of rules are told.

A finding is allowed by a comment on its line (`# gitgpu: ignore[CODE] why`), by the annotation gitgpu.dev/ignore of
its object, or by an entry of the configuration. Faults that are no rule's cannot be allowed: what cannot be read
cannot be judged.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from gitgpu.diagnostic import Diagnostic, ObjectRef, Severity
from gitgpu.load.config import Allowance
from gitgpu.source import Span

ANNOTATION = "gitgpu.dev/ignore"
ALWAYS = ("ALW", "CAT", "CFG", "INP", "LNK", "OUT", "SHP", "YML")  # faults that no rule found
_COMMENT = re.compile(r"#\s*gitgpu:\s*ignore\b(?:\[([^\]\n]*)\])?([^\n]*)")
_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")  # the breaks by which YAML counts lines
_UNUSED, _NO_REASON, _EXPIRED = "ALW001", "ALW002", "ALW003"


@dataclass(frozen=True, slots=True)
class Allowed:
    """One allowance: its codes, its reason, where it is written, and which findings of these codes it is about."""

    codes: tuple[str, ...]
    reason: str
    place: Span
    covers: Callable[[Diagnostic], bool]
    until: str = ""


@dataclass(frozen=True, slots=True)
class Policy:
    """`select` and `ignore` are beginnings of codes; without `select` all are told. `today` is an ISO date or ""."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    allow: tuple[Allowed, ...] = ()
    today: str = ""

    def wants(self, code: str) -> bool:
        """Are findings of this code told?"""
        if code.startswith(ALWAYS):
            return True
        return (not self.select or code.startswith(self.select)) and not code.startswith(self.ignore or ("\0",))


def settle(found: Iterable[Diagnostic], written: Iterable[Allowed], policy: Policy) -> list[Diagnostic]:
    """The findings that are told, and what is wrong with the allowances; `written` are those beside the findings."""
    allowances = [*written, *policy.allow]
    live = [one for one in allowances if one.reason and not _is_over(one, policy.today)]
    used: set[int] = set()
    told = []
    for diagnostic in found:
        if not policy.wants(diagnostic.code):
            continue
        by = [one for one in live if diagnostic.code in one.codes and not diagnostic.code.startswith(ALWAYS)]
        covering = {id(one) for one in by if one.covers(diagnostic)}
        used |= covering
        if not covering:
            told.append(diagnostic)
    return [*told, *(fault for one in allowances for fault in _faults(one, used, policy))]


def comments(texts: Mapping[str, str]) -> Iterator[Allowed]:
    """The allowances that stand in comments; one on a line of its own is about the next line."""
    for file, content in texts.items():
        if "gitgpu:" not in content:
            continue
        lines = _BREAK.split(content)
        for at, line in enumerate(lines):
            found = _COMMENT.search(line)
            if found:
                alone = not line[: found.start()].strip()
                target = next((n for n in range(at + 1, len(lines)) if _is_content(lines[n])), at) if alone else at
                place = Span(file, at + 1, found.start() + 1)
                yield Allowed(_codes(found[1]), found[2].strip(" :-"), place, _on_line(file, target + 1))


def annotated(text: str, place: Span, thing: ObjectRef) -> Iterator[Allowed]:
    """The allowances of an object's annotation: `CODE, CODE: why`, one a line or parted by semicolons."""
    for entry in re.split(r"[;\n]", text):
        codes, _, reason = entry.partition(":")
        if entry.strip():
            yield Allowed(_codes(codes), reason.strip(), place, _in_object(place.file, thing))


def entry(one: Allowance) -> Allowed:
    """An entry of the configuration; its `object` is a glob for Kind/namespace/name or Kind/name."""

    def covers(found: Diagnostic) -> bool:
        thing = "/".join(part for part in found.object if part)
        return fnmatchcase(found.span.file, one.file) and fnmatchcase(thing, one.object)

    return Allowed((one.code,), one.reason, one.place, covers, one.until)


def _codes(text: str | None) -> tuple[str, ...]:
    return tuple(code for code in re.split(r"[\s,]+", text or "") if code)


def _on_line(file: str, line: int) -> Callable[[Diagnostic], bool]:
    return lambda one: (one.span.file, one.span.line) == (file, line)


def _in_object(file: str, thing: ObjectRef) -> Callable[[Diagnostic], bool]:
    return lambda one: (one.span.file, one.object) == (file, thing)


def _is_content(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _is_over(one: Allowed, today: str) -> bool:
    return bool(one.until and today and one.until < today)


def _faults(one: Allowed, used: set[int], policy: Policy) -> Iterator[Diagnostic]:
    codes = ", ".join(one.codes)
    if not one.codes or not one.reason:
        remedy = "write it as `# gitgpu: ignore[CODE] why`: whoever reads this later needs the reason"
        what = "no reason" if one.codes else "no code"
        yield Diagnostic(_NO_REASON, Severity.ERROR, f"an ignore with {what} ignores nothing", remedy, one.place)
    elif _is_over(one, policy.today):
        remedy = "mend what it was about, or decide anew until when"
        yield Diagnostic(_EXPIRED, Severity.WARNING, f"ignoring {codes} ended on {one.until}", remedy, one.place)
    elif id(one) not in used and any(policy.wants(code) for code in one.codes):
        remedy = "remove it: it would hide what comes later"
        yield Diagnostic(_UNUSED, Severity.WARNING, f"nothing here breaks {codes}", remedy, one.place)
