"""The versioned envelope of all JSON that gitgpu prints."""

import json
import re
from collections.abc import Mapping
from typing import Any

_COMMAND = re.compile(r"#(?=#(?:vso)?\[)", re.IGNORECASE)  # pipelines execute it, also in the middle of a document
API_VERSION = "report.gitgpu.dev/v1"


def envelope(kind: str, content: Mapping[str, Any]) -> str:
    """The text of an answer: indented by two spaces, keys in the given order, one newline at the end."""
    return as_json({"apiVersion": API_VERSION, "kind": kind, **content})


def as_json(content: Any) -> str:
    """A JSON document that is safe to print: it cannot control a terminal or a CI pipeline, and has the same values.

    Invisible characters and lone surrogates are escaped; all others stay as they are.
    """
    text = json.dumps(content, indent=2, ensure_ascii=False)
    if not text.replace("\n", "").isprintable():  # few texts have to be checked character by character
        text = "".join(map(_escaped, text))
    return _COMMAND.sub(r"\\u0023", text) + "\n"


def _escaped(letter: str) -> str:
    return letter if letter.isprintable() or letter == "\n" else json.dumps(letter)[1:-1]
