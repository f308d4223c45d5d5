"""The versioned envelope of all JSON that gitgpu prints."""

import json
import re
from collections.abc import Mapping
from typing import Any

_COMMAND = re.compile(r"#(?=#(?:vso)?\[)", re.IGNORECASE)  # pipelines execute it, also in the middle of a document
API_VERSION = "report.gitgpu.dev/v1"


def envelope(kind: str, content: Mapping[str, Any]) -> str:
    """The text of an answer: two spaces, the keys in their order, one newline at the end."""
    return as_json({"apiVersion": API_VERSION, "kind": kind, **content})


def as_json(content: Any) -> str:
    """The text of a JSON document with the same values, safe to print: it controls no terminal and no CI pipeline.

    Invisible characters and lone surrogates are escaped; all others stay as they are.
    """
    text = json.dumps(content, indent=2, ensure_ascii=False)
    if not text.replace("\n", "").isprintable():  # few texts have to be looked at letter by letter
        text = "".join(map(_escaped, text))
    return _COMMAND.sub(r"\\u0023", text) + "\n"


def _escaped(letter: str) -> str:
    return letter if letter.isprintable() or letter == "\n" else json.dumps(letter)[1:-1]
