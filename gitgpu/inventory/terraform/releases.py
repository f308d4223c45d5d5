"""helm_release of hashicorp/helm as chart values: the last YAML text in `values` has precedence, and then `set`.

The names follow docs/resources/release.md in hashicorp/terraform-provider-helm (releases 2 and 3). The paths of
`set` are Helm's (helm.sh/docs/intro/using_helm: `a.b[0].c`, with a backslash before a dot that is part of a key).
"""

import re
from collections.abc import Mapping
from typing import Any

from gitgpu.access import list_at, rows, text_at
from gitgpu.load.helm_values import values_object
from gitgpu.load.parse.scalars import resolve
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.objects.delivery.merge import merge_value

# A step in the path of a `set` block: [0], or a key in which a backslash escapes dots.
_PART = re.compile(r"((?:\\.|[^.\[\]\\])+)|\[(\d+)\]")
_MAX_ENTRIES = 1000  # of a list in `set`: a mistyped index must not make a list of millions


def release_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """The release as an object of kind HelmValues, with its release, namespace, version and repository."""
    helm_values: dict[str, Any] = {}
    for text in list_at(values, "values"):
        read, _ = parse(Text("", text, ""), as_json=True) if isinstance(text, str) else ([], [])
        for document in read:
            if isinstance(document.data, dict):
                helm_values = merge_value(helm_values, document.data, listed=False)
    for entry in (*rows(values, "set"), *rows(values, "set_list")):
        value = entry.get("value")
        plain = entry.get("type") == "string" or not isinstance(value, str)
        _put(helm_values, text_at(entry, "name"), value if plain else resolve(value))
    release = values_object(text_at(values, "chart").rpartition("/")[2], helm_values)
    extra = {"release": "name", "namespace": "namespace", "version": "version", "repository": "repository"}
    return release | {key: values[name] for key, name in extra.items() if isinstance(values.get(name), str)}


def _put(values: dict[str, Any], path: str, value: Any) -> None:
    """Sets the value at a path of Helm's `set`."""
    steps: list[str | int] = []
    for name, index in _PART.findall(path):
        steps.append(re.sub(r"\\(.)", r"\1", name) if name else int(index))
    if not steps or isinstance(steps[0], int):
        return
    if any(isinstance(step, int) and step >= _MAX_ENTRIES for step in steps):
        return
    above, last = steps[:-1], steps[-1]
    holder: Any = values
    for step, following in zip(above, steps[1:], strict=True):
        _make_room(holder, step)
        container = list if isinstance(following, int) else dict
        if not isinstance(holder[step], container):
            holder[step] = container()
        holder = holder[step]
    _make_room(holder, last)
    holder[last] = value


def _make_room(holder: Any, step: str | int) -> None:
    """Make sure that a list has an entry at an index, or a mapping at a key."""
    if isinstance(step, int):
        holder.extend([None] * (step + 1 - len(holder)))
    else:
        holder.setdefault(step, None)
