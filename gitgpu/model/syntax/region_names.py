"""The Azure region that a wrong name stands for: only a country, or the words in another order."""

import re
from collections.abc import Collection, Iterator

_NUMBERED = re.compile(r"([a-z]+)(\d*)\Z", re.ASCII)  # without dashes, as in us-east-1 of another cloud
_COUNTRY = 5  # letters that can stand for the regions that start with them: those of italy, japan, korea, qatar, spain


def meant_region(word: str, names: Collection[str], restricted: Collection[str]) -> str:
    """The Azure region for another word: westeurope for europewest, or for sweden its only unrestricted region."""
    turned_names = [name for name in _turned(word.lower()) if name in names]
    if turned_names or word.lower() in names:
        return turned_names[0] if turned_names else ""
    begun = [name for name in names if len(word) >= _COUNTRY and name.startswith(word.lower())]
    free = [name for name in begun if name not in restricted]
    return free[0] if len(free) == 1 else ""


def _turned(word: str) -> Iterator[str]:
    """The name split at each letter, with the second part first, and the number still last."""
    match = _NUMBERED.match(word)
    letters, number = match.groups() if match else ("", "")
    for index in range(1, len(letters)):
        yield f"{letters[index:]}{letters[:index]}{number}"
