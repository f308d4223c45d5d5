"""Times in a dump. There is no clock: the latest time in the dump is when it was made."""

from collections.abc import Iterable
from datetime import UTC, datetime


def seconds(written: object) -> float | None:
    """A time such as 2026-11-29T10:00:00Z in seconds; None if it cannot be read."""
    if not isinstance(written, str):
        return None
    try:
        time = datetime.fromisoformat(written)
    except ValueError:
        return None
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()


def latest(times: Iterable[object]) -> float | None:
    """The latest of some times; None if none can be read."""
    return max(filter(None, map(seconds, times)), default=None)


def minutes(since: object, now: float | None) -> int | None:
    """The whole minutes since a time; None if one of the two is unknown. Never negative: clocks differ."""
    start = seconds(since)
    return None if start is None or now is None else max(int(now - start) // 60, 0)


def stamp(time: float) -> str:
    """A time in seconds as Kubernetes writes it: 2026-11-29T10:00:00Z."""
    return datetime.fromtimestamp(int(time), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
