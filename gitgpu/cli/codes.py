"""Codes of rules that another rule replaces: users can keep using them."""

from collections.abc import Callable, Collection, Mapping
from functools import cache

from gitgpu.rule import AnyRule

_LENGTH = 6  # of a code: anything shorter is a prefix, such as SKU, and is about current codes only


def current(code: str, reportable: Callable[[], Collection[str]]) -> str:
    """The code of the rule that replaces `code`; `code` itself if there is none, or if the command can report it.

    `reportable` gives the codes of the command: the rules of other commands are imported only for other codes.
    """
    return code if len(code) != _LENGTH or code in reportable() else replaced().get(code, code)


@cache
def replaced() -> Mapping[str, str]:
    """For each replaced code, the code of the rule that reports the finding now."""
    # Imported here: nearly every run knows its codes, and half of the program would start for nothing.
    from gitgpu.check import fleet_rules  # noqa: PLC0415
    from gitgpu.conform import object_rules  # noqa: PLC0415

    rules: tuple[AnyRule, ...] = (*fleet_rules(), *object_rules())
    codes: dict[str, str] = {}
    for rule in rules:
        codes.update(dict.fromkeys(rule.replaces, rule.code))
    return codes
