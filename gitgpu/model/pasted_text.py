"""Whether a known text is in what a user has pasted: with different names and quotes, broken lines, or cut off.

A placeholder in a known text, such as <name>, stands for a word that differs.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache

_APOSTROPHE = re.compile(r"(?<=[a-z])['\u2019](?=[a-z])")
_COLOUR = re.compile(r"(?:\x1b|\\u001b|\\x1b|\\033|\^\[)\[[0-9;]*m")
_ESCAPED = re.compile(r"\\(?:u00[0-9a-f]{2}|[nrt])")  # as JSON and Go print breaks, tabs, < and >
_PART = re.compile(r"<[a-z]+>|[a-z0-9]+")
_BETWEEN = r"[^a-z0-9]+"
_NAME = r"\S*[a-z0-9]\S*"
_BROKEN_NAME = rf"{_NAME}(?:\s*\n\s*\S+)?"
_ENOUGH = 3  # words: many texts have two in common


def is_in(text: str, pasted: str) -> bool:
    """Whether all of a text is in what was pasted. Punctuation may differ, and lines may break within words."""
    is_broken, plain = "\n" in pasted, _plain(pasted)
    return (is_broken or _longest_word(text) in plain) and _pattern(text, broken=is_broken).search(plain) is not None


def shared_words(text: str, pasted: str) -> int:
    """How many words of a text are in what was pasted, if that is a part of it, or starts or ends within it; else 0."""
    known, given = _words(text), _words(pasted)
    if set(known).isdisjoint(given):
        return 0
    most = max((_overlap(known, given, shift) for shift in range(1 - len(known), len(given))), default=0)
    return most if most >= max(2, min(_ENOUGH, sum(not _differs(word) for word in known))) else 0


@cache
def _longest_word(text: str) -> str:
    """The longest word of a text: whether it occurs is quickly known, and most texts are not in what was pasted."""
    parts: list[str] = _PART.findall(_plain(text))
    return max((part for part in parts if not _differs(part)), key=len)


@cache
def _pattern(text: str, *, broken: bool) -> re.Pattern[str]:
    """Matches a text, with `broken` also with breaks within its words."""
    within, name = (r"\s*", _BROKEN_NAME) if broken else ("", _NAME)
    parts = (name if _differs(part) else within.join(part) for part in _PART.findall(_plain(text)))
    return re.compile(rf"(?<![a-z0-9]){_BETWEEN.join(parts)}")


@lru_cache(maxsize=1024)
def _plain(text: str) -> str:
    """The text in lower case, without colours and escapes, and without the apostrophes in words.

    A shell may have removed them as quotes.
    """
    return _APOSTROPHE.sub("", _ESCAPED.sub(" ", _COLOUR.sub("", text.lower())))


def _differs(word: str) -> bool:
    """Whether a word of a known text is a placeholder."""
    return word.startswith("<")


@lru_cache(maxsize=1024)
def _words(text: str) -> tuple[str, ...]:
    """The words of a text without the punctuation around them."""
    words = (word.strip("'\"`.,:;!?()[]{}") for word in _plain(text).split())
    return tuple(filter(None, words))


def _overlap(known: Sequence[str], given: Sequence[str], shift: int) -> int:
    """How many words are equal if the first known word is laid over the given one at `shift`; 0 if any is not.

    The last given word may be cut off. What starts at a placeholder needs more words: "Node is not ready" is not
    about "dependency <name> is not ready".
    """
    equal, first = 0, max(0, shift)
    for at in range(first, min(len(given), shift + len(known))):
        word = known[at - shift]
        if _differs(word):
            continue
        if word != given[at] and not (at == len(given) - 1 and word.startswith(given[at])):
            return 0
        equal += 1
    return 0 if _differs(known[first - shift]) and equal <= _ENOUGH else equal
