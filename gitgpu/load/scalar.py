"""What a bare YAML scalar means, as sigs.k8s.io/yaml reads it (kubectl, Flux and Argo CD all use it).

That library resolves with goyaml.v2/resolve.go: YAML 1.1 booleans, `0o17` and `0b1`, no sexagesimals; its JSON step
turns timestamps back into the text that was written. `1_000` is a number there, as in YAML 1.1.
"""

import re
from functools import lru_cache
from typing import TypeAlias

Scalar: TypeAlias = str | int | float | bool | None

WORDS: dict[str, Scalar] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
}
INTEGER = re.compile(r"[-+]?(?:0b[01]+|0o?[0-7]+|0x[0-9a-fA-F]+|0|[1-9][0-9]*)\Z", re.ASCII)
FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z", re.ASCII)
LONGEST_NUMBER = 400  # digits; beyond it Python's own conversion is slow by design


@lru_cache(maxsize=8192)
def resolve(text: str) -> Scalar:
    """The value of a bare scalar: None, bool, int, float or the text itself."""
    if text in WORDS:
        return WORDS[text]
    if text[0] not in "+-.0123456789" or len(text) > LONGEST_NUMBER:
        return text
    plain = text.replace("_", "")
    if INTEGER.match(plain):
        return _integer(plain)
    return float(plain) if FLOAT.match(plain) else text


def _integer(text: str) -> int:
    sign, digits = (-1, text[1:]) if text[0] == "-" else (1, text.lstrip("+"))
    if digits[:2] in ("0b", "0o", "0x"):
        return sign * int(digits, 0)
    return sign * int(digits, 8 if digits[0] == "0" else 10)
