"""Objects as they are applied: their namespace, what applies them, and without duplicates."""

from collections.abc import Iterable

from gitgpu.conform.objects import Delivered, Identity, Item
from gitgpu.conform.same_content import same_content
from gitgpu.conform.schema.contract import Scope
from gitgpu.load.delivery.kustomize import Part
from gitgpu.load.manifest.objects import Loaded
from gitgpu.load.manifest.placeholders import is_unfilled


def as_applied(item: Item, loaded: Loaded, part: Part) -> Item:
    """The object as it is applied. A kustomization can set its namespace; an Application sets a missing namespace.

    A namespace with a placeholder is an unknown value.
    """
    own = item.identity
    if part.renamed != item.renamed:
        item = item._replace(renamed=part.renamed)
    if (own.group, own.kind) == ("", "Namespace"):
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


def deduplicated(items: Iterable[Item]) -> list[Item]:
    """The objects without duplicates: the same place in a file, or equal objects in two files."""
    distinct: list[Item] = []
    places: dict[Identity, list[int]] = {}
    for item in items:
        namesakes = places.setdefault(item.identity, [])
        duplicate = next((index for index in namesakes if _same(distinct[index], item)), None)
        if duplicate is None:
            namesakes.append(len(distinct))
            distinct.append(item)
        elif item.delivered and not distinct[duplicate].delivered:
            distinct[duplicate] = item
    return distinct


def without_applied_patches(items: Iterable[Item]) -> list[Item]:
    """The objects without patches that are applied to one of them: they are checked as part of that object."""
    all_items = list(items)
    patched = {_named(item) for item in all_items if item.written is not None}
    return [item for item in all_items if not (item.is_patch and _named(item) in patched)]


def _named(item: Item) -> tuple[str, str, str]:
    return item.identity.group, item.identity.kind, item.identity.name


def _same(first: Item, other: Item) -> bool:
    if first.is_patch or other.is_patch:
        return first.is_patch == other.is_patch and first.given == other.given
    span, other_span = first.given.places.span(), other.given.places.span()
    return span == other_span or (span.file != other_span.file and same_content(first.body, other.body))
