"""Words in messages: nouns with their number, and the known word that is closest to a misspelled one."""

import re
from bisect import bisect
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

# What separates the parts of a name.
_PARTS = re.compile(r"[-_./\s]+")
# Letters of a part that is short for a longer one, at least: MEM for MEMORY. FB, SM and ID are not short.
_MIN_PART_LENGTH = 3
_MAX_COMPARED = 500  # options that a word is compared with at most, since each comparison takes time
_MAX_JOINED = 3  # names that `join_names` shows
MAX_LISTED = 8  # names that a message or a remedy lists
# Letters of a word that can be short for a longer one, at least. A choice: host and back begin other words.
_MIN_PREFIX_LENGTH = 5


class _Likeness(NamedTuple):
    """How similar an option is to a word: the greatest is the most similar."""

    ratio: float
    same_start: int
    length: int
    option: str


def count_text(number: int, noun: str) -> str:
    """A number with its noun: `1 node`, `2,000 nodes`, `2 repositories`."""
    return f"{number:,} {noun if number == 1 else _plural(noun)}"


def _plural(noun: str) -> str:
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith("s") else f"{noun}s"


def comma_separated(names: Sequence[str], maximum: int) -> str:
    """Names as a list: `a, b, c`, or `a, b and 3 more` if there are more than `maximum`."""
    more = f" and {len(names) - maximum} more" if len(names) > maximum else ""
    return f"{', '.join(names[:maximum])}{more}"


def one_of(names: Sequence[str]) -> str:
    """Names to choose from, for a remedy: `a`, or `one of a, b`."""
    return names[0] if len(names) == 1 else f"one of {', '.join(names)}"


def first_names(names: Sequence[str]) -> str:
    """The names that a remedy lists: enough to show what kind of name is meant."""
    return ", ".join(names[:MAX_LISTED])


def join_names(names: Collection[object]) -> str:
    """Names for a sentence: `a`, `a and b`, `a, b and c`, or `a, b, c and 4 more` if there are more than three."""
    shown = [str(name) for name in islice(names, _MAX_JOINED)]
    if len(names) > _MAX_JOINED:
        return f"{', '.join(shown)} and {len(names) - _MAX_JOINED} more"
    return " and ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))


def nearest(word: str, options: Iterable[str], cutoff: float = 0.6) -> str:
    """The option that is most similar to a word, in any case; "" if none is similar. `cutoff` is difflib's default.

    An option that shortens or completes parts of the word has priority: DCGM_FI_DEV_GPU_UTILIZATION stands for
    DCGM_FI_DEV_GPU_UTIL. Of equally similar options, the one that starts like the word is chosen: people seldom
    mistype the first letter, so estus stands for eastus, not westus.
    """
    all_options = tuple(options)
    return _nearest(word, _around(word, all_options) if len(all_options) > _MAX_COMPARED else all_options, cutoff)


def _around(word: str, options: tuple[str, ...]) -> tuple[str, ...]:
    """The options next to the word in alphabetical order. With very many options, comparing all takes too long."""
    ordered = _ordered(options)
    at = bisect(ordered, (word.lower(), ""))
    return tuple(option for _, option in ordered[max(0, at - _MAX_COMPARED // 2) : at + _MAX_COMPARED // 2])


@lru_cache(8)  # many misspelled words of a run are looked up in the same list
def _ordered(options: tuple[str, ...]) -> list[tuple[str, str]]:
    return sorted((option.lower(), option) for option in options)


@lru_cache(2**14)  # one fault looks up the same word several times
def _nearest(word: str, options: tuple[str, ...], cutoff: float) -> str:
    # Of options that differ in case alone, the first in order of name stays.
    by_lower_case = {option.lower(): option for option in sorted(options, reverse=True)}
    lower = word.lower()
    if lower in by_lower_case:
        return word if word in options else by_lower_case[lower]
    similar = [option for option in by_lower_case if _shortens(option, lower) or _completes(option, lower)]
    if len(similar) == 1:
        return by_lower_case[similar[0]]
    return by_lower_case.get(_closest(lower, by_lower_case, cutoff), "")


def _closest(word: str, options: Iterable[str], cutoff: float) -> str:
    from difflib import SequenceMatcher  # noqa: PLC0415  only misspelled words need it

    matcher, best = SequenceMatcher(), _Likeness(cutoff, -1, 0, "")
    matcher.set_seq2(word)  # the matcher keeps an index of its second sequence
    for option in options:
        matcher.set_seq1(option)
        # The two quick ratios are upper bounds of the slow one.
        if matcher.real_quick_ratio() < best.ratio or matcher.quick_ratio() < best.ratio:
            continue
        likeness = _Likeness(matcher.ratio(), _same_start(option, word), -abs(len(option) - len(word)), option)
        if likeness.ratio >= best.ratio:
            best = max(best, likeness)
    return best.option


def _completes(option: str, word: str) -> bool:
    """Whether the option begins with all of the word, and that is most of it. westeu stands for westeurope."""
    return len(word) >= _MIN_PREFIX_LENGTH and option.startswith(word) and 2 * len(word) > len(option)


def _shortens(option: str, word: str) -> bool:
    """Whether both have the same parts, some of them shortened in one of the two."""
    ours, theirs = _PARTS.split(option), _PARTS.split(word)
    return len(ours) == len(theirs) > 1 and all(map(_begins, ours, theirs))


def _begins(first: str, other: str) -> bool:
    if first == other:
        return True
    short, long = sorted((first, other), key=len)
    return len(short) >= _MIN_PART_LENGTH and long.startswith(short) and long.isalpha()


def _same_start(first: str, other: str) -> int:
    return next(
        (index for index, (ours, theirs) in enumerate(zip(first, other, strict=False)) if ours != theirs), len(other)
    )
