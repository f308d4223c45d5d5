"""The contracts of a kind in the releases of its project that differ."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, NamedTuple

from gitgpu.load.explain import explain_faults, fault_places
from gitgpu.load.explain.fault import Fault
from gitgpu.load.validate.compiler import Dialect, Dialects, compile_schema
from gitgpu.load.validate.formats import FORMATS
from gitgpu.load.validate.keywords import Check
from gitgpu.load.validate.releases import CHANGED, part_of_release, schema_of_release
from gitgpu.source import Pointer

OWN = Dialects(Dialect(formats=FORMATS), Dialect(formats=FORMATS, partial=True))  # of our own contracts


class Variant(NamedTuple):
    """The contract of a kind since a release, until the next release that changes it.

    `schema` reads it. `whole` and `part` return whether an object or a patch matches.
    """

    since: str
    schema: Callable[[], dict[str, Any]]
    whole: Check
    part: Check

    def accepts(self, body: Mapping[str, Any], *, patch: bool = False) -> bool:
        """Whether an object or a patch matches."""
        return (self.part if patch else self.whole)(body)

    def faults(self, body: Mapping[str, Any], *, patch: bool = False) -> list[Fault]:
        """Why an object does not match; empty if it does."""
        if self.accepts(body, patch=patch):
            return []
        return explain_faults(self.schema(), body, OWN.partial if patch else OWN.full)

    def fault_places(self, body: Mapping[str, Any], *, patch: bool = False) -> list[Pointer]:
        """Where an object does not match; empty if it does."""
        if self.accepts(body, patch=patch):
            return []
        return fault_places(self.schema(), body, OWN.partial if patch else OWN.full)


def variants_of(schema: dict[str, Any]) -> tuple[Variant, ...]:
    """The contract of each range of releases, oldest first."""
    return tuple(_variant(schema, index) for index in range(len(schema[CHANGED])))


def _variant(schema: dict[str, Any], index: int) -> Variant:
    """The contract of one range of releases. Parts of its schema are read when an object first needs them."""
    changed = schema[CHANGED]
    select = partial(part_of_release, index=index, changed=changed)

    read = cache(partial(schema_of_release, schema, index, changed))
    dialects = (Dialect(formats=FORMATS, partial=is_part, select=select) for is_part in (False, True))
    return Variant(changed[index], read, *(_compiled_later(schema, dialect) for dialect in dialects))


def _compiled_later(schema: dict[str, Any], dialect: Dialect) -> Check:
    """The predicate of a schema, compiled when it is first used: most objects need none of those of a release."""
    compiled: list[Check] = []

    def check(body: Any) -> bool:
        if not compiled:
            compiled.append(compile_schema(schema, dialect))
        return compiled[0](body)

    return check
