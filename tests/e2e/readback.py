"""How a sent object differs in the API server: values that are removed, changed or added."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Any, NamedTuple

from tests.e2e.client import Object

NOT_OURS = {"status"}  # written by controllers
KEPT_METADATA = ("name", "namespace", "labels", "annotations")  # the API server sets the rest
BUILT_IN = ("", "apps", "autoscaling", "batch", "policy")  # groups without a dot, and those below k8s.io


class Fate(StrEnum):
    """What happened to a value."""

    DROPPED = "dropped"
    CHANGED = "changed"
    ADDED = "added"


class Difference(NamedTuple):
    """A value that is not as it was sent. `path` has `[]` for any entry of a list."""

    fate: Fate
    path: str
    sent: Any
    found: Any


def differences(sent: Object, stored: Object) -> list[Difference]:
    """Every value that differs, but for status and the metadata that the server writes."""
    return list(_walk(_ours(sent), _ours(stored), ""))


def _ours(body: Object) -> Object:
    metadata = {key: body["metadata"][key] for key in KEPT_METADATA if key in body["metadata"]}
    return {**{key: value for key, value in body.items() if key not in NOT_OURS}, "metadata": metadata}


def _walk(sent: Any, stored: Any, path: str) -> Iterator[Difference]:
    if isinstance(sent, dict) and isinstance(stored, dict):
        for key in sorted(sent.keys() | stored.keys()):
            inner = f"{path}.{key}" if path else key
            if key not in stored:
                yield Difference(Fate.DROPPED, inner, sent[key], None)
            elif key not in sent:
                yield Difference(Fate.ADDED, inner, None, stored[key])
            else:
                yield from _walk(sent[key], stored[key], inner)
    elif isinstance(sent, list) and isinstance(stored, list) and len(sent) == len(stored):
        for item, other in zip(sent, stored, strict=True):
            yield from _walk(item, other, f"{path}[]")
    elif sent != stored:
        yield Difference(Fate.CHANGED, path, sent, stored)


def is_built_in(api_version: str) -> bool:
    """Whether it is a built-in API. Engines know the defaults of these, and compare without them."""
    group = api_version.rpartition("/")[0]
    return group in BUILT_IN or group.endswith(".k8s.io")
