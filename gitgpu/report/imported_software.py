"""What the first build of an imported fleet changes of the software, in words."""

from collections.abc import Iterable, Iterator

from gitgpu.adopt.first_build.software_change import Effect, SoftwareChange
from gitgpu.report.findings import place
from gitgpu.source import Span


def software_lines(changes: Iterable[SoftwareChange]) -> Iterator[str]:
    """A line for each change. DaemonSets for single pools that do the same for the same reason have one in common."""
    alike: dict[SoftwareChange, list[SoftwareChange]] = {}
    for change in changes:
        alike.setdefault(_without_pool(change), []).append(change)
    for common, group in alike.items():
        first, *others = group
        if not others:
            yield _line(first)
            continue
        pools = tuple(pool for change in group for pool in change.pools)
        yield _line(common._replace(title=f"{common.title}, one for each pool", pools=pools, span=first.span))


def _without_pool(change: SoftwareChange) -> SoftwareChange:
    """The change without the pool that its DaemonSet is for; other changes as they are."""
    [name] = change.pools if len(change.pools) == 1 else [""]
    software = change.title.removesuffix(f"-pool-{name}")
    return change if software == change.title else change._replace(title=software, pools=(), span=Span(""))


def _line(change: SoftwareChange) -> str:
    effect = change.effect.value
    if change.parts:
        verb = "replaces" if change.effect is Effect.REPLACED else effect
        effect = f"{verb} {', '.join(change.parts)}"
    where = f" on {', '.join(change.pools)}" if change.pools else ""
    possibly = "" if change.certain else "possibly "
    avoid = f"; to avoid it: {change.avoid}" if change.avoid else ""
    return f"{place(change.span)}: {change.title}: {possibly}{effect}{where}: {change.reason}{avoid}"
