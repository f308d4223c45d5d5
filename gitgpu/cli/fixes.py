"""Safe fixes: applied until there are no more, then written or shown."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple, TypeAlias

from gitgpu.cli.output.streams import note, say
from gitgpu.diagnostic import Diagnostic, Edit
from gitgpu.load.text import Text
from gitgpu.write.atomic_file import rewrite
from gitgpu.write.unified_diff import diff

ROUNDS = 10  # after a fix, findings may appear that could not be detected before

Look: TypeAlias = Callable[[Mapping[str, Text]], Iterable[Diagnostic]]


class FixedTexts(NamedTuple):
    """The texts after all fixes, those that differ from the files, and the number of fixes.

    `left` is the number of fixes in files that were not named.
    """

    texts: Mapping[str, Text]
    changed: tuple[Text, ...]
    times: int
    left: int = 0


def apply_fixes(texts: Mapping[str, Text], look: Look, named: Collection[str]) -> FixedTexts:
    """Applies every safe fix of the findings of `look` in files that are `named`, or are in a named directory."""
    from gitgpu.edit import edited  # noqa: PLC0415  brings in PyYAML, which many runs do without

    now, count = dict(texts), 0
    left: set[Edit] = set()
    for _ in range(ROUNDS):
        edits = _by_file(look(now))
        done = 0
        for name, wanted in edits.items():
            if name not in named:
                left.update(wanted)
                continue
            content, times = edited(now[name].content, wanted)
            now[name] = now[name]._replace(content=content)
            done += times
        count += done
        if not done:
            break
    return FixedTexts(now, tuple(now[name] for name in sorted(now) if now[name] != texts[name]), count, len(left))


def _by_file(findings: Iterable[Diagnostic]) -> Mapping[str, Collection[Edit]]:
    """The edits of the findings by file, without duplicates, in order."""
    edits: dict[str, dict[Edit, None]] = defaultdict(dict)
    for finding in findings:
        if finding.edit:
            edits[finding.edit.at.file][finding.edit] = None
    return {name: tuple(of_file) for name, of_file in edits.items()}


def keep(result: FixedTexts, before: Mapping[str, Text], output_format: str, *, write: bool) -> tuple[Diagnostic, ...]:
    """Writes the changed files, or shows the changes: on stderr unless the report is text."""
    faults: tuple[Diagnostic, ...] = ()
    for text in result.changed:
        if write:
            faults += rewrite(text.name, text.content, others=[other.name for other in result.changed])
        else:
            change = diff(text.name, before[text.name].content, text.content)
            say(change, err=output_format != "text")
    files = f"{len(result.changed)} file{'' if len(result.changed) == 1 else 's'}"
    more = f", {result.left} more in files that you did not pass" if result.left else ""
    note(f"{result.times} {'fixed' if write else 'fixable'} in {files}{more}")
    return faults
