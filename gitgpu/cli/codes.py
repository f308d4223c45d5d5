"""Codes of all commands: replaced ones and names of rules stand for current codes, and unknown ones are corrected."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache

from gitgpu.rule import AnyRule
from gitgpu.spelling import nearest

_CODE = re.compile(r"([A-Z]{3})([0-9]{1,5})")
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")  # of a rule
_OWN_ADVISORY = re.compile(r"ADV[5-9][0-9]{2}")  # of the user's catalog
_LENGTH = 6  # of a code: anything shorter is a prefix, such as SKU, and matches only current codes


def current(code: str, reportable: Callable[[], Collection[str]]) -> str:
    """The code of the rule with this name, or that replaces `code`; else, or if the command can report it, `code`.

    `reportable` gives the codes of the command: the rules of other commands are imported only for other codes.
    """
    if _NAME.fullmatch(code):
        named = _by_name().get(code, (code,))
        return next((each for each in named if each in reportable()), named[0])
    return code if len(code) != _LENGTH or code in reportable() else replacements().get(code, code)


@cache
def replacements() -> Mapping[str, str]:
    """Maps each replaced code to the code of the rule that reports the finding now."""
    codes: dict[str, str] = {}
    for rule in _rules():
        codes.update(dict.fromkeys(rule.replaces, rule.code))
    return codes


def correction(code: str, reportable: Callable[[], Collection[str]]) -> str | None:
    """The code that is most similar to an unknown one, or ""; None if the code is known.

    Like `current`, it looks at the rules of other commands only for a code that this command does not report.
    """
    if _NAME.fullmatch(code):
        return None if code in _by_name() else nearest(code, sorted(_by_name()))
    if code in reportable() or code in replacements() or _OWN_ADVISORY.fullmatch(code):
        return None
    from gitgpu.report.reference.faults import faults  # noqa: PLC0415  few runs need it

    if any(listed.code == code for listed in faults()):
        return None
    known = _rule_codes()
    if code in known:
        return None
    prefix = any(each.startswith(code) for each in known)  # none of these codes is more likely than the others
    return "" if prefix else nearest_code(code.upper(), sorted(known))


def nearest_code(written: str, known: Sequence[str]) -> str:
    """The known code that differs in zeros alone, KED004 for KED04, or else the most similar one; "" if none is."""
    parts = _CODE.fullmatch(written)
    padded = f"{parts[1]}{int(parts[2]):03}" if parts else ""
    return padded if padded in known else nearest(written, known)


@cache
def _by_name() -> Mapping[str, tuple[str, ...]]:
    """The code of the rule with each name: of the fleet, of objects, or of both."""
    codes: dict[str, tuple[str, ...]] = {}
    for rule in _rules():
        codes[rule.name] = (*codes.get(rule.name, ()), rule.code)
    return codes


def _rules() -> tuple[AnyRule, ...]:
    # Imported here, because few runs need it, and it imports half of the program.
    from gitgpu.rules.fleet_rulebook import fleet_rules  # noqa: PLC0415
    from gitgpu.rules.object_rulebook import object_rules  # noqa: PLC0415

    return (*fleet_rules(), *object_rules())


@cache
def _rule_codes() -> frozenset[str]:
    from gitgpu.rules.fleet_rulebook import fleet_codes  # noqa: PLC0415  as above
    from gitgpu.rules.object_findings import object_codes  # noqa: PLC0415

    return fleet_codes() | object_codes()
