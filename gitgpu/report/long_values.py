"""Long values: every format shows their beginning only."""

import re

from gitgpu.diagnostic import Diagnostic, ObjectRef

MOST = 4000  # characters of a text of a finding; the longest that gitgpu writes itself lists all sizes of Azure
_MAX_WORD, _SHOWN = 300, 60  # characters of a word or a quoted value, and of it if it is longer
_ELLIPSIS = "..."
_LONG = re.compile(rf"'[^']{{{_MAX_WORD},}}'|\S{{{_MAX_WORD},}}")


def shorten(diagnostic: Diagnostic) -> Diagnostic:
    """The finding with only the beginnings of long values. Most findings have none."""
    texts = (diagnostic.message, diagnostic.help, diagnostic.pointer, *diagnostic.object, diagnostic.span.file)
    if max(map(len, texts)) <= _MAX_WORD:
        return diagnostic
    owner = ObjectRef(*map(short, diagnostic.object))
    message, remedy, pointer = map(short, (diagnostic.message, diagnostic.help, diagnostic.pointer))
    return diagnostic._replace(message=message, help=remedy, pointer=pointer, object=owner)


def short(text: str) -> str:
    """A text with only the beginnings of long words and quoted values."""
    kept = _LONG.sub(_beginning, text) if len(text) > _MAX_WORD else text
    return kept if len(kept) <= MOST else kept[:MOST] + _ELLIPSIS


def _beginning(match: re.Match[str]) -> str:
    quote = "'" if match[0].startswith("'") else ""
    return match[0][: _SHOWN + len(quote)] + quote + _ELLIPSIS
