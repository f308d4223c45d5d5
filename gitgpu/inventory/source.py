"""A format of documents about running infrastructure: how it is recognised, and what is read from it."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from gitgpu.diagnostic import Places
from gitgpu.inventory.observed import Inventory

Recognise: TypeAlias = Callable[[Any], bool]
Read: TypeAlias = Callable[[Any, Places], Inventory]


class Source(NamedTuple):
    """A format. `recognises` checks the parsed document, never the name of its file.

    `reads` returns the inventory of the document. Documents about the same cluster are joined by its name later.
    """

    name: str
    recognises: Recognise
    reads: Read
