"""A trigger for an Azure service without the connection or the identity that KEDA needs to read it."""

from collections.abc import Iterator, Sequence

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import Trigger, triggers
from gitgpu.objects.workload.trigger_parameters import authentication, is_given
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for trigger in triggers(objects):
        facts = objects.catalog.must("triggers", "keda")
        credentials = facts["credentials"].get(trigger.type)
        if not credentials:
            continue
        given = authentication(trigger, objects)
        # The provider is unknown, or rejected for this type.
        if given.provider is None or given.provider not in credentials:
            continue
        missing_keys = [key for key in credentials[given.provider] if not is_given(trigger, key, facts, given)]
        if missing_keys:
            yield _finding(trigger, missing_keys, given.provider, objects)


def _finding(trigger: Trigger, missing: Sequence[str], provider: str, objects: Objects) -> Finding:
    facts = objects.catalog.must("triggers", "keda")
    place = (*trigger.pointer, "metadata")
    for key in missing:
        if key in trigger.metadata:  # KEDA does not read it there
            place = trigger.place(key)
    if provider == "azure-workload":
        message = f"a trigger of type {trigger.type} with a pod identity needs {' and '.join(missing)}"
        return Finding(trigger.item, place, message, f"add {' and '.join(missing)} to its metadata")
    message = (
        f"a trigger of type {trigger.type} without a pod identity needs {' and '.join(missing)}, from a variable of "
        f"the container or a TriggerAuthentication"
    )
    needed = facts["credentials"][trigger.type]["azure-workload"]
    identity = ", and ".join([*needed, "authenticationRef"])
    variables = " and ".join(f"{key}FromEnv" for key in missing)
    readable = set(facts["environment"].get(trigger.type, ()))
    instead = f"add {variables}" if readable.issuperset(missing) else "give it these parameters in secretTargetRef"
    remedy = f"add {identity} to a TriggerAuthentication with podIdentity.provider: azure-workload; or {instead}"
    return Finding(trigger.item, place, message, remedy)


RULE = Rule(
    code="KED063",
    name="trigger-without-credentials",
    twin="SCL061",
    severity=Severity.ERROR,
    never_ready=True,
    summary="A trigger for an Azure service has neither a pod identity nor the connection or secret that KEDA needs.",
    help="Without a pod identity, KEDA reads the connection string from the variable of the container that "
    "connectionFromEnv names, or from a TriggerAuthentication. With one, it needs the name of the namespace or "
    "account. If both are missing, KEDA does not build the trigger, and nothing scales.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/azure_servicebus_scaler.go",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/azure_queue_scaler.go",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/azure_blob_scaler.go",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/azure_eventhub_scaler.go",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/azure_log_analytics_scaler.go",
    ),
    facts=("triggers/keda",),
    check=_check,
)
