"""Which templates of an Argo Workflow run which others, and how many pods of each there are at most at a time."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gitgpu.access import list_at, mapping_at, reach, text_at
from gitgpu.objects.workload.assembled import Part, elements
from gitgpu.objects.workload.template import Body, Count, whole

_DEEPEST = 100  # templates that run each other
_MOST = 10**6  # pods: more are as good as unbounded


class Call(NamedTuple):
    """A step or task that runs a template by its name, or one that it has inline; `times` is None if it is unknown."""

    caller: Part
    name: str
    inline: Part
    times: int | None


def calls_of(part: Part) -> Iterator[Call]:
    """The calls of a template: its steps, which are lists in a list, or the tasks of its graph."""
    place, template = part
    steps: list[Part] = []
    for index, group in enumerate(list_at(template, "steps")):
        steps += elements((*place, "steps", index), group)
    for at, step in (*steps, *elements((*place, "dag", "tasks"), reach(template, "dag", "tasks"))):
        items = step.get("withItems")
        once = len(items) if isinstance(items, list) else 1
        times = None if step.get("withParam") or step.get("withSequence") else once
        inline = mapping_at(step, "inline")
        if inline:
            yield Call(part, "", ((*at, "inline"), inline), times)
        elif name := text_at(step, "template"):
            yield Call(part, name, (at, {}), times)


def runs_of(spec: Body, calls: Sequence[Call], name: str) -> Count:
    """The pods of a template. Steps run after each other, so the minimum is 0."""
    return _Runs(spec, calls, {}).of(name)


def runs_of_inline(spec: Body, calls: Sequence[Call], call: Call) -> Count:
    """The pods of the template that a step has inline."""
    return _Runs(spec, calls, {}).by(call)


class _Runs(NamedTuple):
    spec: Body
    calls: Sequence[Call]
    known: dict[str, Count]

    def of(self, name: str, depth: int = 0) -> Count:
        if name not in self.known:
            self.known[name] = Count(0, 1, bounded=False)  # if the template runs itself, or the chain is too long
            if depth < _DEEPEST:
                self.known[name] = self._of(name, depth)
        return self.known[name]

    def by(self, call: Call, depth: int = 0) -> Count:
        caller = self.of(text_at(call.caller[1], "name"), depth + 1)
        times = 1 if call.times is None else call.times
        return Count(0, min(caller.high * times, _MOST), 1, caller.bounded and call.times is not None)

    def _of(self, name: str, depth: int) -> Count:
        ways = [self.by(call, depth) for call in self.calls if call.name == name]
        is_entry = name == self.spec.get("entrypoint")
        high = min(sum(way.high for way in ways) + (is_entry or not ways), _MOST)
        at_once = max(whole(self.spec, "parallelism", high), 1)
        bounded = all(way.bounded for way in ways) or "parallelism" in self.spec
        return Count(int(is_entry), min(high, at_once), 1, bounded)
