"""A page is a text file that a person runs or pastes, beside the objects that an engine applies."""

from collections.abc import Callable
from typing import NamedTuple

from gitgpu.plan.decided.cluster import ClusterPlan


class Page(NamedTuple):
    """`name` is its file below `<cluster>/runbook/`; `write` gives its text, "" where the cluster needs none.

    The ending of the name says the language, and with it how a comment is written.
    """

    name: str
    write: Callable[[ClusterPlan], str]
