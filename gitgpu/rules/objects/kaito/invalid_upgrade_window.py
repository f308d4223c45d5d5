"""A maintenance window of an InferenceSet that KAITO rejects."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import INFERENCE_SET
from gitgpu.model.syntax.cron import cron
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.kaito_models import models
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_PLACE: Pointer = ("spec", "autoUpgrade", "maintenanceWindow")
# robfig/cron accepts these prefixes, which gitgpu's parser does not read.
_FREE = ("@every ", "TZ=", "CRON_TZ=")


def _check(objects: Objects) -> Iterator[Finding]:
    for model in models(objects, INFERENCE_SET.kind):
        window = reach(model.item.body, *_PLACE) or {}
        schedule, duration = window.get("schedule"), window.get("duration") or ""
        fault = _fault(schedule) if schedule else ""
        if fault:
            message = f"invalid cron schedule '{schedule}': {fault}"
            remedy = 'use five fields: minute, hour, day, month, weekday (0-6 or sun-sat), such as "0 3 * * sun"'
            yield Finding(model.item, (*_PLACE, "schedule"), message, remedy)
        # In a Go duration, such as 0h30m, any digit from 1 to 9 makes it more than zero.
        if duration.startswith("-") or (duration and not any(digit in duration for digit in "123456789")):
            message = f"the duration must be greater than 0; found '{duration}'"
            yield Finding(model.item, (*_PLACE, "duration"), message, "use a duration such as 4h")


def _fault(schedule: str) -> str:
    if schedule.startswith(_FREE):
        return ""
    try:
        cron(schedule)
    except ValueError as reason:
        return str(reason)
    return ""


RULE = Rule(
    code="KAI014",
    name="invalid-upgrade-window",
    severity=Severity.ERROR,
    rejects=True,
    summary="The maintenance window of an InferenceSet has an invalid cron schedule or no duration.",
    help="KAITO's admission webhook rejects a schedule that robfig/cron cannot parse, and a window without a duration.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/inferenceset_validation.go",
    ),
    check=_check,
)
