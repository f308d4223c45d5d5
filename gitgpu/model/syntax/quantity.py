"""Kubernetes quantities as exact numbers (k8s.io/apimachinery resource.Quantity)."""

import re
from collections.abc import Mapping
from contextlib import suppress
from decimal import Context, Decimal
from functools import lru_cache
from typing import Any

_DECIMAL = {suffix: Decimal(1000) ** power for power, suffix in enumerate(["n", "u", "m", "", *"kMGTPE"], start=-3)}
_BINARY = {f"{letter}i": Decimal(1024) ** power for power, letter in enumerate("KMGTPE", start=1)}
SUFFIXES = _DECIMAL | _BINARY
EXACT = Context(prec=100_000)  # digits; the default of 28 would round
# Two digits are enough for an exponent; more could fill the memory.
FORM = re.compile(r"([-+]?[0-9]+\.?[0-9]*|[-+]?\.[0-9]+)(?:([numkMGTPE]|[KMGTPE]i)|[eE]([-+]?[0-9]{1,2}))?\Z", re.ASCII)


@lru_cache(1 << 12)
def quantity(text: str | int) -> Decimal:
    """The number of a quantity, in base units. Raises ValueError if the text is not a quantity, such as "12Gx"."""
    match = FORM.match(str(text))
    if not match:
        raise ValueError(f"{text!r} is not a quantity")
    number, suffix, exponent = match.groups()
    return EXACT.multiply(Decimal(number), SUFFIXES[suffix or ""]).scaleb(int(exponent or 0), EXACT)


def amounts(written: Mapping[str, Any]) -> dict[str, Decimal]:
    """Quantities of resources by name, without those that cannot be parsed."""
    parsed: dict[str, Decimal] = {}
    for name, amount in written.items():
        with suppress(ValueError, TypeError):  # a list or a mapping has no hash
            parsed[name] = quantity(amount)
    return parsed


def is_whole(value: Decimal) -> bool:
    """Whether it is a whole number. Exact for any number of digits, where `%` raises beyond 28."""
    return EXACT.remainder(value, Decimal(1)) == 0


def times(value: Decimal, part: Decimal) -> int:
    """How many times a part fits into a value. Exact for any number of digits, where `//` raises beyond 28."""
    return int(EXACT.divide_int(value, part))
