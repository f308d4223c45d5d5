"""The kinds of object that the rules of a folder read. Without an object of these kinds it is not imported."""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from gitgpu.conform.objects import WORKLOADS

Kind: TypeAlias = tuple[str, str]  # group and kind; the group of Pods and ConfigMaps is ""

ANY = ("*/*",)  # for rules that look at every object, whatever its kind
PODS = tuple(f"{group}/{kind}".removeprefix("/") for group, kind in WORKLOADS)  # what has a pod template
_ANY: Kind = ("*", "*")


class Kinds(NamedTuple):
    """What a folder of rules declares.

    `about` are the kinds that findings are about: without such an object there is no finding, whatever else is
    there or is missing. `beside` are those that rules look up to judge the others; they may be absent.
    """

    about: frozenset[Kind]
    beside: frozenset[Kind]

    def concern(self, present: frozenset[Kind]) -> bool:
        """Can there be a finding when objects of these kinds are present?"""
        return _ANY in self.about or not self.about.isdisjoint(present)

    def read(self, kind: Kind) -> bool:
        """Is it declared that the rules read objects of this kind?"""
        return not {kind, _ANY}.isdisjoint(self.about | self.beside)


def kinds(about: Iterable[str], beside: Iterable[str] = ()) -> Kinds:
    """The declaration of a room; a kind is written as group/Kind, or as Kind where it has no group."""
    return Kinds(frozenset(map(_kind, about)), frozenset(map(_kind, beside)))


def _kind(written: str) -> Kind:
    group, _, kind = written.rpartition("/")
    return group, kind
