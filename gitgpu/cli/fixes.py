"""Safe fixes: applied until there are no more, then written or shown."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import chain
from typing import NamedTuple, TypeAlias

from gitgpu.cli.output.streams import note, say
from gitgpu.diagnostic import Diagnostic, Edit
from gitgpu.load.secret_values import without_secret_lines
from gitgpu.load.text import Text
from gitgpu.write.atomic_file import rewrite
from gitgpu.write.unified_diff import diff

MAX_ROUNDS = 10  # after a fix, findings may appear that could not be detected before

Look: TypeAlias = Callable[[Mapping[str, Text]], Iterable[Diagnostic]]


class FixedTexts(NamedTuple):
    """The texts after all fixes, those that differ from the files, and the number of fixes by file.

    `left` is the number of fixes in files that were not named.
    """

    texts: Mapping[str, Text]
    changed: tuple[Text, ...]
    times: Mapping[str, int]
    left: int = 0


class KeptTexts(NamedTuple):
    """The texts as the files contain them now, and the faults of files that could not be written."""

    texts: Mapping[str, Text]
    faults: tuple[Diagnostic, ...] = ()


def apply_fixes(texts: Mapping[str, Text], look: Look, named: Collection[str]) -> FixedTexts:
    """Applies every safe fix of the findings of `look` in files that are `named`, or are in a named directory."""
    from gitgpu.edit import apply_edits  # noqa: PLC0415  brings in PyYAML, which many runs do without

    now = dict(texts)
    times: Counter[str] = Counter()
    left: set[Edit] = set()
    for _ in range(MAX_ROUNDS):
        edits = _by_file(look(now))
        before = times.total()
        for name, wanted in edits.items():
            if name not in named:
                left.update(wanted)
                continue
            content, applied = apply_edits(now[name].content, wanted)
            now[name] = now[name]._replace(content=content)
            times[name] += applied
        if times.total() == before:
            break
    return FixedTexts(now, tuple(now[name] for name in sorted(now) if now[name] != texts[name]), times, len(left))


def _by_file(findings: Iterable[Diagnostic]) -> Mapping[str, Collection[Edit]]:
    """The edits of the findings by file, without duplicates, in order."""
    edits: dict[str, dict[Edit, None]] = defaultdict(dict)
    for finding in findings:
        if finding.edit:
            edits[finding.edit.at.file][finding.edit] = None
    return {name: tuple(file_edits) for name, file_edits in edits.items()}


def keep(result: FixedTexts, before: Mapping[str, Text], output_format: str, *, write: bool) -> KeptTexts:
    """Writes the changed files, or shows the changes: on stderr unless the report is text."""
    if write:
        return _write(result, before)
    for text in result.changed:
        old = before[text.name].content
        changes = diff(text.name, old, text.content)
        say(without_secret_lines(changes, (old, text.content)), err=output_format != "text")
    _count("fixable", result, [text.name for text in result.changed])
    return KeptTexts(before)


def _write(result: FixedTexts, before: Mapping[str, Text]) -> KeptTexts:
    """Writes the changed files. A file that cannot be written keeps its text, so its findings are reported again."""
    names = [text.name for text in result.changed]
    faults = {text.name: rewrite(text.name, text.content, others=names) for text in result.changed}
    _count("fixed", result, [name for name in names if not faults[name]])
    unchanged = {name: before[name] for name in names if faults[name]}
    return KeptTexts({**result.texts, **unchanged}, tuple(chain.from_iterable(faults.values())))


def _count(verb: str, result: FixedTexts, names: Collection[str]) -> None:
    """Notes the number of fixes in these files."""
    files = f"{len(names)} file{'' if len(names) == 1 else 's'}"
    more = f", {result.left} more in files that you did not pass" if result.left else ""
    note(f"{sum(result.times[name] for name in names)} {verb} in {files}{more}")
