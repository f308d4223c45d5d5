"""What a format of running infrastructure is: how a document is recognised, and what is read from it."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from gitgpu.diagnostic import Places
from gitgpu.load.inventory.observed import Inventory

Recognise: TypeAlias = Callable[[Any], bool]
Read: TypeAlias = Callable[[Any, Places], Inventory]


class Source(NamedTuple):
    """A format. `recognises` looks at the parsed document, never at the name of its file.

    `reads` gives what the document says; several documents about one cluster are joined by its name afterwards.
    """

    name: str
    summary: str
    recognises: Recognise
    reads: Read
