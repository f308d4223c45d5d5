"""The Azure region that is meant by a wrong name: a country alone, or the words in another order."""

import re
from collections.abc import Collection, Iterator

_NUMBERED = re.compile(r"([a-z]+)(\d*)\Z", re.ASCII)  # other clouds write dashes: us-east-1 is not one of Azure's
_COUNTRY = 5  # letters of a name that stands for the regions that begin with it


def meant_region(word: str, names: Collection[str], restricted: Collection[str]) -> str:
    """A region of Azure for another word: europewest is westeurope; sweden is its one region that is open to all."""
    turned = [name for name in _turned(word.lower()) if name in names]
    if turned or word.lower() in names:
        return turned[0] if turned else ""
    begun = [name for name in names if len(word) >= _COUNTRY and name.startswith(word.lower())]
    free = [name for name in begun if name not in restricted]
    return free[0] if len(free) == 1 else ""


def _turned(word: str) -> Iterator[str]:
    """The name with its end first, and its number still last."""
    match = _NUMBERED.match(word)
    letters, number = match.groups() if match else ("", "")
    for at in range(1, len(letters)):
        yield f"{letters[at:]}{letters[:at]}{number}"
