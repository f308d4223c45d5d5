"""Codes of rules that another rule replaces. They still work."""

from collections.abc import Callable, Collection, Mapping
from functools import cache

from gitgpu.rule import AnyRule

_LENGTH = 6  # of a code: anything shorter is a prefix, such as SKU, and matches only current codes


def current(code: str, reportable: Callable[[], Collection[str]]) -> str:
    """The code of the rule that replaces `code`; `code` itself if there is none, or if the command can report it.

    `reportable` gives the codes of the command: the rules of other commands are imported only for other codes.
    """
    return code if len(code) != _LENGTH or code in reportable() else replaced().get(code, code)


@cache
def replaced() -> Mapping[str, str]:
    """Maps each replaced code to the code of the rule that reports the finding now."""
    # Imported here, because few runs need it, and it imports half of the program.
    from gitgpu.check import fleet_rules  # noqa: PLC0415
    from gitgpu.conform import object_rules  # noqa: PLC0415

    rules: tuple[AnyRule, ...] = (*fleet_rules(), *object_rules())
    codes: dict[str, str] = {}
    for rule in rules:
        codes.update(dict.fromkeys(rule.replaces, rule.code))
    return codes
