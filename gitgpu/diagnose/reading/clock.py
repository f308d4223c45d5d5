"""Times in a dump. There is no clock: the latest time in the dump is when it was made."""

from collections.abc import Iterable
from datetime import UTC, datetime
from operator import itemgetter

# Kubernetes is from 2014, and so is nothing older in a cluster; a zero time of Go is in the year 1.
_FIRST, _LAST = datetime(2014, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)


def seconds(written: object) -> float | None:
    """A time such as 2026-11-29T10:00:00Z in seconds; None if it cannot be read, or cannot be true."""
    if not isinstance(written, str):
        return None
    try:
        time = datetime.fromisoformat(written)
    except ValueError:
        return None
    time = time if time.tzinfo else time.replace(tzinfo=UTC)
    return time.timestamp() if _FIRST <= time < _LAST else None


def in_order(times: Iterable[object]) -> list[object]:
    """Those of some times that can be read, the earliest first."""
    by_seconds = [(at, written) for written in times if (at := seconds(written)) is not None]
    return [written for _, written in sorted(by_seconds, key=itemgetter(0))]


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
