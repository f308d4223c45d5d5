"""The identity of the objects that apply others: Flux Kustomizations, Argo CD Applications."""

from collections.abc import Mapping
from typing import Any

from gitgpu.access import text_at


def controller(body: Mapping[str, Any]) -> str:
    """The identity of an object that applies others: its kind, namespace and name, as written."""
    return f"{body.get('kind')}/{text_at(body, 'metadata', 'namespace')}/{text_at(body, 'metadata', 'name')}"
