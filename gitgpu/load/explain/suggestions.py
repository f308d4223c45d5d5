"""What a text that does not match its pattern was meant to be, if a common mistake explains it."""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any

from gitgpu.load.validate.patterns import compile_pattern

# Texts, which `re` compiles only if they are needed: every run loads this module, but only wrong values use it.
_HOURS = {"w": 168, "d": 24, "h": 1}
# The lookbehind protects words in names: only a unit after a digit is rewritten.
_WORDS = (
    (r"(?i)(?<=\d)\s*(?:weeks?|wks?)\b", "w"),
    (r"(?i)(?<=\d)\s*days?\b", "d"),
    (r"(?i)(?<=\d)\s*(?:hours?|hrs?)\b", "h"),
    (r"(?i)(?<=\d)\s*(?:minutes?|mins?)\b", "m"),
    (r"(?i)(?<=\d)\s*(?:seconds?|secs?)\b", "s"),
)
_PART = r"(\d+(?:\.\d+)?)([wdhms])"
_DURATION = r"(?:\d+(?:\.\d+)?[wdhms])+\Z"
_SIZE = r"(?i)(\d+(?:\.\d+)?)\s*([kmgtpe])(i?)b?\Z"
_GIT = r"(?P<user>[\w.-]+@[\w.-]+):(?P<path>[^/].*)\Z"
_ZONE = r"[a-z]+[0-9]?-([0-9])\Z"
_SECONDS = 3600


def suggestion(value: Any, schema: Mapping[str, Any]) -> str:
    """A text that fits the schema and means the same, such as 720h for 30d or 16Gi for 16GiB; "" if none is known."""
    if not isinstance(value, str) or "pattern" not in schema:
        return ""
    fits = compile_pattern(schema["pattern"]).search
    spellings = chain.from_iterable(spell(value.strip()) for spell in _SPELLINGS)
    return next((text for text in spellings if fits(text) and _has_room(text, schema)), "")


def _has_room(text: str, schema: Mapping[str, Any]) -> bool:
    return bool(schema.get("minLength", 0) <= len(text) <= schema.get("maxLength", len(text)))


def _trimmed(value: str) -> Iterator[str]:
    yield value
    yield value.rstrip("/")
    if value.lower() in ("never", "always"):
        yield value.capitalize()


def _duration(value: str) -> Iterator[str]:
    """A duration with days, weeks or fractions in whole hours, minutes and seconds."""
    for pattern, unit in _WORDS:
        value = re.sub(pattern, unit, value)
    plain = "".join(value.split())
    if not re.match(_DURATION, plain):
        return
    seconds_of = {**{unit: hours * _SECONDS for unit, hours in _HOURS.items()}, "m": 60, "s": 1}
    seconds = sum(float(amount) * seconds_of[unit] for amount, unit in re.findall(_PART, plain))
    # The schemas allow no fractions of a second, so 0.5s has no spelling that fits.
    if seconds == int(seconds):
        hours, rest = divmod(int(seconds), _SECONDS)
        minutes, left = divmod(rest, 60)
        duration = "".join(f"{amount}{unit}" for amount, unit in ((hours, "h"), (minutes, "m"), (left, "s")) if amount)
        yield plain
        yield duration or "0s"


def _size(value: str) -> Iterator[str]:
    """16GiB, 16gi and 16 Gi are 16Gi; 16GB is 16G."""
    if match := re.match(_SIZE, value):
        amount, letter, binary = match.groups()
        # Both cases: Kubernetes writes k in lower case, and Ki, M and G with a capital.
        yield f"{amount}{letter.upper()}{binary.lower()}"
        yield f"{amount}{letter.lower()}{binary.lower()}"


def _version(value: str) -> Iterator[str]:
    yield value.removeprefix("v")


def _url(value: str) -> Iterator[str]:
    """An SSH address as a URL, or a URL without its scheme."""
    if "://" in value:
        yield value.partition("://")[2]
        yield value.partition("://")[2].rstrip("/")
    if match := re.match(_GIT, value):
        yield f"ssh://{match['user']}/{match['path']}"


def _name(value: str) -> Iterator[str]:
    """A name in lower case, with its words joined by hyphens or directly; or in upper case."""
    lower = value.lower()
    yield lower
    yield re.sub(r"[\s_]+", "-", lower)
    yield re.sub(r"[\s_-]+", "", lower)
    yield value.upper()


def _zone(value: str) -> Iterator[str]:
    """The number of a zone for Karpenter's name of it: 1 for swedencentral-1."""
    if match := re.match(_ZONE, value):
        yield match[1]


# In this order: the first spelling that fits the schema is suggested.
_SPELLINGS: tuple[Callable[[str], Iterator[str]], ...] = (_trimmed, _duration, _size, _version, _url, _name, _zone)
