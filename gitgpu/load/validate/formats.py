"""The formats that the API server enforces in custom resources, as far as they can be checked offline.

If in doubt, a value is valid: every API server rejects what is rejected here. It ignores formats that it does not know.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from gitgpu.load.validate.keywords import Check

# Texts, which `re` compiles only if they are needed: few objects have values with these formats.
_TIME = r"(?ai)([0-1]\d|2[0-3]):[0-5]\d:[0-5]\d(.\d+)?(z|[+-]\d\d:\d\d)\Z"
_UNIT = r"ns|nano\w*|us|[µμ]s|micro\w*|ms|milli\w*|s|sec\w*|m|min\w*|h|hr|hour\w*|d|day\w*|w|wk|week\w*"
_DURATION = rf"(?ai)[-+]?0\Z|\d\.?\s*(?:{_UNIT})(?![A-Za-zµ])"
_DATE = r"(?a)\d{4}-\d\d-\d\d\Z"
_UUID = r"(?i)[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\Z"
_BYTES = r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?\Z"
_ZEROS = r"(?<![0-9a-fA-F:])0+(?=\d)"  # leading zeros in a part of an address; Go's older parser accepts them


def _address(text: str) -> object:
    from ipaddress import ip_address  # noqa: PLC0415  takes as long to load as many of our modules

    return ip_address(re.sub(_ZEROS, "", text))


def _network(text: str) -> object:
    from ipaddress import ip_network  # noqa: PLC0415

    return ip_network(re.sub(_ZEROS, "", text), strict=False)


def _is(read: Callable[[str], Any]) -> Callable[[str], bool]:
    """A predicate: whether `read` can read the text."""

    def check(text: str) -> bool:
        try:
            return bool(read(text))
        except ValueError:
            return False

    return check


_is_date = _is(lambda text: re.match(_DATE, text) and date.fromisoformat(text))
_is_address = _is(_address)
_is_network = _is(lambda text: "/" in text and _network(text))


def _is_moment(text: str) -> bool:
    day, _, rest = text.lower().partition("t")
    return _is_date(day) and bool(re.match(_TIME, rest))


_TEXTS: Mapping[str, Callable[[str], bool]] = {
    "byte": lambda text: bool(re.match(_BYTES, text)),
    "cidr": _is_network,
    "date": _is_date,
    "date-time": _is_moment,
    "datetime": _is_moment,
    "duration": lambda text: bool(re.search(_DURATION, text)),
    "ipv4": lambda text: "." in text and _is_address(text),
    "ipv6": lambda text: ":" in text and _is_address(text),
    "uuid": lambda text: bool(re.match(_UUID, text)),
}


def _text_check(test: Callable[[str], bool]) -> Check:
    return lambda value: not isinstance(value, str) or test(value)


def _integer_check(bits: int) -> Check:
    return lambda value: not isinstance(value, int) or -(2 ** (bits - 1)) <= value < 2 ** (bits - 1)


INTEGERS: Mapping[str, Check] = {"int32": _integer_check(32), "int64": _integer_check(64)}
FORMATS: Mapping[str, Check] = {**INTEGERS, **{name: _text_check(test) for name, test in _TEXTS.items()}}


def is_enforced(schema: Mapping[str, Any]) -> bool:
    """Whether the API server enforces the format of a schema for its type."""
    name, kind = schema.get("format"), schema.get("type", "string")
    if kind == "integer":
        return name in INTEGERS
    return kind == "string" and name in _TEXTS
