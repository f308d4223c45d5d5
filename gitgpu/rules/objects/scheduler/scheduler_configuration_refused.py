"""A SchedulerConfiguration that AKS does not use."""

from collections.abc import Iterator

from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.model.names.kinds import SCHEDULER_CONFIGURATION
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.scheduler_profiles import CONFIGURATION, NAME, scheduler_profiles
from gitgpu.rules.object_rule import Finding, Rule

_OF_AKS = "aks-system"  # the profile of the pods of AKS itself


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*SCHEDULER_CONFIGURATION):
        if item.identity.name != NAME:
            message = f"AKS reads no SchedulerConfiguration named {item.identity.name}, only {NAME}"
            place = ("metadata", "name")
            yield Finding(item, place, message, f"rename it to {NAME}", repair=Repair(Change.VALUE, place, NAME))
    for profile in scheduler_profiles(objects):
        if profile.name == _OF_AKS:
            message = f"AKS refuses a profile with the name {_OF_AKS}, which places its own pods"
            yield Finding(profile.item, CONFIGURATION, message, "give the profile another schedulerName")


RULE = Rule(
    code="SDL004",
    name="scheduler-configuration-refused",
    severity=Severity.ERROR,
    summary="A SchedulerConfiguration has a name that AKS does not read, or a profile that it refuses.",
    help="AKS reads the SchedulerConfiguration upstream, which has all profiles of the cluster. The profile aks-system "
    "is that of the add-ons of AKS, and cannot be changed. Pods that select an unknown profile stay Pending.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/configure-aks-scheduler.md",
    ),
    check=_check,
    fixable=True,
)
