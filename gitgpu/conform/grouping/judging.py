"""Many groups of objects, judged by several processes."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from gitgpu.conform.grouping.repeated_groups import Judged, Prepared
from gitgpu.conform.rulebook import concerned, rules_in
from gitgpu.jobs import shares, spread, usual

LARGE = 200  # objects: the rules of a group that has as many are shared between processes, not the group with others
WORTHWHILE = 150  # groups that take longer to judge than it takes to start a process for each core
_TOGETHER = 50_000  # objects: what is judged at a time, so that the copies of shared objects do not fill the memory


def batches(groups: Iterable[Prepared]) -> Iterator[Sequence[Prepared]]:
    """The groups in parts of a limited number of objects."""
    part: list[Prepared] = []
    objects = 0
    for group in groups:
        part.append(group)
        objects += len(group.items)
        if objects >= _TOGETHER:
            yield part
            part, objects = [], 0
    if part:
        yield part


def spread_groups(groups: Sequence[Prepared], judge: Callable[[Prepared], Judged], jobs: int | None) -> list[Judged]:
    """The findings of each group. `jobs` processes share the small groups; None is as many as are worth it."""
    small = [at for at, group in enumerate(groups) if len(group.items) < LARGE]
    number = usual(len(small), WORTHWHILE) if jobs is None else jobs
    if sum(len(groups[at].items) for at in small) < LARGE:
        number = 1
    if number > 1:  # what all workers need is imported once, before they start
        rules_in(concerned(frozenset(item.identity[:2] for at in small for item in groups[at].items)))
    parts = shares(len(small), number)
    judged = spread(lambda part: [judge(groups[at]) for at in small[slice(*part)]], parts, number)
    found = dict(zip(small, (result for share in judged for result in share), strict=True))
    return [found[at] if at in found else judge(group) for at, group in enumerate(groups)]
