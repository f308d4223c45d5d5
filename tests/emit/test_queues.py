"""Workloads that scale on Azure queues and metrics, and Jobs that KEDA creates for waiting work."""

import pytest

from tests.emit.fleets import CATALOG, Body, Emitted, cluster, emitted, fleet, pool, workload

IDENTITY = "22222222-3333-4444-5555-666666666666"
RESOURCE = f"/subscriptions/{IDENTITY}/resourceGroups/ai/providers/Microsoft.ApiManagement/service/contoso"
SOURCES: dict[str, Body] = {
    "azure-servicebus": {"serviceBus": {"namespace": "contoso-work", "queue": "render"}},
    "azure-queue": {"storageQueue": {"account": "contosowork", "queue": "render"}},
    "azure-monitor": {
        "azureMonitor": {"tenant": IDENTITY, "resource": RESOURCE, "metric": "Requests", "aggregation": "Total"}
    },
}
JOB = {
    "template": {
        "spec": {
            "restartPolicy": "Never",
            "containers": [{"name": "render", "image": "render:1"}, {"name": "log", "image": "log:1"}],
        }
    }
}


def scaled(*triggers: Body, stack: Body | None = None, **scaling: object) -> Emitted:
    """The output for a Deployment with these triggers."""
    spec = {"triggers": list(triggers), "max": 4, "identity": IDENTITY, **scaling}
    return emitted(fleet(stack=stack or {}), cluster(), pool("t4"), workload("render", ["t4"], scaling=spec))


def made(job: Body) -> Emitted:
    """The output for a Job with this spec."""
    scaling = {"identity": IDENTITY, "triggers": [{**SOURCES["azure-queue"], "target": 1}], "max": 4}
    target = {"kind": "Job", "name": "render"}
    batch = workload("batch", ["t4"], target=target, job=job, scaling=scaling)
    return emitted(fleet(), cluster(), pool("t4"), batch)


@pytest.mark.parametrize("kind", SOURCES)
def test_a_trigger_has_everything_that_keda_needs(kind: str) -> None:
    [trigger] = scaled({**SOURCES[kind], "target": 5, "activation": 2}).one("ScaledObject", "render")["spec"][
        "triggers"
    ]
    facts = CATALOG.must("triggers", "keda")
    words = next(source for source in facts["sources"].values() if source["type"] == kind)
    assert trigger["type"] == kind
    assert trigger["metricType"] == "AverageValue"
    assert trigger["metadata"].keys() >= {*facts["needs"].get(kind, ()), words["target"], words["activation"]}
    assert trigger["metadata"].keys() <= {*words["keys"].values(), words["target"], words["activation"]}
    assert (trigger["metadata"][words["target"]], trigger["metadata"][words["activation"]]) == ("5", "2")


def test_a_subscription_of_a_topic() -> None:
    bus = {"namespace": "contoso-work", "topic": {"name": "orders", "subscription": "gpu"}}
    [trigger] = scaled({"serviceBus": bus, "target": 5}).one("ScaledObject", "render")["spec"]["triggers"]
    assert trigger["metadata"] == {
        "namespace": "contoso-work",
        "topicName": "orders",
        "subscriptionName": "gpu",
        "messageCount": "5",
    }


@pytest.mark.parametrize(("window", "interval"), [("90s", "00:01:30"), ("1h", "01:00:00"), ("30h5m", "30:05:00")])
def test_a_metric_of_a_resource(window: str, interval: str) -> None:
    source = {**SOURCES["azure-monitor"]["azureMonitor"], "window": window}
    [trigger] = scaled({"azureMonitor": source, "target": 0.5}).one("ScaledObject", "render")["spec"]["triggers"]
    metadata = trigger["metadata"]
    assert metadata["resourceURI"] == "Microsoft.ApiManagement/service/contoso"
    assert (metadata["subscriptionId"], metadata["resourceGroupName"]) == (IDENTITY, "ai")
    assert (metadata["metricAggregationInterval"], metadata["targetValue"]) == (interval, "0.5")


def test_the_identity_exists_and_keda_may_use_it() -> None:
    output = scaled({**SOURCES["azure-queue"], "target": 5}, {"query": "sum(a)", "target": 1}, stack={"keda": "helm"})
    queue, query = output.one("ScaledObject", "render")["spec"]["triggers"]
    assert "authenticationRef" not in query
    authentication = output.one("TriggerAuthentication", queue["authenticationRef"]["name"])
    assert authentication["metadata"]["namespace"] == "serving"
    assert authentication["spec"]["podIdentity"] == {"provider": "azure-workload", "identityId": IDENTITY}
    values = output.one("HelmRelease", "keda")["spec"]["values"]
    assert values == {"podIdentity": {"azureWorkload": {"enabled": True}}}


@pytest.mark.parametrize(
    ("bounds", "strict"), [({"min": 1}, "false"), ({"min": 0}, None), ({"min": 1, "idle": 0}, None)]
)
def test_where_there_may_be_no_pod_no_gpu_metric_is_not_a_fault(bounds: Body, strict: str | None) -> None:
    output = scaled({"metric": "gpu-utilization", "target": 70}, {**SOURCES["azure-queue"], "target": 5}, **bounds)
    gpu, _ = output.one("ScaledObject", "render")["spec"]["triggers"]
    assert gpu["metadata"].get("ignoreNullValues") == strict


def test_bounds_and_the_fallback() -> None:
    settings: Body = {"min": 2, "idle": 0, "cooldown": "10m", "fallback": {"replicas": 3}}
    spec = scaled({**SOURCES["azure-queue"], "target": 5}, **settings).one("ScaledObject", "render")["spec"]
    assert (spec["minReplicaCount"], spec["maxReplicaCount"], spec["idleReplicaCount"]) == (2, 4, 0)
    assert (spec["cooldownPeriod"], spec["fallback"]) == (600, {"failureThreshold": 3, "replicas": 3})


def test_a_job_keeps_the_fields_of_its_author_and_gets_those_of_its_pools() -> None:
    own = {"key": "contoso.com/team", "operator": "Exists"}
    pod = {**JOB["template"]["spec"], "tolerations": [own], "affinity": {"podAntiAffinity": {}}}
    output = made({"backoffLimit": 3, "template": {"metadata": {"labels": {"a": "b"}}, "spec": pod}})
    spec = output.one("ScaledJob", "render")["spec"]
    job = spec["jobTargetRef"]
    assert (job["backoffLimit"], job["template"]["metadata"]) == (3, {"labels": {"a": "b"}})
    render, log = job["template"]["spec"]["containers"]
    assert render == {"name": "render", "image": "render:1", "resources": {"limits": {"nvidia.com/gpu": "1"}}}
    assert log == {"name": "log", "image": "log:1"}
    assert job["template"]["spec"]["tolerations"][0] == own
    assert [toleration["key"] for toleration in job["template"]["spec"]["tolerations"]] == ["contoso.com/team", "sku"]
    assert job["template"]["spec"]["affinity"].keys() == {"podAntiAffinity", "nodeAffinity"}


def test_a_job_is_created_only_for_work_and_ends_by_itself() -> None:
    output = made(JOB)
    body = output.one("ScaledJob", "render")
    assert body["spec"]["minReplicaCount"] == 0
    assert body["spec"]["rollout"] == {"strategy": "gradual"}
    kept = body["metadata"]["annotations"]["scaledjob.keda.sh/job-excluded-labels"].split(",")
    assert {"app.kubernetes.io/managed-by", "app.kubernetes.io/part-of"} <= set(kept)
    assert (output.every("ScaledObject"), output.patches()) == ([], {})


def test_an_autoscaler_may_hold_several_metrics() -> None:
    triggers = [{"metric": "gpu-utilization", "target": 70}, {"metric": "gpu-memory", "target": 80}]
    spec = {"engine": "hpa", "triggers": triggers, "max": 4}
    output = emitted(fleet(), cluster(), pool("t4"), workload("render", ["t4"], scaling=spec))
    metrics = output.one("HorizontalPodAutoscaler", "render")["spec"]["metrics"]
    assert [metric["pods"]["target"]["averageValue"] for metric in metrics] == ["70", "80"]
    assert output.every("ScaledObject") == []


def test_a_scaled_job_has_no_metric_type() -> None:
    """The CRD in KEDA's chart does not declare the field, and the default has the right value."""
    [trigger] = made(JOB).one("ScaledJob", "render")["spec"]["triggers"]
    assert sorted(trigger) == ["authenticationRef", "metadata", "type"]
