"""A cron trigger that KEDA rejects."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.cron import cron
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import Trigger, triggers
from gitgpu.rules.object_rule import Finding, Rule

_ZONES = ("TZ=", "CRON_TZ=")  # a time zone in front of the fields, which KEDA's cron library takes
_REMEDY = 'use five fields: minute, hour, day, month, weekday (0-6 or sun-sat), such as "0 7 * * mon-fri"'


def _check(objects: Objects) -> Iterator[Finding]:
    for trigger in triggers(objects):
        if trigger.type == "cron" and not any(is_template(value) for value in trigger.metadata.values()):
            yield from _time_faults(trigger)
            yield from _other_faults(trigger)


def _time_faults(trigger: Trigger) -> Iterator[Finding]:
    for key in ("start", "end"):
        schedule = trigger.metadata.get(key) or ""
        fault = _fault(schedule) if schedule else ""
        if fault:
            yield Finding(
                trigger.item, trigger.place(key), f"invalid cron expression for {key}, '{schedule}': {fault}", _REMEDY
            )
    start = trigger.metadata.get("start")
    if start and start == trigger.metadata.get("end"):
        yield Finding(trigger.item, trigger.place("end"), f"start and end are the same, '{start}'", "set a later end")


def _other_faults(trigger: Trigger) -> Iterator[Finding]:
    replicas, zone = trigger.metadata.get("desiredReplicas") or "", trigger.metadata.get("timezone") or ""
    if replicas.strip("0") == "" and replicas:
        remedy = "set the number of replicas during the schedule; outside it, minReplicaCount applies"
        yield Finding(
            trigger.item, trigger.place("desiredReplicas"), "desiredReplicas must be greater than 0; found 0", remedy
        )
    elif "." in replicas or "-" in replicas:
        message = f"desiredReplicas '{replicas}' is not a whole number greater than 0"
        yield Finding(trigger.item, trigger.place("desiredReplicas"), message, 'use a number such as "4"')
    # Go's time.LoadLocation knows names of the IANA database only, which has GMT+0 and GMT-0.
    offset = zone.upper().startswith(("UTC+", "UTC-", "GMT+", "GMT-")) and zone not in ("GMT+0", "GMT-0")
    if offset or " " in zone:
        remedy = "use an IANA time zone such as Europe/Berlin, or Etc/GMT-2 for UTC+2"
        yield Finding(trigger.item, trigger.place("timezone"), f"unknown time zone '{zone}'", remedy)


def _fault(text: str) -> str:
    if text.startswith("@"):
        return "it needs five fields; macros are not supported"
    if text.startswith(_ZONES):
        text = text.partition(" ")[2]
    try:
        cron(text)
    except ValueError as reason:
        return str(reason)
    return ""


RULE = Rule(
    code="KED017",
    name="invalid-cron-trigger",
    severity=Severity.ERROR,
    never_ready=True,
    summary="A cron trigger has a start, end, time zone or number of replicas that KEDA rejects.",
    help="KEDA needs five fields and does not support macros such as @daily. start and end must differ, and "
    "desiredReplicas must be greater than 0. Until then the ScaledObject is not Ready.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/cron_scaler.go",
        "https://keda.sh/docs/2.18/scalers/cron/",
    ),
    check=_check,
)
