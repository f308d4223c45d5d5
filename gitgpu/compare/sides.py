"""The two sides of a comparison."""

from typing import Generic, NamedTuple, TypeVar

Side_co = TypeVar("Side_co", covariant=True)


class Sides(NamedTuple, Generic[Side_co]):
    """The same thing before and after a change."""

    before: Side_co
    after: Side_co
