"""A page is a text file that a person runs or pastes, in addition to the objects that an engine applies."""

from collections.abc import Callable
from typing import NamedTuple

from gitgpu.plan.decided.cluster import ClusterPlan


class Page(NamedTuple):
    """`name` is its file below `<cluster>/runbook/`; `write` returns its text, or "" if the cluster needs none.

    The extension of the name determines the language, and so how a comment is written.
    """

    name: str
    write: Callable[[ClusterPlan], str]
