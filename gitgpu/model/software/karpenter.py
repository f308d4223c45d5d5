"""The Karpenter releases that AKS runs as node auto-provisioning, and since when. Nothing here reads a clock."""

from typing import NamedTuple

from gitgpu.model.catalog import Catalog
from gitgpu.model.syntax.version import version


class Release(NamedTuple):
    """A release such as 1.12.1, and the day of the AKS release notes with it; "" if the Cluster sets the release."""

    name: str
    since: str = ""

    def __str__(self) -> str:
        return f"{self.name} ({self.since})" if self.since else self.name

    def older(self, than: str) -> bool:
        """Whether it is older than another release."""
        return version(self.name) < version(than)


def releases(catalog: Catalog) -> list[Release]:
    """Every release that AKS has run, oldest first."""
    all_releases = (Release(name, str(row["since"])) for name, row in catalog.rows("karpenter").items())
    return sorted(all_releases, key=lambda release: (release.since, version(release.name)))


def running(catalog: Catalog, today: str) -> Release | None:
    """The newest release on a day, or of all without a day; None for a day before the first known release."""
    known_releases = [release for release in releases(catalog) if not today or release.since <= today]
    return known_releases[-1] if known_releases else None


def first_with(catalog: Catalog, since: str) -> Release | None:
    """The first release of those AKS has run that is not older than `since`, or None."""
    return next((release for release in releases(catalog) if not release.older(since)), None)
