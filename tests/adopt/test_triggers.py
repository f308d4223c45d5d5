"""KEDA triggers and scalers: how the spec describes them, and the normalised form of equivalent ones."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.adopt.workloads.normal_scalers import autoscaler, differences, scaled_job, scaled_object
from gitgpu.adopt.workloads.triggers import identities, number, readings, window
from tests.adopt.test_recorded_imports import CATALOG, flat
from tests.helping.cases import for_each
from tests.helping.single_changes import decided

TRIED = ("absent", "null", "empty", "in other case", "longer")
SERVER = "http://prometheus.monitoring.svc:9090"
TRIGGERS: Mapping[str, Any] = {
    "prometheus": {
        "type": "prometheus",
        "metadata": {
            "serverAddress": SERVER, "query": "avg(DCGM_FI_DEV_GPU_UTIL)", "threshold": "70",
            "activationThreshold": "5",
        },
    },
    "service bus queue": {
        "type": "azure-servicebus",
        "metadata": {"queueName": "jobs", "namespace": "contoso", "messageCount": "5", "activationMessageCount": "2"},
    },
    "service bus topic": {
        "type": "azure-servicebus",
        "metadata": {"topicName": "jobs", "subscriptionName": "gpu", "namespace": "contoso", "messageCount": "5"},
    },
    "storage queue": {
        "type": "azure-queue",
        "metadata": {"queueName": "jobs", "accountName": "contoso", "queueLength": "5.5", "activationQueueLength": "0"},
    },
    "azure monitor": {
        "type": "azure-monitor",
        "metadata": {
            "resourceURI": "Microsoft.ContainerService/managedClusters/a", "resourceGroupName": "g",
            "subscriptionId": "00000000-0000-0000-0000-000000000001", "metricName": "m",
            "metricAggregationType": "Average",
            "metricAggregationInterval": "0:10:0", "targetValue": "5", "metricFilter": "x eq 'y'",
        },
    },
    "cron": {"type": "cron", "metadata": {"timezone": "UTC"}},
}  # fmt: skip


def lines(trigger: Any) -> Iterator[str]:
    """The spec of a trigger, as lines."""
    result = readings(trigger, SERVER, CATALOG)
    for at, reading in enumerate(result.triggers):
        yield from flat(reading, str(at))
    yield result.reason


@pytest.mark.parametrize("name", TRIGGERS)
def test_the_effect_of_each_value_of_a_trigger(name: str, snapshot: SnapshotAssertion) -> None:
    trigger = TRIGGERS[name]
    assert "\n".join([*lines(trigger), *decided(trigger, lines, TRIED)]) == snapshot


def test_a_stack_without_a_prometheus() -> None:
    result = readings(TRIGGERS["prometheus"], None, CATALOG)
    assert result == ((), f"its trigger queries {SERVER}, but the stack does not set a Prometheus")
    bare = {"type": "prometheus", "metadata": {"query": "x", "threshold": "1"}}
    assert readings(bare, None, CATALOG).triggers == ({"query": "x", "target": 1},)


@for_each(
    ("clock", "text"),
    [
        ("0:5:0", "5m"),
        ("1:0:30", "3630s"),
        ("1.2:3:4", "93784s"),
        ("0:0:90", "90s"),
        ("2:0:0", "2h"),
        ("x", "0s"),
        ("5:0", "0s"),
    ],
)
def test_lengths_of_time(clock: str, text: str) -> None:
    assert window(clock) == text


def test_numbers_and_identities() -> None:
    assert [number(value) for value in ("5", "5.0", "0.5", "x", None, 7, "")] == [5, 5, 0.5, None, None, 7, None]
    assert isinstance(number("5.0"), int)
    pod = {"provider": "azure-workload", "identityId": "i"}
    assert list(identities({"podIdentity": pod})) == ["i"]
    for other in ({}, {"podIdentity": None}, {"podIdentity": {"provider": "azure-workload"}},
                  {"podIdentity": {**pod, "provider": "none"}}):  # fmt: skip
        assert list(identities(other)) == []


OBJECT: Mapping[str, Any] = {
    "scaleTargetRef": {"kind": "Deployment", "name": "chat", "apiVersion": "apps/v1"},
    "minReplicaCount": 1, "maxReplicaCount": 8, "idleReplicaCount": 0, "pollingInterval": 15, "cooldownPeriod": 60,
    "initialCooldownPeriod": 5, "fallback": {"failureThreshold": 3, "replicas": 2},
    "advanced": {"restoreToOriginalReplicaCount": True, "horizontalPodAutoscalerConfig": {"behavior": {}}},
    "triggers": [
        {
            "type": "prometheus", "metricType": "Value", "useCachedMetrics": True, "authenticationRef": {"name": "a"},
            "metadata": {
                "query": "avg( a )", "threshold": "70.0", "ignoreNullValues": "false", "metricName": "x",
                "activationThreshold": "5", "unsafeSsl": "False",
            },
        }
    ],
}  # fmt: skip
JOB: Mapping[str, Any] = {
    "minReplicaCount": 1, "maxReplicaCount": 8, "pollingInterval": 15, "successfulJobsHistoryLimit": 5,
    "failedJobsHistoryLimit": 6, "envSourceContainerName": "c", "scalingStrategy": {"strategy": "accurate"},
    "triggers": [{"type": "azure-queue", "metadata": {"queueLength": "5", "queueLengthStrategy": "all", "cloud": "x"}}],
    "rollout": {"strategy": "default"}, "jobTargetRef": {"template": {}},
}  # fmt: skip
AUTOSCALER: Mapping[str, Any] = {
    "scaleTargetRef": {"kind": "StatefulSet", "name": "rank"}, "minReplicas": 2, "maxReplicas": 4,
    "metrics": [
        {"type": "Pods", "pods": {"metric": {"name": "m"}, "target": {"type": "AverageValue", "averageValue": "80"}}},
        {"type": "External", "external": {"metric": {"name": "e", "selector": {"matchLabels": {"a": "b"}}},
                                          "target": {"type": "Value", "value": "1500m"}}},
        {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 70}}},
    ],
    "behavior": {"scaleDown": {"stabilizationWindowSeconds": 120, "policies": []}},
}  # fmt: skip


@pytest.mark.parametrize(
    ("form", "spec"), [(scaled_object, OBJECT), (scaled_job, JOB), (autoscaler, AUTOSCALER)],
    ids=["scaled object", "scaled job", "autoscaler"],
)  # fmt: skip
def test_the_effect_of_each_value_of_a_scaler(form: Any, spec: Any, snapshot: SnapshotAssertion) -> None:
    def shown(given: Any) -> Iterator[str]:
        return (f"{key}: {value}" for key, value in form(given, dict).items())

    assert (
        "\n".join([*shown(spec), *decided(spec, shown, ("absent", "one more", "longer", "true", "false"))]) == snapshot
    )
    assert "\n".join(shown({})) == snapshot


def test_the_behaviour_of_a_fallback() -> None:
    fallback = {"failureThreshold": 3, "replicas": 2}
    usual = scaled_object({"fallback": fallback}, dict)
    assert scaled_object({"fallback": {**fallback, "behavior": "static"}}, dict) == usual
    other = scaled_object({"fallback": {**fallback, "behavior": "currentReplicas"}}, dict)
    assert differences(usual, other) == ["fallback"]


def test_fields_in_which_scalers_differ() -> None:
    assert differences({"a": 1, "b": 2}, {"a": 1, "b": 3, "c": 4}) == ["b"]
    assert differences({"a": None}, {}) == []


@for_each(
    ("key", "default"),
    [
        ("ignoreNullValues", "true"),
        ("unsafeSsl", "false"),
        ("activationThreshold", "0"),
        ("activationMessageCount", "0"),
        ("activationQueueLength", "0"),
        ("activationTargetValue", "0"),
        ("queueLengthStrategy", "all"),
        ("cloud", "AzurePublicCloud"),
        ("metricAggregationInterval", "0:5:0"),
        ("metricName", "anything"),
    ],
)
def test_metadata_with_the_default_of_keda_is_the_same_trigger(key: str, default: str) -> None:
    """KEDA no longer reads `metricName`."""
    assert normal({key: default}) == normal({key: default.upper()}) == normal({})
    if key != "metricName":
        assert normal({key: "7"}) != normal({})


def normal(metadata: dict[str, str]) -> Any:
    """The normalised form of a ScaledObject with this metadata of its trigger."""
    return scaled_object({"triggers": [{"type": "prometheus", "metadata": {"query": "a", **metadata}}]}, dict)


@for_each(
    "key",
    ["threshold", "messageCount", "queueLength", "targetValue", "activationThreshold", "activationMessageCount"],
)
def test_a_number_of_a_trigger_is_the_same_in_each_notation(key: str) -> None:
    assert normal({key: "5"}) == normal({key: "5.0"}) != normal({key: "6"})
    assert normal({"query": "5"}) != normal({"query": "5.0"})
