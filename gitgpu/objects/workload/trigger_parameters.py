"""Where KEDA reads the parameters of a trigger: its metadata, the environment of the container, an authentication."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import reach
from gitgpu.model.names.groups import KEDA_GROUP
from gitgpu.model.names.kinds import TRIGGER_AUTHENTICATION
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import Trigger

_NONE = "none"


class Authentication(NamedTuple):
    """What the authentication of a trigger gives it: the provider of a pod identity, and parameters. None: unknown."""

    provider: str | None = _NONE
    parameters: frozenset[str] | None = frozenset()


def authentication(trigger: Trigger, objects: Objects) -> Authentication:
    """The authentication of a trigger; unknown if the object that it names is not known completely."""
    reference = trigger.body.get("authenticationRef") or {}
    kind, name = reference.get("kind") or TRIGGER_AUTHENTICATION.kind, reference.get("name")
    if not name:
        return Authentication()
    namespace = trigger.item.identity.namespace if kind == TRIGGER_AUTHENTICATION.kind else ""
    found = [item for item in objects.by_name(KEDA_GROUP, kind, name) if item.identity.namespace == namespace]
    if len(found) != 1 or found[0].holes or name in objects.patched_names(KEDA_GROUP, kind):
        return Authentication(None, None)
    spec = found[0].body.get("spec") or {}
    provider = reach(spec, "podIdentity", "provider") or _NONE
    # A file of the operator's own configuration can hold any parameter.
    return Authentication(provider, None if spec.get("filePath") else frozenset(_parameters(spec)))


def is_given(trigger: Trigger, key: str, facts: Mapping[str, Any], given: Authentication) -> bool:
    """Whether KEDA finds a value for a parameter, or could find one in what is unknown."""
    if trigger.metadata.get(key, "").strip() and key not in facts["outside"].get(trigger.type, ()):
        return True
    if trigger.metadata.get(f"{key}FromEnv", "").strip() and key in facts["environment"].get(trigger.type, ()):
        return True
    if key not in facts["authentication"].get(trigger.type, ()):
        return False
    return given.parameters is None or key in given.parameters


def _parameters(value: Any) -> Iterator[str]:
    """The names of parameters anywhere in the spec of a TriggerAuthentication: each source lists its own."""
    if isinstance(value, dict):
        if isinstance(value.get("parameter"), str):
            yield value["parameter"]
        for inner in value.values():
            yield from _parameters(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _parameters(inner)
