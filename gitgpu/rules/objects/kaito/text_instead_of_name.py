"""A text, such as the content of a file, where KAITO expects the name of an object."""

import re
from collections.abc import Iterator
from typing import Any

from gitgpu.access import list_at
from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.kaito_models import models
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

# The names of ConfigMaps and Secrets: Kubernetes' DNS subdomains.
_NAME = re.compile(r"[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?\Z", re.ASCII)
_NAMED = {
    "config": "ConfigMap",
    "accessSecret": "Secret",
    "imagePullSecret": "Secret",
    "imagePullSecrets": "Secret",
    "imagePushSecret": "Secret",
    "modelAccessSecret": "Secret",
}
_OTHERS = ("metadata", "podTemplate", "template", "volumeSource", "volume")  # parts with Kubernetes' own fields


def _check(objects: Objects) -> Iterator[Finding]:
    for model in models(objects):
        for place, kind, value in _names(model.item.body, ()):
            if value and not _NAME.match(value) and not is_template(value):
                what = "a text of several lines" if "\n" in value else f"'{value}'"
                message = f"{place[-1]} is the name of a {kind} in the namespace, but it is {what}"
                remedy = f"create a {kind} with this content, and write its name here"
                yield Finding(model.item, place, message, remedy)


def _names(value: Any, place: Pointer) -> Iterator[tuple[Pointer, str, str]]:
    """Every value that names a ConfigMap or Secret: its place, the kind, and the value."""
    if isinstance(value, list):
        for index, entry in enumerate(value):
            yield from _names(entry, (*place, index))
    if not isinstance(value, dict):
        return
    for key, inner in value.items():
        kind = _NAMED.get(key)
        if kind and isinstance(inner, str):
            yield (*place, key), kind, inner
        elif kind:
            yield from (((*place, key), kind, entry) for entry in list_at(inner) if isinstance(entry, str))
        elif key not in _OTHERS or place == ("spec",):  # spec.template of an InferenceSet is a Workspace
            yield from _names(inner, (*place, key))


RULE = Rule(
    code="KAI095",
    name="text-instead-of-name",
    severity=Severity.ERROR,
    summary="A KAITO workload has a text where the name of a ConfigMap or Secret is expected.",
    help="KAITO reads config, imagePushSecret and its other fields for Secrets as names of objects in the same "
    "namespace. No object can have a name with spaces, line breaks or uppercase letters, so it is never found.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/workspace_validation.go",
        "https://github.com/kaito-project/kaito/blob/9834fdd35fea12ea78264aacf509fca229c71d25/api/v1beta1/workspace_types.go",
    ),
    check=_check,
)
