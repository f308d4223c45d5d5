"""The releases of a project that contracts know, and which of them a cluster may run."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from gitgpu.model.dates import days_before

_IN_USE = timedelta(days=365)  # how long after its replacement a release may still run, if nothing says what runs
_SOON = timedelta(days=60)
_CALENDAR = 20  # the least major version that is a year


class ReleaseList(NamedTuple):
    """The name of a project, and its releases with their dates (ISO, or "" if unknown), oldest first."""

    name: str
    dates: Mapping[str, str]

    @property
    def newest(self) -> str:
        """The newest release."""
        return list(self.dates)[-1]

    def matching(self, version: str) -> frozenset[str]:
        """The releases that a version may be: "1.15" is any patch release of it.

        A version that is not listed counts as the newest one before it, of the same minor version if there is one.
        """
        wanted = self._order(version)
        same_releases = [number for number in self.dates if self._order(number)[:3] == wanted[:3]]
        if same_releases and len(wanted) == 3:
            return frozenset(same_releases)
        candidates = same_releases or list(self.dates)
        before = [number for number in candidates if self._order(number) <= wanted]
        return frozenset({before[-1] if before else candidates[0]})

    def is_newer(self, version: str) -> bool:
        """Whether a version is of a newer minor version than all known releases."""
        return self._order(version)[:3] > self._order(self.newest)[:3]

    def may_be_after(self, number: str, versions: Iterable[str]) -> bool:
        """Whether one of these versions may be newer than a known release."""
        numbers = list(self.dates)
        later = frozenset(numbers[numbers.index(number) + 1 :])
        return any(self.is_newer(version) or later & self.matching(version) for version in versions)

    def is_old(self, number: str, day: str) -> bool:
        """Whether a release is so old on a day that there are probably newer ones than those that are known."""
        return is_old(self.dates[number], day)

    def is_older(self, version: str) -> bool:
        """Whether a version is older than all known releases, or than all of its minor version, which may differ."""
        wanted = self._order(version)
        same_releases = [number for number in self.dates if self._order(number)[:3] == wanted[:3]]
        first = self._order((same_releases or list(self.dates))[0])
        return wanted < first[: len(wanted)]

    def since(self, version: str) -> frozenset[str]:
        """The releases from this one on."""
        numbers = list(self.dates)
        first = min(numbers.index(number) for number in self.matching(version))
        return frozenset(numbers[first:])

    def range_of(self, number: str, starts: Sequence[str]) -> int:
        """The index of the range that a release is in; `starts` are the first releases of each, oldest first."""
        numbers = list(self.dates)
        at = numbers.index(number)
        return max((index for index, start in enumerate(starts) if numbers.index(start) <= at), default=0)

    def ranges(self, accepting: Sequence[tuple[str, bool]]) -> str:
        """The releases that accept something, in words; `accepting` has the first one of each range, oldest first."""
        texts, at = [], 0
        for accepts, group in groupby(accepting, key=itemgetter(1)):
            span = [number for number, _ in group]
            end = at + len(span)
            before = self.text(accepting[end][0]) if end < len(accepting) else ""
            if accepts and at == 0 and before:
                texts.append(f"before {self.name} {before}")
            elif accepts and at:
                until = f" until {before}" if before else ""
                texts.append(f"{'from' if before else 'as of'} {self.name} {self.text(span[0])}{until}")
            at = end
        return " and ".join(texts)

    def in_use(self, today: str) -> frozenset[str]:
        """The releases that may run on a day, if nothing is known: those that were not replaced long before."""
        limit = days_before(today, _IN_USE) if today else ""
        numbers = list(self.dates)
        replaced = {number: min(self._later(at), default=limit) for at, number in enumerate(numbers)}
        return frozenset(number for number in numbers if replaced[number] >= limit)

    def text(self, number: str) -> str:
        """A release as the bound of a range: "1.15" if it is the first known one of its minor version."""
        same = next(known for known in self.dates if self._order(known)[:3] == self._order(number)[:3])
        return number.rpartition(".")[0] if number == same else number

    def _later(self, at: int) -> Iterator[str]:
        return (day for day in list(self.dates.values())[at + 1 :] if day)

    def _order(self, version: str) -> tuple[int, ...]:
        """A key to sort versions by. Releases that are named by year are older than those that are not."""
        parts = tuple(int(part) for part in version.removeprefix("v").split("."))
        by_year = int(self.newest.partition(".")[0]) >= _CALENDAR
        return (int(by_year or parts[0] < _CALENDAR), *parts)


def is_old(released: str, day: str) -> bool:
    """Whether a release of a date is so old on a day that there are probably newer ones; a date of "" is unknown."""
    return not released or date.fromisoformat(day) - date.fromisoformat(released) > _SOON
