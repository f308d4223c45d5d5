"""The markers of a merge that Git could not finish."""

import re

from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.load.text import Text
from gitgpu.source import Span

# A line with one of the four markers that Git writes.
_CONFLICT = re.compile(r"^(?:<{7}|\|{7}|={7}|>{7})(?: .*)?\r?$", re.MULTILINE)
# A conflict from its first marker to its last one.
_WHOLE = re.compile(r"^<{7}(?: .*)?\r?\n(?:.*\n)*?>{7}(?: |\r?$)", re.MULTILINE)


def conflict(text: Text, *, broken: bool = False) -> Diagnostic | None:
    """The fault for a merge conflict that Git left in the text. In a `broken` text, a single marker is enough."""
    content = text.content
    # Git's markers have seven characters.
    if "<<<<<<<" not in content and not (broken and any(sign * 7 in content for sign in "|=>")):
        return None
    match = _CONFLICT.search(content) if broken else _WHOLE.search(content)
    if not match:
        return None
    span = Span(text.name, content.count("\n", 0, match.start()) + 1, 1)
    return fault("YML001", "unresolved merge conflict", "keep one side, and remove the conflict markers", span)
