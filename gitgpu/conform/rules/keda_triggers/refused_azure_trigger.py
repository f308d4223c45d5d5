"""A trigger on something in Azure that KEDA cannot build."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.autoscalers import Trigger, triggers
from gitgpu.diagnostic import Severity
from gitgpu.model.templates import is_template


def _check(objects: Objects) -> Iterator[Finding]:
    facts = objects.catalog.must("triggers", "keda")
    for one in triggers(objects):
        for key in facts["wholes"].get(one.type, ()):
            value = one.metadata.get(key) or "0"
            if not value.strip().lstrip("+-").isdigit() and not is_template(value):
                yield Finding(one.item, one.place(key), f"{key} '{value}' is no whole number", 'write one, such as "5"')
        if one.type == "azure-servicebus":
            yield from _service_bus(one)
        if one.type == "azure-monitor":
            uri = one.metadata.get("resourceURI") or ""
            if uri.count("/") != 2 and not is_template(uri):
                message = f"resourceURI '{uri}' is not of the form provider/type/name"
                remedy = "write the part of the ARM ID after /providers/, of a resource that is not inside another"
                yield Finding(one.item, one.place("resourceURI"), message, remedy)


def _service_bus(one: Trigger) -> Iterator[Finding]:
    queue, topic, subscription = (one.metadata.get(key) for key in ("queueName", "topicName", "subscriptionName"))
    place = (*one.pointer, "metadata")
    if not queue and not topic:
        message = "a trigger of type azure-servicebus needs queueName, or topicName and subscriptionName"
        yield Finding(one.item, place, message, "add one of them to its metadata")
    if queue and (topic or subscription):
        other = "topicName" if topic else "subscriptionName"
        message = f"queueName and {other} cannot stand together"
        yield Finding(one.item, one.place(other), message, "keep the queue, or the topic with its subscription")
    if topic and not queue and not subscription:
        message = "topicName needs the subscriptionName whose messages are counted"
        yield Finding(one.item, one.place("topicName"), message, "add subscriptionName")


RULE = Rule(
    code="KED060",
    name="refused-azure-trigger",
    severity=Severity.ERROR,
    summary="A trigger on Service Bus, a storage queue or Azure Monitor has parameters that KEDA refuses.",
    help="Messages are counted in whole numbers, a queue has no subscription and a topic needs one, and Azure Monitor "
    "is asked about a resource that is not inside another. KEDA finds out when it builds the trigger, and scales "
    "nothing.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/azure_servicebus_scaler.go",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/azure_queue_scaler.go",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/azure_monitor_scaler.go",
    ),
    check=_check,
    bad="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  triggers:
  - type: azure-servicebus
    metadata: {namespace: contoso-prompts, topicName: chat, messageCount: "5"}
""",
    good="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  triggers:
  - type: azure-servicebus
    metadata: {namespace: contoso-prompts, topicName: chat, subscriptionName: gpu, messageCount: "5"}
""",
)
