"""Secrets that a patch writes into an object."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gitgpu.access import value_at
from gitgpu.diagnostic import Diagnostic, Problem
from gitgpu.model.spec.patch import Patch
from gitgpu.patch.fault import fault
from gitgpu.patch.locator import Locator
from gitgpu.patch.secret_texts import secret_texts


def exposed_secrets(
    before: Mapping[str, Any], states: Sequence[Mapping[str, Any]], patch: Patch
) -> Iterator[Diagnostic]:
    """A fault for each secret; `states` are the object after each change of the patch."""
    for index, body in enumerate(states if _may_hold_secret(patch) else ()):
        for pointer in secret_texts(body):
            if value_at(before, pointer) != value_at(body, pointer):
                place = Locator(patch, index, body).within(pointer)
                message = "the patch contains a secret in plain text, which is copied to the overlays"
                remedy = "remove it and rotate the secret; keep it in a Secret, and refer to that Secret"
                yield fault("PAT006", patch, place, Problem(message, remedy))
        before = body


def _may_hold_secret(patch: Patch) -> bool:
    """Whether the patch contains what looks like a secret. Most do not, and then no objects are searched."""
    if isinstance(patch.change, dict):
        return any(secret_texts(patch.change))
    for operation in patch.change:
        key = operation["path"].rpartition("/")[2]
        # This may be the value of a variable, whose name is in the object.
        if key == "value" or any(secret_texts({key: operation.get("value")})):
            return True
    return False
