"""A trigger for an Azure service with parameters that KEDA rejects."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import Trigger, triggers
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    facts = objects.catalog.must("triggers", "keda")
    for trigger in triggers(objects):
        for key in facts["wholes"].get(trigger.type, ()):
            value = trigger.metadata.get(key) or "0"
            if not value.strip().lstrip("+-").isdigit() and not is_template(value):
                yield Finding(
                    trigger.item,
                    trigger.place(key),
                    f"{key} '{value}' is not a whole number",
                    'use a whole number such as "5"',
                )
        if trigger.type == "azure-servicebus":
            yield from _service_bus_faults(trigger)
        if trigger.type == "azure-monitor":
            uri = trigger.metadata.get("resourceURI") or ""
            if uri.count("/") != 2 and not is_template(uri):  # KEDA splits it at the slashes, and needs three parts
                message = f"resourceURI '{uri}' does not have the form provider/type/name"
                remedy = "use the part of the resource ID after /providers/; nested resources are not supported"
                yield Finding(trigger.item, trigger.place("resourceURI"), message, remedy)


def _service_bus_faults(trigger: Trigger) -> Iterator[Finding]:
    queue, topic, subscription = (trigger.metadata.get(key) for key in ("queueName", "topicName", "subscriptionName"))
    place = (*trigger.pointer, "metadata")
    if not queue and not topic:
        message = "a trigger of type azure-servicebus needs queueName, or topicName and subscriptionName"
        yield Finding(trigger.item, place, message, "add one of them to its metadata")
    if queue and (topic or subscription):
        other = "topicName" if topic else "subscriptionName"
        message = f"queueName and {other} are mutually exclusive"
        yield Finding(trigger.item, trigger.place(other), message, "keep queueName, or topicName with subscriptionName")
    if topic and not queue and not subscription:
        message = "topicName needs subscriptionName"
        yield Finding(trigger.item, trigger.place("topicName"), message, "add subscriptionName")


RULE = Rule(
    code="KED060",
    name="invalid-azure-trigger",
    twin="SCL062",
    severity=Severity.ERROR,
    never_ready=True,
    summary="A trigger for Service Bus, a storage queue or Azure Monitor has parameters that KEDA rejects.",
    help="Message counts are whole numbers, a queue has no subscription, a topic needs one, and Azure Monitor "
    "supports only resources that are not nested. KEDA detects this only when it builds the trigger, and nothing "
    "scales.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/azure_servicebus_scaler.go",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/azure_queue_scaler.go",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/azure_monitor_scaler.go",
    ),
    facts=("triggers/keda",),
    check=_check,
)
