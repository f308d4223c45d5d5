"""A cron trigger whose times KEDA cannot read."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.autoscalers import Trigger, triggers
from gitgpu.diagnostic import Severity
from gitgpu.model.cron import cron
from gitgpu.model.templates import is_template

_ZONES = ("TZ=", "CRON_TZ=")
_REMEDY = 'write minute, hour, day, month and weekday (0 to 6, or sun to sat), such as "0 7 * * mon-fri"'


def _check(objects: Objects) -> Iterator[Finding]:
    for one in triggers(objects):
        if one.type == "cron" and not any(is_template(value) for value in one.metadata.values()):
            yield from _times(one)
            yield from _others(one)


def _times(one: Trigger) -> Iterator[Finding]:
    for key in ("start", "end"):
        given = one.metadata.get(key) or ""
        fault = _fault(given) if given else ""
        if fault:
            yield Finding(one.item, one.place(key), f"KEDA cannot read the {key} '{given}': {fault}", _REMEDY)
    start = one.metadata.get("start")
    if start and start == one.metadata.get("end"):
        yield Finding(
            one.item, one.place("end"), f"start and end are the same, '{start}'", "let it end later than it starts"
        )


def _others(one: Trigger) -> Iterator[Finding]:
    replicas, zone = one.metadata.get("desiredReplicas") or "", one.metadata.get("timezone") or ""
    if replicas.strip("0") == "" and replicas:
        remedy = "write how many replicas there are to be; outside the times there are as few as minReplicaCount"
        yield Finding(one.item, one.place("desiredReplicas"), "desiredReplicas is 0", remedy)
    elif "." in replicas or "-" in replicas:
        message = f"desiredReplicas '{replicas}' is no whole number above 0"
        yield Finding(one.item, one.place("desiredReplicas"), message, 'write such as "4"')
    offset = zone.upper().startswith(("UTC+", "UTC-", "GMT+", "GMT-")) and zone not in ("GMT+0", "GMT-0")
    if offset or " " in zone:
        remedy = "write a name of the IANA database, such as Europe/Berlin, or Etc/GMT-2 for two hours east"
        yield Finding(one.item, one.place("timezone"), f"there is no time zone '{zone}'", remedy)


def _fault(text: str) -> str:
    if text.startswith("@"):
        return "it takes five fields, not a word"
    if text.startswith(_ZONES):
        text = text.partition(" ")[2]
    try:
        cron(text)
    except ValueError as reason:
        return str(reason)
    return ""


RULE = Rule(
    code="KED017",
    name="unreadable-trigger-schedule",
    severity=Severity.ERROR,
    summary="A cron trigger has a start, end, time zone or number of replicas that KEDA refuses.",
    help="KEDA reads five fields, and no word such as @daily; start and end must differ, and 0 replicas ask for "
    "nothing. Until it can read them all, the ScaledObject is not Ready.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/cron_scaler.go",
        "https://keda.sh/docs/2.18/scalers/cron/",
    ),
    check=_check,
    bad="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  triggers:
  - type: cron
    metadata: {timezone: UTC+1, start: 0 0 7 * * mon-fri, end: 0 19 * * 1-7, desiredReplicas: "0"}
""",
    good="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  triggers:
  - type: cron
    metadata: {timezone: Europe/Berlin, start: 0 7 * * mon-fri, end: 0 19 * * mon-fri, desiredReplicas: "4"}
""",
)
