"""Properties of Azure resources with the names of Azure Service Operator.

Azure's REST API, `az` and Terraform spell the same property differently (osSKU, osSku, os_sku), in case and
underscores. The contracts of Azure Service Operator's kinds define the spelling and shape here: an ID becomes a
reference (`vnetSubnetID` is `vnetSubnetReference.armId`).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from gitgpu.diagnostic import Places
from gitgpu.source import Pointer, Span

Spelling: TypeAlias = Callable[[str], str]


class Moved(NamedTuple):
    """The places of an object whose values have other names in its document.

    `origins` maps new to old pointers. It has the place of the object itself, ().
    """

    places: Places
    origins: Mapping[Pointer, Pointer]

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of a value, or of the nearest value above it that was read."""
        whole = tuple(pointer)
        length = next(length for length in range(len(whole), -1, -1) if whole[:length] in self.origins)
        return self.places.span((*self.origins[whole[:length]], *whole[length:]), key=key)


class Renaming(NamedTuple):
    """The renaming of one resource: its contract, the spelling of keys for comparison, and the new places of values."""

    contract: Mapping[str, Any]
    spell: Spelling
    origins: dict[Pointer, Pointer]

    def value(self, value: Any, schema: Mapping[str, Any], old: Pointer, new: Pointer) -> Any:
        """A value with the names of its schema. Empty values (null, "", empty lists and mappings) are omitted."""
        self.origins[new] = old
        schema = self._followed(schema)
        if isinstance(value, dict):
            properties = schema.get("properties")
            return self._mapping(value, properties, old, new) if properties else _plain(value)
        if isinstance(value, list):
            items = schema.get("items", {})
            return [self.value(item, items, (*old, index), (*new, index)) for index, item in enumerate(value)]
        return value

    def _mapping(self, value: Mapping[str, Any], properties: Mapping[str, Any], old: Pointer, new: Pointer) -> Any:
        names = {name.lower(): name for name in properties}
        named: dict[str, Any] = {}
        for key, item in value.items():
            if is_empty(item):
                continue
            name, shaped = self._named(self.spell(key), key, item, names)
            named[name] = self.value(shaped, properties.get(name, {}), (*old, key), (*new, name))
        return {key: item for key, item in named.items() if not is_empty(item)}

    def _named(self, plain: str, key: str, item: Any, names: Mapping[str, str]) -> tuple[str, Any]:
        """The name of a key in the contract, and its value in that shape. An unknown key stays as written."""
        if plain in names:
            return names[plain], item
        stem = plain.removesuffix("id")
        if plain != stem and f"{stem}reference" in names and isinstance(item, str):
            return names[f"{stem}reference"], {"armId": item}
        for many in (f"{plain}references", f"{plain.removesuffix('ids')}sreferences"):
            if many in names and isinstance(item, list):
                return names[many], [{"armId": entry} for entry in item]
        return key, item

    def _followed(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        name = str(schema.get("$ref", "")).removeprefix("#/definitions/")
        followed: Mapping[str, Any] = self.contract["definitions"][name] if name else schema
        return followed


def is_empty(value: Any) -> bool:
    """Whether a value is empty."""
    return value is None or (isinstance(value, str | list | dict) and not value)


def _plain(value: Mapping[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in value.items() if item is not None}
