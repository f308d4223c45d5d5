"""Objects as they are applied: their namespace, what applies them, and without duplicates."""

from bisect import insort
from collections import Counter
from collections.abc import Hashable, Iterable

from gitgpu.model.names.kinds import NAMESPACE
from gitgpu.objects.delivery.kustomize import Part
from gitgpu.objects.indexes import freeze
from gitgpu.objects.loaded import Loaded
from gitgpu.objects.manifest.placeholders import is_unfilled
from gitgpu.objects.objects import Delivered, Identity, Item
from gitgpu.objects.same_content import hashable
from gitgpu.objects.schema.contract import Scope


def as_applied(item: Item, loaded: Loaded, part: Part) -> Item:
    """The object as it is applied. A kustomization can set its namespace; an Application sets a missing namespace.

    A namespace with a placeholder is an unknown value.
    """
    own = item.identity
    if part.renamed != item.renamed:
        item = item._replace(renamed=part.renamed)
    if (own.group, own.kind) == NAMESPACE:
        item = item._replace(identity=own._replace(name=part.namespace or own.name))  # Kustomize renames it
    elif item.scope is Scope.NAMESPACED or (item.scope is Scope.UNKNOWN and part.namespace):
        namespace = part.namespace or own.namespace or part.fallback
        if namespace != own.namespace:
            item = item._replace(identity=own._replace(namespace=namespace))
    if item.identity is not own and is_unfilled(part.namespace):
        key = "name" if own.name != item.identity.name else "namespace"
        item = item._replace(holes=item.holes | {("metadata", key)})
    written = loaded.body if item.written is None else item.written
    return item._replace(delivered=Delivered(part.by.name, written)) if part.by else item


def deduplicate(items: Iterable[Item]) -> list[Item]:
    """The objects without duplicates: the same place in a file, or equal objects in two files."""
    every = list(items)
    counts = Counter(item.identity for item in every)
    distinct: list[Item] = []
    known: dict[Identity, _Namesakes] = {}
    for item in every:
        if counts[item.identity] == 1:  # most objects: their content is not compared
            distinct.append(item)
            continue
        namesakes = known.setdefault(item.identity, _Namesakes())
        duplicate = namesakes.duplicate(item)
        if duplicate is None:
            namesakes.add(item, len(distinct))
            distinct.append(item)
        elif item.delivered and not distinct[duplicate].delivered:
            namesakes.replace(distinct[duplicate], item, duplicate)
            distinct[duplicate] = item
    return distinct


class _Namesakes:
    """The distinct objects with one identity, by position. Finding a duplicate takes the same time for any number."""

    def __init__(self) -> None:
        self._at: dict[Hashable, int] = {}
        self._of_content: dict[Hashable, dict[str, list[int]]] = {}  # by file
        self._contents: dict[int, Hashable] = {}  # by the id of the body

    def duplicate(self, item: Item) -> int | None:
        """The first object that is the same; None if there is none."""
        if item.is_patch:
            return self._at.get(_place(item))
        file = item.given.places.span().file
        by_file = self._of_content.get(self._content(item), {})
        found = [positions[0] for name, positions in by_file.items() if name != file and positions]
        here = self._at.get(_place(item))
        return min(found if here is None else [*found, here], default=None)

    def add(self, item: Item, position: int) -> None:
        """Adds an object. Its content is a key, so that it is compared only with objects of the same content."""
        place = _place(item)
        self._at[place] = min(position, self._at.get(place, position))
        if not item.is_patch:
            by_file = self._of_content.setdefault(self._content(item), {})
            insort(by_file.setdefault(item.given.places.span().file, []), position)

    def replace(self, old: Item, new: Item, position: int) -> None:
        """Puts an object in the place of another one."""
        self._at.pop(_place(old), None)
        if not old.is_patch:
            self._of_content[self._content(old)][old.given.places.span().file].remove(position)
        self.add(new, position)

    def _content(self, item: Item) -> Hashable:
        """The content of an object, computed once for all copies that share their data."""
        body = id(item.body)
        if body not in self._contents:
            self._contents[body] = hashable(item.body)
        return self._contents[body]


def _place(item: Item) -> Hashable:
    """The place of an object; for a patch, also its content, with null fields."""
    return item.given.places.span(), freeze(item.body) if item.is_patch else None


def without_applied_patches(items: Iterable[Item]) -> list[Item]:
    """The objects without patches that are applied to one of them: they are checked as part of that object."""
    all_items = list(items)
    patched = {_named(item) for item in all_items if item.written is not None}
    return [item for item in all_items if not (item.is_patch and _named(item) in patched)]


def _named(item: Item) -> tuple[str, str, str]:
    return item.identity.group, item.identity.kind, item.identity.name
