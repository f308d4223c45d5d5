"""The guard: gitgpu's own admission policies, if the teams in them are in the input too."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at, mapping_at, rows, text_at
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.view import View
from gitgpu.model.names.kinds import (
    LOCAL_QUEUE,
    RESOURCE_QUOTA,
    VALIDATING_ADMISSION_POLICY,
    VALIDATING_ADMISSION_POLICY_BINDING,
    group_kind,
)
from gitgpu.model.names.labels import MANAGED_BY_LABEL

_NAME = "gpu-teams"  # of the policy for pods
_ENTRY = re.compile(r"'([^']+)': '[^']+'")  # a namespace and its team, in CEL


def infer(view: View) -> Iterator[Evidence]:
    """What the binding does. A guard without the teams of the running one would deny their pods, so it is omitted."""
    bodies = [observed.body for observed in view.cluster.objects]
    guarded_namespaces = {
        name for body in bodies if _is(body, VALIDATING_ADMISSION_POLICY) for name in _namespaces(body)
    }
    limited = {
        text_at(body, "metadata", "namespace") for body in bodies if group_kind(body) in (LOCAL_QUEUE, RESOURCE_QUOTA)
    }
    for observed in view.cluster.objects:
        if (
            _is(observed.body, VALIDATING_ADMISSION_POLICY_BINDING)
            and guarded_namespaces
            and guarded_namespaces <= limited
        ):
            denies = "Deny" in list_at(observed.body, "spec", "validationActions")
            reason = f"{observed.name} {'denies pods' if denies else 'warns about pods'} that keep to no team's pools"
            yield Evidence(("guard",), "deny" if denies else "warn", reason, observed)


def _is(body: Mapping[str, Any], kind: tuple[str, str]) -> bool:
    ours = mapping_at(body, "metadata", "labels").get(MANAGED_BY_LABEL) == "gitgpu"
    return ours and group_kind(body) == kind and text_at(body, "metadata", "name") == _NAME


def _namespaces(policy: Mapping[str, Any]) -> list[str]:
    """The namespaces with a team, as the policy names them."""
    variables = rows(policy, "spec", "variables")
    return [name for each in variables if each.get("name") == "teams" for name in _ENTRY.findall(each["expression"])]
