"""Safe fixes: applied until no finding has one, then written or shown."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple, TypeAlias

from gitgpu.cli.output.streams import note, say
from gitgpu.diagnostic import Diagnostic, Edit
from gitgpu.load.text import Text
from gitgpu.write.atomic_file import rewrite
from gitgpu.write.unified_diff import diff

ROUNDS = 10  # a fix can lead to findings that could not be detected before

Look: TypeAlias = Callable[[Mapping[str, Text]], Iterable[Diagnostic]]


class FixedTexts(NamedTuple):
    """The texts after all repairs, those that differ from the files, how many repairs that took.

    `left` is how many repairs there are in files that were not named.
    """

    texts: Mapping[str, Text]
    changed: tuple[Text, ...]
    times: int
    left: int = 0


def apply_fixes(texts: Mapping[str, Text], look: Look, named: Collection[str]) -> FixedTexts:
    """The texts with every safe repair of what `look` finds in those that were named, or lie below what was."""
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
    """The edits of the findings in each file, each once, in order."""
    edits: dict[str, dict[Edit, None]] = defaultdict(dict)
    for finding in findings:
        if finding.edit:
            edits[finding.edit.at.file][finding.edit] = None
    return {name: tuple(of_file) for name, of_file in edits.items()}


def keep(result: FixedTexts, before: Mapping[str, Text], form: str, *, write: bool) -> tuple[Diagnostic, ...]:
    """Writes the changed files, or shows the changes: on stderr if the report is not text."""
    faults: tuple[Diagnostic, ...] = ()
    for text in result.changed:
        if write:
            faults += rewrite(text.name, text.content, beside=[other.name for other in result.changed])
        else:
            change = diff(text.name, before[text.name].content, text.content)
            say(change, err=form != "text")
    files = f"{len(result.changed)} file{'' if len(result.changed) == 1 else 's'}"
    more = f", {result.left} more in files that you did not pass" if result.left else ""
    note(f"{result.times} {'fixed' if write else 'fixable'} in {files}{more}")
    return faults
