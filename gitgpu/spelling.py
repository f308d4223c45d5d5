"""Words in messages: nouns with their number, and the known word that a misspelled one stands for."""

import re
from bisect import bisect
from collections.abc import Iterable
from functools import lru_cache

_PARTS = re.compile(r"[-_./\s]+")
_SHORTEST = 3  # letters that a shortened part keeps at least: UTIL for UTILIZATION
_MANY = 500  # options that are all compared; the work grows with their number for each word
_SHORT = 5  # letters of a word that stands for a longer one


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 node`, `2 nodes`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def nearest(word: str, options: Iterable[str], cutoff: float = 0.6) -> str:
    """The option that a word is most like, whatever the case of its letters; "" where it is like none.

    An option that shortens or completes parts of the word goes first: DCGM_FI_DEV_GPU_UTILIZATION stands for
    DCGM_FI_DEV_GPU_UTIL. Of options that are equally like it, the one that begins as the word does: people
    seldom mistype a first letter, so estus stands for eastus, not westus.
    """
    given = tuple(options)
    return _nearest(word, _around(word, given) if len(given) > _MANY else given, cutoff)


def _around(word: str, options: tuple[str, ...]) -> tuple[str, ...]:
    """Of very many options those beside the word in the order of names: a thousand slips among a thousand names."""
    ordered = _ordered(options)
    at = bisect(ordered, (word.lower(), ""))
    return tuple(option for _, option in ordered[max(0, at - _MANY // 2) : at + _MANY // 2])


@lru_cache(8)
def _ordered(options: tuple[str, ...]) -> list[tuple[str, str]]:
    return sorted((option.lower(), option) for option in options)


@lru_cache(2**14)  # one fault asks several times
def _nearest(word: str, options: tuple[str, ...], cutoff: float) -> str:
    spelt = {option.lower(): option for option in sorted(options, reverse=True)}
    lower = word.lower()
    if lower in spelt:
        return word if word in options else spelt[lower]
    shortened = [option for option in spelt if _shortens(option, lower) or _completes(option, lower)]
    if len(shortened) == 1:
        return spelt[shortened[0]]
    return spelt.get(_closest(lower, spelt, cutoff), "")


def _closest(word: str, options: Iterable[str], cutoff: float) -> str:
    from difflib import SequenceMatcher  # noqa: PLC0415  only misspelled words need it

    matcher, best = SequenceMatcher(), (cutoff, -1, 0, "")
    matcher.set_seq2(word)  # of which the matcher keeps an index
    for option in options:
        matcher.set_seq1(option)
        low = best[0]
        if matcher.real_quick_ratio() >= low and matcher.quick_ratio() >= low and (ratio := matcher.ratio()) >= low:
            best = max(best, (ratio, _same_start(option, word), -abs(len(option) - len(word)), option))
    return best[3]


def _completes(option: str, word: str) -> bool:
    """Does the option begin with all of the word, and is that most of it? westeu stands for westeurope."""
    return len(word) >= _SHORT and option.startswith(word) and 2 * len(word) > len(option)


def _shortens(option: str, word: str) -> bool:
    """Are both made of the same parts, some of which one of them cuts short?"""
    ours, theirs = _PARTS.split(option), _PARTS.split(word)
    return len(ours) == len(theirs) > 1 and all(map(_begins, ours, theirs))


def _begins(first: str, other: str) -> bool:
    return first == other or (
        min(len(first), len(other)) >= _SHORTEST
        and (first.startswith(other) or other.startswith(first))
        and first.isalpha()
        and other.isalpha()
    )


def _same_start(first: str, other: str) -> int:
    return next((at for at, (ours, theirs) in enumerate(zip(first, other, strict=False)) if ours != theirs), len(other))
