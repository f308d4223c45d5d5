"""Codes of rules that another rule has taken over: users may go on writing them."""

from collections.abc import Callable, Collection, Mapping
from functools import cache

from gitgpu.rule import AnyRule

_LENGTH = 6  # of a code: anything shorter is a prefix, such as SKU, and is about current codes only


def current(code: str, known: Callable[[], Collection[str]]) -> str:
    """The code of the rule that has taken `code` over; `code` itself when no rule has, or when it is `known`.

    `known` gives the codes that a command can report: the rules of other commands are imported only for other codes.
    """
    return code if len(code) != _LENGTH or code in known() else replaced().get(code, code)


@cache
def replaced() -> Mapping[str, str]:
    """For each code that was taken over, the code of the rule that reports the finding now."""
    # Imported here: nearly every run knows its codes, and half of the program would start for nothing.
    from gitgpu.check import fleet_rules  # noqa: PLC0415
    from gitgpu.conform import object_rules  # noqa: PLC0415

    rules: tuple[AnyRule, ...] = (*fleet_rules(), *object_rules())
    return {old: rule.code for rule in rules for old in rule.replaces}
