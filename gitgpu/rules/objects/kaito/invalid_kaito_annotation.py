"""An annotation with a value that KAITO rejects."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.model.names.kinds import WORKSPACE
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.kaito_models import models, newest
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import nearest

_FOLDED = "kaito.sh/node-image-family"  # KAITO ignores the case of this annotation


def _check(objects: Objects) -> Iterator[Finding]:
    for model in models(objects, WORKSPACE.kind):
        annotations = reach(model.item.body, "metadata", "annotations")
        if not annotations:
            continue
        for key, allowed in newest(objects)["annotations"].items():
            value = annotations.get(key)
            compared = value.strip().lower() if value and key == _FOLDED else value
            if value is not None and compared not in allowed:
                place = ("metadata", "annotations", key)
                closest = nearest(value, allowed, 0.7)  # interactive, for interactivity, has 0.83
                text = f'"{closest}"' if closest in ("true", "false") else closest
                repair = Repair(Change.VALUE, place, text) if closest else None
                message = f"KAITO does not accept '{value}' for this annotation"
                yield Finding(model.item, place, message, f"use one of {', '.join(allowed)}", repair=repair)


RULE = Rule(
    code="KAI010",
    name="invalid-kaito-annotation",
    severity=Severity.ERROR,
    rejects=True,
    summary="An annotation that KAITO validates has an unknown value.",
    help="KAITO's admission webhook rejects a Workspace with an unknown image family, performance mode or boolean "
    "value.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/workspace_validation.go",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/labels.go",
    ),
    facts=("kaito/*",),
    check=_check,
    fixable=True,
)
