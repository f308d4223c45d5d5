"""Selected codes and allowances with a reason: they decide which findings are reported.

A finding is allowed by a comment on its line (`# gitgpu: ignore[CODE] why`), by the annotation gitgpu.dev/ignore of
its object, or by an entry of the configuration. Faults that are not from a rule cannot be allowed: what cannot be read
cannot be checked.
"""

import posixpath
import re
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic, ObjectRef, Severity
from gitgpu.load.configuration.content import Allowance
from gitgpu.load.parse.comments import comments
from gitgpu.source import Span

ANNOTATION = "gitgpu.dev/ignore"
ALWAYS_REPORTED = ("ALW", "CAT", "CFG", "INP", "INT", "LNK", "OUT", "SHP", "YML")  # faults that no rule found
ADJUSTMENTS = ("PAT", "VAL")  # faults in patches and chart values: no rule found them, but they can be allowed
_COMMENT = re.compile(r"#\s*gitgpu:\s*ignore\b(?:\[([^\]\n]*)\])?([^\n]*)")
_UNUSED, _NO_REASON, _EXPIRED, _UNKNOWN = "ALW001", "ALW002", "ALW003", "ALW005"


class Allowed(NamedTuple):
    """One allowance: its codes, its reason, where it is written, and what it is about.

    It is about a line or an object (`target`); an entry of the configuration is about all that match its globs.
    """

    codes: tuple[str, ...]
    reason: str
    place: Span
    target: Hashable = None
    entry: Allowance | None = None

    @property
    def until(self) -> str:
        """The last day on which it is valid, or ""."""
        return self.entry.until if self.entry else ""

    def matches(self, finding: Diagnostic) -> bool:
        """Whether an entry of the configuration covers the finding."""
        name = "/".join(part for part in finding.object if part)
        allowance = self.entry
        return allowance is not None and _is_file(finding.span.file, allowance) and fnmatchcase(name, allowance.object)


def _is_file(file: str, allowance: Allowance) -> bool:
    """Whether a path matches the glob of an entry, either as passed or relative to the configuration."""
    if fnmatchcase(file, allowance.file):
        return True
    folder = posixpath.dirname(allowance.place.file)
    return bool(file and folder) and fnmatchcase(posixpath.relpath(file, folder), allowance.file)


class Policy(NamedTuple):
    """`select` and `ignore` are prefixes of codes; without `select`, all are reported. `today` is an ISO date or "".

    `judges(code)` is true if this run reports every finding with the code, and `whole` if it reads everything that the
    configuration is about. Other allowances are not reported as unused. `current(code)` is the code of the rule that
    has replaced the code, or the code itself; `select` and `ignore` contain current codes. `correction(code)` is None
    for a code that any command can report; for an unknown one, it is the most similar code, or "".
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    allow: tuple[Allowed, ...] = ()
    today: str = ""
    judges: Callable[[str], bool] = lambda _: True
    whole: bool = True
    current: Callable[[str], str] = lambda code: code
    correction: Callable[[str], str | None] = lambda _: None

    def wants(self, code: str) -> bool:
        """Whether findings with this code are reported."""
        if code.startswith(ALWAYS_REPORTED):
            return True
        return (not self.select or code.startswith(self.select)) and not code.startswith(self.ignore)


def settle(diagnostics: Iterable[Diagnostic], written: Iterable[Allowed], policy: Policy) -> list[Diagnostic]:
    """The findings to report, and the faults of the allowances. `written` are those in comments and annotations."""
    diagnostics = list(diagnostics)
    # If something cannot be read, no rule has seen everything, so no allowance is reported as unused.
    errors = [diagnostic for diagnostic in diagnostics if diagnostic.severity is Severity.ERROR]
    if any(error.code.startswith(ALWAYS_REPORTED) for error in errors):
        policy = policy._replace(judges=lambda _: False)
    reported = {diagnostic.code for diagnostic in diagnostics}  # current codes: looking others up imports every rule
    allowances = [*written, *policy.allow]
    by_target = _by_target(allowances, reported, policy)
    used: set[int] = set()
    reporting: list[Diagnostic] = []
    for diagnostic in diagnostics:
        if not policy.wants(diagnostic.code):
            continue
        covering = () if diagnostic.code.startswith(ALWAYS_REPORTED) else tuple(_covering(diagnostic, by_target))
        used.update(map(id, covering))
        if not covering:
            reporting.append(diagnostic)
    for allowance in allowances:
        reporting += _faults(allowance, used, policy)
        reporting += _unknown_codes(allowance, reported, policy)
    return reporting


def _by_target(
    allowances: Iterable[Allowed], reported: Container[str], policy: Policy
) -> Mapping[Hashable, list[Allowed]]:
    """The valid allowances, by current code and target."""
    by_target: dict[Hashable, list[Allowed]] = {}
    for allowance in allowances:
        if allowance.reason and not _is_expired(allowance, policy.today):
            for code in allowance.codes:
                current = code if code in reported else policy.current(code)
                by_target.setdefault((current, allowance.target), []).append(allowance)
    return by_target


def _covering(finding: Diagnostic, by_target: Mapping[Hashable, list[Allowed]]) -> Iterator[Allowed]:
    code, (file, line, _) = finding.code, finding.span
    yield from by_target.get((code, (file, line)), ())
    yield from by_target.get((code, (file, finding.object)), ())
    yield from (allowed for allowed in by_target.get((code, None), ()) if allowed.matches(finding))


def comment_allowances(texts: Mapping[str, str]) -> Iterator[Allowed]:
    """The allowances in comments. A comment on its own line applies to the next line."""
    for file, content in texts.items():
        if "gitgpu:" not in content:  # most texts: the search for comments is much slower
            continue
        below = _content_below(content.splitlines())
        for comment in comments(content):
            match = _COMMENT.match(comment.text)
            if match:
                target = below[comment.line - 1] or comment.line if comment.alone else comment.line
                place = Span(file, comment.line, comment.column)
                codes, reason = match.groups()
                yield Allowed(_codes(codes), reason.strip(" :-"), place, (file, target))


def annotation_allowances(text: str, place: Span, owner: ObjectRef) -> Iterator[Allowed]:
    """The allowances of an object's annotation: `CODE, CODE: why`, separated by line ends or semicolons."""
    for entry in re.split(r"[;\n]", text):
        codes, _, reason = entry.partition(":")
        if entry.strip():
            yield Allowed(_codes(codes), reason.strip(), place, (place.file, owner))


def entry(allowance: Allowance) -> Allowed:
    """An entry of the configuration."""
    return Allowed((allowance.code,), allowance.reason, allowance.place, entry=allowance)


def _codes(text: str | None) -> tuple[str, ...]:
    return tuple(code for code in re.split(r"[\s,]+", text or "") if code)


def _content_below(lines: Sequence[str]) -> list[int]:
    """For each line, the number (from 1) of the next line that is not blank or a comment, or 0: in one pass."""
    below = [0] * len(lines)
    nearest = 0
    for index in range(len(lines) - 1, -1, -1):
        below[index] = nearest
        if lines[index].strip() and not lines[index].lstrip().startswith("#"):
            nearest = index + 1
    return below


def _is_expired(allowed: Allowed, today: str) -> bool:
    return bool(allowed.until) and allowed.until < today


def _is_judged(allowed: Allowed, policy: Policy) -> bool:
    looked_for = [code for code in map(policy.current, allowed.codes) if policy.judges(code)]
    return any(map(policy.wants, looked_for)) and (policy.whole or allowed.entry is None)


def _faults(allowed: Allowed, used: set[int], policy: Policy) -> Iterator[Diagnostic]:
    codes = ", ".join(allowed.codes)
    if not allowed.codes or not allowed.reason:
        remedy = "write it as `# gitgpu: ignore[CODE] reason`"
        what = "no reason" if allowed.codes else "no code"
        yield Diagnostic(_NO_REASON, Severity.ERROR, f"an ignore with {what} has no effect", remedy, allowed.place)
    elif _is_expired(allowed, policy.today):
        remedy = "fix the finding, or extend the date"
        yield Diagnostic(
            _EXPIRED, Severity.WARNING, f"the suppression of {codes} expired on {allowed.until}", remedy, allowed.place
        )
    elif id(allowed) not in used and _is_judged(allowed, policy):
        remedy = "remove it, because it would hide later findings"
        yield Diagnostic(_UNUSED, Severity.WARNING, f"there is no {codes} finding to suppress", remedy, allowed.place)


def _unknown_codes(allowed: Allowed, reported: Container[str], policy: Policy) -> Iterator[Diagnostic]:
    """A warning for each code that no command reports: a slip would leave the finding, or a later one, unsuppressed."""
    for code in allowed.codes:
        correction = None if code in reported else policy.correction(code)
        if correction is not None:
            remedy = f"use {correction}" if correction else "use a code that `gitgpu rule list` lists, or remove it"
            message = f"unknown code {code}: it suppresses nothing"
            yield Diagnostic(_UNKNOWN, Severity.WARNING, message, remedy, allowed.place)
