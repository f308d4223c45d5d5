"""What a rule is, whatever it looks at: a value that carries its own reason, sources and examples."""

from collections.abc import Callable, Iterable
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from gitgpu.diagnostic import Severity

Subject = TypeVar("Subject")
Finding = TypeVar("Finding")


class Rule(NamedTuple, Generic[Subject, Finding]):
    """A rule is named for what it forbids. `bad` and `good` are YAML; they are its tests and its page.

    `code` is permanent. `help` says why the rule is there; `sources` are the links that prove it. `check` gives the
    breaches, each with its place, what is wrong and what to do.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    help: str
    sources: tuple[str, ...]
    check: Callable[[Subject], Iterable[Finding]]
    bad: str
    good: str


AnyRule: TypeAlias = Rule[Any, Any]
