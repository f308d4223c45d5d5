"""The value of a bare YAML scalar, as sigs.k8s.io/yaml reads it (kubectl, Flux and Argo CD all use it).

That library uses goyaml.v2/resolve.go: YAML 1.1 booleans, `0o17` and `0B1`, no sexagesimals; timestamps stay text.
`1_000` is a number, as in YAML 1.1, but `._5` and numbers beyond float64 are text. Its conversion to JSON fails on
infinities and NaN, so `.inf` and `.nan` are text here.
"""

import re
from functools import lru_cache
from math import isfinite
from typing import TypeAlias

Scalar: TypeAlias = str | int | float | bool | None

WORDS: dict[str, Scalar] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
}
# Binary, octal with and without o, hexadecimal and decimal.
INTEGER = re.compile(r"[-+]?(?:0[bB][01]+|0[oO]?[0-7]+|0[xX][0-9a-fA-F]+|0|[1-9][0-9]*)\Z", re.ASCII)
FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z", re.ASCII)
MAX_DIGITS = 400  # digits: Python converts long numbers slowly, and limits their length for that reason


@lru_cache(maxsize=8192)  # manifests repeat their words
def resolve(text: str) -> Scalar:
    """The value of a bare scalar: None, a bool, an int, a float that is not whole, or the text itself."""
    if text in WORDS:
        return WORDS[text]
    if text[0] not in "+-.0123456789" or len(text) > MAX_DIGITS:
        return text
    plain = text if text[0] == "." else text.replace("_", "")
    # Go tries int64, then uint64. Larger numbers are float64.
    if INTEGER.match(plain) and -(2**63) <= (whole := _integer(plain)) < 2**64:
        return whole
    return _number(float(plain), text) if FLOAT.match(plain) else text


def _number(number: float, text: str) -> Scalar:
    """A number with a fraction or an exponent: 2.0 and 1e+06 are sent to the API server as 2 and 1000000."""
    if not isfinite(number):
        return text
    return int(number) if number.is_integer() and -(2**63) <= number < 2**64 else number


def _integer(text: str) -> int:
    """An integer. A leading 0 without a letter means base 8, as in Go and C."""
    digits = text.lstrip("+-")
    base = 8 if digits[0] == "0" and digits[1:].isdigit() else 0
    return int(digits, base) * (-1 if text[0] == "-" else 1)
