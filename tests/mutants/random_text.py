"""Random changes of a text: a number or word in it, or the whole text."""

import random
import re

from tests.mutants.values import Stock, texts
from tests.rules.example_changes import ALTERNATIVES
from tests.rules.recorded_cases import Bodies

_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[A-Za-z_][\w.-]*")


def number_in(value: str, bodies: Bodies, stock: Stock, rng: random.Random) -> str:
    matches = list(_NUMBER.finditer(value))
    if not matches:
        return rng.choice(["8", f"{value}8", f"{value},{value}", "0", "-1", "1.5", "²"])
    match = rng.choice(matches)
    number = int(match[0])
    new = rng.choice([number + 1, abs(number - 1), number * 2, number * 10, number // 2, 0])
    return f"{value[: match.start()]}{new}{value[match.end() :]}"


def word_in(value: str, bodies: Bodies, stock: Stock, rng: random.Random) -> str:
    """A text with one of its words replaced, removed or repeated."""
    matches = list(_WORD.finditer(value))
    if not matches:
        return rng.choice([value + value, value[1:], value[:-1], value.upper()])
    match = rng.choice(matches)
    near = [word for words in ALTERNATIVES if match[0] in words for word in words]
    new = rng.choice([*near, rng.choice(stock.known.words or ("x",)), "", match[0].upper(), f"{match[0]}x"])
    return f"{value[: match.start()]}{new}{value[match.end() :]}"


def same_as_another(value: str, bodies: Bodies, stock: Stock, rng: random.Random) -> str:
    return rng.choice(texts(bodies))


def another_word(value: str, bodies: Bodies, stock: Stock, rng: random.Random) -> str:
    words = stock.known.words or ("x",)
    near = [word for words in ALTERNATIVES if value in words for word in words]
    return rng.choice([rng.choice(words), rng.choice(words), *near, "", f"{value}x", f"x{value}", f"{value}*"])
