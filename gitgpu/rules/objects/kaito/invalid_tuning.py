"""A tuning that KAITO rejects."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import WORKSPACE
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.kaito_models import Model, models
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_METHODS = ("lora", "qlora")
_SCHEMES = ("http://", "https://")


def _check(objects: Objects) -> Iterator[Finding]:
    for model in models(objects, WORKSPACE.kind):
        tuning = model.tuning
        if tuning is not None:
            faults = (*_task_faults(model, tuning), *_data_faults(tuning))
            yield from (Finding(model.item, place, message, remedy) for place, message, remedy in faults)


def _task_faults(model: Model, tuning: Mapping[str, Any]) -> Iterator[tuple[Pointer, str, str]]:
    count, method = model.resource.get("count"), tuning.get("method")
    if count and count > 1:
        yield ("resource", "count"), f"count is {count}, but tuning runs on one node", "set count: 1"
    if not tuning.get("preset"):
        yield ("tuning",), "tuning has no preset", "add a preset with the name of the model"
    if (method or "").lower() not in _METHODS:  # KAITO ignores case
        place: Pointer = ("tuning", "method") if method else ("tuning",)
        yield (
            place,
            f"unknown tuning method '{method}'" if method else "tuning has no method",
            f"set method: {' or '.join(_METHODS)}",
        )


def _data_faults(tuning: Mapping[str, Any]) -> Iterator[tuple[Pointer, str, str]]:
    for end, kinds in (("input", ("urls", "image", "volumeSource")), ("output", ("image", "volumeSource"))):
        used = [kind for kind in kinds if reach(tuning, end, kind)]
        if len(used) != 1:
            shown = " and ".join(used) or "none of them"
            yield (
                ("tuning", end),
                f"{end} needs exactly one of {', '.join(kinds)}; found {shown}",
                f"set exactly one of them in {end}",
            )
    for index, url in enumerate(reach(tuning, "input", "urls") or ()):
        if not url.lower().startswith(_SCHEMES) and not is_template(url):
            yield ("tuning", "input", "urls", index), f"'{url}' is not an http or https URL", f"use https://{url}"
    if reach(tuning, "output", "image") and not reach(tuning, "output", "imagePushSecret"):
        remedy = "add imagePushSecret with the Secret of the registry"
        yield ("tuning", "output", "image"), "an output image needs an imagePushSecret", remedy


RULE = Rule(
    code="KAI008",
    name="invalid-tuning",
    severity=Severity.ERROR,
    rejects=True,
    summary="A tuning has several nodes, no preset, an unknown method, or an input or output that does not have "
    "exactly one form.",
    help="KAITO's admission webhook rejects it. KAITO cannot push the output image to a registry without a Secret.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/workspace_validation.go",
    ),
    check=_check,
)
