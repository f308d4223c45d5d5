"""A name that KAITO rejects."""

import re
from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import INFERENCE_SET, WORKSPACE
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.kaito_models import models
from gitgpu.rules.object_rule import Finding, Rule

_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?\Z")
_MAX_LENGTH = 63  # characters of a DNS label


def _check(objects: Objects) -> Iterator[Finding]:
    for model in models(objects, WORKSPACE.kind, INFERENCE_SET.kind):
        name = model.item.identity.name
        if len(name) > _MAX_LENGTH:
            message = f"the name has {len(name)} characters, but KAITO allows at most {_MAX_LENGTH}"
            yield Finding(model.item, ("metadata", "name"), message, f"use at most {_MAX_LENGTH} characters")
        # CNF003 reports names that Kubernetes rejects too.
        elif "." in name and _LABEL.match(name.replace(".", "-")):
            message = f"the name '{name}' has a dot, which KAITO does not allow"
            remedy = f"use {name.replace('.', '-')}"
            yield Finding(model.item, ("metadata", "name"), message, remedy)


RULE = Rule(
    code="KAI004",
    name="invalid-kaito-name",
    severity=Severity.ERROR,
    rejects=True,
    summary="The name of a Workspace or InferenceSet has a dot or more than 63 characters.",
    help="KAITO uses the name for Services and labels, so its admission webhook rejects names that are not DNS "
    "labels. Model names, which are often copied, may contain dots.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/workspace_validation.go",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/inferenceset_validation.go",
    ),
    check=_check,
)
