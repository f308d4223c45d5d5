"""YAML readers that disagree on plain scalars, to test whether a text means the same in all of them."""

import re
from collections.abc import Callable
from typing import Any

import yaml

_TAG = "tag:yaml.org,2002:"
_CORE = (  # YAML 1.2.2, section 10.3.2 "Tag Resolution" of the core schema
    ("null", re.compile(r"null|Null|NULL|~|")),
    ("bool", re.compile(r"true|True|TRUE|false|False|FALSE")),
    ("int", re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")),
    ("float", re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")),
)
# sigs.k8s.io/yaml, goyaml.v2/resolve.go: a table of words; "_" removed; Go's ParseInt with base 0; then this pattern
_GO_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_GO_INT = re.compile(r"[-+]?(0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9][0-9]*)")
_GO_WORDS = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), "bool"),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), "bool"),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), "null"),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), "float"),
    **dict.fromkeys((sign + word for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF")), "float"),
    "<<": "merge",
}


def core_kind(text: str) -> str:
    """The type of a plain scalar in YAML 1.2."""
    return next((kind for kind, pattern in _CORE if pattern.fullmatch(text)), "str")


def go_kind(text: str) -> str:
    """The type of a plain scalar for the reader of kubectl, Flux and Argo CD, where a date stays a string."""
    if text in _GO_WORDS:
        return _GO_WORDS[text]
    if not text or text[0] not in "+-.0123456789":
        return "str"
    plain = text if text[0] == "." else text.replace("_", "")
    if text[0] != "." and _GO_INT.fullmatch(plain):
        return "int"
    return "float" if _GO_FLOAT.fullmatch(plain) else "str"


class _Core(yaml.SafeLoader):
    """YAML 1.2, core schema."""

    def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
        return _resolve(super().resolve, core_kind, (kind, value, implicit))


class _Go(yaml.CSafeLoader):
    """goyaml.v2, a port of libyaml: the same scanner with its own resolver."""

    def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
        return _resolve(super().resolve, go_kind, (kind, value, implicit))


def _resolve(resolve: Callable[..., Any], kind_of: Callable[[str], str], node: tuple[Any, Any, Any]) -> Any:
    kind, value, implicit = node
    plain = kind is yaml.ScalarNode and implicit[0]
    return _TAG + kind_of(value) if plain else resolve(kind, value, implicit)


READERS: dict[str, Callable[[str], Any]] = {
    "YAML 1.1 (PyYAML)": lambda text: yaml.load(text, Loader=yaml.SafeLoader),
    "YAML 1.1 (libyaml)": lambda text: yaml.load(text, Loader=yaml.CSafeLoader),
    "YAML 1.2 (core schema)": lambda text: yaml.load(text, Loader=_Core),
    "sigs.k8s.io/yaml": lambda text: yaml.load(text, Loader=_Go),
}
