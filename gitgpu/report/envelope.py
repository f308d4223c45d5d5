"""The JSON answers of gitgpu: one versioned envelope, whatever the question."""

import json
from collections.abc import Mapping
from typing import Any

API_VERSION = "report.gitgpu.dev/v1"


def envelope(kind: str, content: Mapping[str, Any]) -> str:
    """The text of an answer: two spaces, the keys in their order, one newline at the end."""
    return json.dumps({"apiVersion": API_VERSION, "kind": kind, **content}, indent=2, ensure_ascii=False) + "\n"
