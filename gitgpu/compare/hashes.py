"""The hash with which Karpenter checks whether a node still matches its NodePool and AKSNodeClass.

It follows mitchellh/hashstructure, format 2, with the options SlicesAsSets, IgnoreZeroValue and ZeroNil, over types
that the catalog describes (`catalog/edits`). The function is 64-bit FNV-1; hashes are combined as little-endian bytes.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from gitgpu.model.catalog import Facts

# The offset basis and the prime of 64-bit FNV; Python's integers do not overflow, so the mask does.
_START, _PRIME, _MASK = 0xCBF29CE484222325, 0x100000001B3, 2**64 - 1
_WIDTHS = {"int32": 4, "int64": 8}
_PART = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ns|us|µs|ms|s|m|h)")
_NANOSECONDS = {"ns": 1, "us": 10**3, "µs": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9}
# Upstream reads Never as a nil duration, which the option IgnoreZeroValue skips.
_NEVER = "Never"


def hash_of(body: Mapping[str, Any], facts: Facts) -> str:
    """The hash of an object as stored, with its defaults, in the form of the annotation.

    Raises ValueError, TypeError or AttributeError if the object does not match the types of its kind.
    """
    part: Any = body
    for key in facts["at"].split("."):
        part = part.get(key) or {}
    return str(_struct(part, facts["type"], facts["types"]))


def _struct(value: Mapping[str, Any], name: str, types: Facts) -> int:
    total = _text(name)
    for entry in types[name]:
        given = value.get(entry["key"])
        kind = entry["type"]
        if given is None or _is_zero(given, kind, types):
            continue
        total = _fnv(_bytes(total ^ _pair(entry["name"], _value(given, kind, types))))
    return total


def _is_zero(value: Any, kind: str, types: Facts) -> bool:
    """Whether the field is a zero value in Go. A pointer, a map or a list is not, even if it is empty."""
    if kind == "nillable-duration":
        return bool(value == _NEVER)
    if kind == "duration":
        return nanoseconds(value) == 0
    if kind in types:
        for entry in types[kind]:
            inner = value.get(entry["key"])
            if inner is not None and not _is_zero(inner, entry["type"], types):
                return False
        return True
    # The structs have no plain numbers: all numbers are behind pointers, where 0 is a value.
    return kind == "string" and value == ""


def _value(value: Any, kind: str, types: Facts) -> int:
    outer, _, inner = kind.rpartition(" ")
    if outer == "list":
        return _together(_value(item, inner, types) for item in value)
    if outer == "map":
        return _fnv(_bytes(_together(_pair(key, _value(item, inner, types)) for key, item in value.items())))
    if inner in types:
        return _struct(value, inner, types)
    if inner in ("duration", "nillable-duration"):
        return _duration(nanoseconds(value), "Duration" if inner == "duration" else "NillableDuration")
    if inner == "bool":
        return _fnv(bytes([bool(value)]))
    return _fnv(int(value).to_bytes(_WIDTHS[inner], "little", signed=True)) if inner in _WIDTHS else _text(str(value))


def _duration(length: int, name: str) -> int:
    """A struct around time.Duration. A zero duration is skipped, unless the field is a pointer to it."""
    total = _text(name)
    if length or name != "Duration":
        total = _fnv(_bytes(total ^ _pair("Duration", _fnv(length.to_bytes(8, "little", signed=True)))))
    return total


def _pair(key: str, value: int) -> int:
    """The hash of a field of a struct, or of an entry of a map, from its name and the hash of its value."""
    return _fnv(_bytes(_text(key)) + _bytes(value))


def _together(hashes: Any) -> int:
    total = 0
    for entry in hashes:
        # XOR, because order does not matter: never in a map, and in a list with the option SlicesAsSets.
        total ^= entry
    return total


def nanoseconds(text: Any) -> int:
    """The length of a duration as Go reads it. Raises ValueError for any other text."""
    parts = _PART.findall(str(text))
    if not parts or "".join(number + unit for number, unit in parts) != str(text):
        raise ValueError(f"{text!r} is not a duration")
    return sum(int(float(number) * _NANOSECONDS[unit]) for number, unit in parts)


def _bytes(number: int) -> bytes:
    return number.to_bytes(8, "little")


@cache
def _text(text: str) -> int:
    return _fnv(text.encode())


def _fnv(data: bytes) -> int:
    total = _START
    for byte in data:
        # FNV-1 multiplies first. FNV-1a does it the other way round, and gives other hashes.
        total = (total * _PRIME & _MASK) ^ byte
    return total
