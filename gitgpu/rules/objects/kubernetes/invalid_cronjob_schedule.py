"""A schedule or time zone of a CronJob that the API server rejects."""

import re
from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CRON_JOB
from gitgpu.model.syntax.cron import cron
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_SCHEDULE: Pointer = ("spec", "schedule")
_ZONE: Pointer = ("spec", "timeZone")
# validTimeZoneCharacters of pkg/apis/batch/validation: IANA limits each part of a name to 14 characters.
_PART = re.compile(r"(?!-)[A-Za-z._0-9+-]{1,14}\Z", re.ASCII)
_EVERY = "@every "  # followed by a duration; the only descriptor with an argument


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*CRON_JOB):
        yield from (Finding(item, *fault) for fault in (*_schedule(item), *_zone(item)))


def _schedule(item: Item) -> Iterator[tuple[Pointer, str, str]]:
    text = reach(item.body, *_SCHEDULE)
    if not isinstance(text, str) or text.startswith(_EVERY):
        return
    if "TZ" in text:  # as the validation of the API server tests it
        yield _SCHEDULE, "the schedule contains a time zone", "move the time zone to spec.timeZone"
        return
    try:
        cron(text)
    except ValueError as fault:
        remedy = "use five fields: minute, hour, day of the month, month, day of the week, such as 0 3 * * mon-fri"
        yield _SCHEDULE, f"'{text}' is not a cron schedule: {fault}", remedy


def _zone(item: Item) -> Iterator[tuple[Pointer, str, str]]:
    zone = reach(item.body, *_ZONE)
    if zone is not None and (zone.lower() == "local" or not all(_PART.match(part) for part in zone.split("/"))):
        yield _ZONE, f"'{zone}' is not a time zone", "use a name of the IANA time zone database, such as Europe/Zurich"


RULE = Rule(
    code="NAM007",
    name="invalid-cronjob-schedule",
    severity=Severity.ERROR,
    rejects=True,
    summary="A CronJob has an invalid cron schedule, or a time zone in the wrong place or form.",
    help="The API server rejects a schedule that is neither five fields nor a descriptor such as @daily. The time "
    "zone belongs in spec.timeZone.",
    sources=(
        "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#schedule-syntax",
        "https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/apis/batch/validation/validation.go",
        "https://github.com/robfig/cron/blob/bc59245fe10efaed9d51b56900192527ed733435/parser.go",
    ),
    check=_check,
)
