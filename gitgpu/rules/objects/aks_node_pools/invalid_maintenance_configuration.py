"""A maintenance configuration that AKS rejects."""

from collections.abc import Iterator, Mapping, Sequence

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import MAINTENANCE_CONFIGURATION
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer
from gitgpu.spelling import one_of

_SCHEDULE: Pointer = ("spec", "maintenanceWindow", "schedule")


def _check(objects: Objects) -> Iterator[Finding]:
    schedules = objects.catalog.must("pools", "aks")["maintenance"]
    for item in objects.of(*MAINTENANCE_CONFIGURATION):
        if reach(item.body, "spec"):
            yield from (Finding(item, *fault) for fault in _faults(item, schedules))


def _faults(item: Item, schedules: Mapping[str, Sequence[str]]) -> Iterator[tuple[Pointer, str, str]]:
    azure_name = reach(item.body, "spec", "azureName")
    name = azure_name or item.identity.name
    if name not in schedules:
        remedy = f"set spec.azureName to {one_of(list(schedules))}"
        place = ("spec", "azureName") if azure_name else ("metadata", "name")
        yield place, f"unknown AKS maintenance configuration '{name}'", remedy
        # Which schedules another name supports is unknown.
        return
    # A configuration has time slots (timeInWeek) or a window with a schedule.
    if reach(item.body, "spec", "timeInWeek") is None and reach(item.body, "spec", "maintenanceWindow") is None:
        yield ("spec",), f"the maintenance configuration '{name}' has no window", "add maintenanceWindow"
    written = [kind for kind, value in (reach(item.body, *_SCHEDULE) or {}).items() if value is not None]
    if len(written) > 1:
        yield _SCHEDULE, f"the maintenance window has several schedules: {', '.join(written)}", "keep one of them"
    for kind in written:
        if kind not in schedules[name]:
            message = f"'{name}' does not support a {kind} schedule"
            yield (
                (*_SCHEDULE, kind),
                message,
                f"replace it with {one_of(schedules[name])} and the keys of that schedule",
            )


RULE = Rule(
    code="APL014",
    name="invalid-maintenance-configuration",
    severity=Severity.ERROR,
    summary="A maintenance configuration has an unknown name, no window, or a schedule that its name does not allow.",
    help="AKS recognises a window by its name. These names contain uppercase letters, which metadata.name cannot have, "
    "so the name belongs in spec.azureName.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/planned-maintenance.md",
        "https://learn.microsoft.com/rest/api/aks/maintenance-configurations/create-or-update",
    ),
    facts=("pools/aks",),
    check=_check,
)
