"""Codes of rules that another rule has taken over: users may go on writing them."""

from collections.abc import Collection, Mapping
from functools import cache

from gitgpu.check import fleet_rules
from gitgpu.conform import object_rules
from gitgpu.rule import AnyRule

_LENGTH = 6  # of a code: anything shorter is a prefix, such as SKU, and is about current codes only


def current(code: str, known: Collection[str]) -> str:
    """The code of the rule that has taken `code` over; `code` itself when no rule has, or when it is `known`.

    A command passes the codes that it can report, so the rules of other commands are loaded only for other codes.
    """
    return code if code in known or len(code) != _LENGTH else replaced().get(code, code)


@cache
def replaced() -> Mapping[str, str]:
    """For each code that was taken over, the code of the rule that reports the finding now."""
    rules: tuple[AnyRule, ...] = (*fleet_rules(), *object_rules())
    return {old: rule.code for rule in rules for old in rule.replaces}
