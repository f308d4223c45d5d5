"""What is needed: images and charts, with who needs them and the names of their copies."""

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from gitgpu.model.syntax.reference import Reference


class User(NamedTuple):
    """An object of a cluster that an image runs for; for what is inside a chart the release, of kind Chart."""

    cluster: str
    kind: str
    namespace: str
    name: str


class Image(NamedTuple):
    """An image, the repository of its copy, and who uses it. The copy is the repository itself where none is made."""

    reference: Reference
    copy: str
    users: tuple[User, ...]

    @property
    def is_copied(self) -> bool:
        """Is there a copy to make?"""
        return self.copy != self.reference.repository


class Chart(NamedTuple):
    """A chart: its repository is an https or oci URL; `copy` is the OCI URL of the copy, "" for none."""

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
    """Each once, with the users of all, in order of name."""
    users: dict[Part, dict[User, None]] = {}
    for part in parts:
        users.setdefault(part._replace(users=()), {}).update(dict.fromkeys(part.users))
    return tuple(part._replace(users=tuple(sorted(users[part]))) for part in sorted(users))
