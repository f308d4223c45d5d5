"""The images and charts that are needed, with their users and the names of their copies."""

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from gitgpu.model.syntax.reference import Reference


class User(NamedTuple):
    """An object of a cluster that uses an image or chart. For images inside a chart: the release, with kind Chart."""

    cluster: str
    kind: str
    namespace: str
    name: str


class Image(NamedTuple):
    """An image, the repository of its copy, and its users. Without a copy, `copy` is the repository of the image."""

    reference: Reference
    copy: str
    users: tuple[User, ...]

    @property
    def is_copied(self) -> bool:
        """Whether the image is copied."""
        return self.copy != self.reference.repository


class Chart(NamedTuple):
    """A chart. Its repository is an https or oci URL; `copy` is the OCI URL of the copy, or ""."""

    name: str
    version: str
    repository: str
    copy: str
    users: tuple[User, ...]


class Needed(NamedTuple):
    """The images and charts of some clusters."""

    images: tuple[Image, ...]
    charts: tuple[Chart, ...]


Part = TypeVar("Part", Image, Chart)


def unite(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Each image or chart once, with all its users, in order of name."""
    users: dict[Part, dict[User, None]] = {}
    for part in parts:
        users.setdefault(part._replace(users=()), {}).update(dict.fromkeys(part.users))
    return tuple(part._replace(users=tuple(sorted(users[part]))) for part in sorted(users))
