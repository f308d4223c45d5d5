"""An annotation that pauses scaling with a value that is not a boolean."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.annotations import PAUSED_REPLICAS_ANNOTATION
from gitgpu.model.syntax.boolean import GO_BOOLEANS
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import scaled_objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for item in scaled_objects(objects):
        annotations = reach(item.body, "metadata", "annotations")
        if not annotations:
            continue
        for key in objects.catalog.must("triggers", "keda")["paused"]:
            value = annotations.get(key)
            if value is not None and value not in GO_BOOLEANS and not is_template(value):
                message = f"KEDA reads '{value}' as true, because it is not a boolean"
                yield Finding(item, ("metadata", "annotations", key), message, 'use "true" or "false"')
        number = annotations.get(PAUSED_REPLICAS_ANNOTATION)
        # Go's strconv.ParseInt takes a plus sign.
        if number is not None and not number.removeprefix("+").isdecimal() and not is_template(number):
            message = f"'{number}' is not a number of replicas, and the ScaledObject is paused anyway"
            yield Finding(
                item, ("metadata", "annotations", PAUSED_REPLICAS_ANNOTATION), message, 'use a number such as "0"'
            )


RULE = Rule(
    code="KED029",
    name="invalid-pause-annotation",
    severity=Severity.WARNING,
    summary="An annotation that pauses or forces a ScaledObject has a value that is not a boolean.",
    help="KEDA reads any value that it cannot parse as true, so no and off pause a workload just as yes and on do.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaledobject_types.go",
        "https://keda.sh/docs/2.18/concepts/scaling-deployments/",
    ),
    facts=("triggers/keda",),
    check=_check,
)
