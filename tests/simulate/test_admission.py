"""Which rules report objects that the API server rejects. A simulation ignores these objects."""

from typing import Any

from syrupy.assertion import SnapshotAssertion

from gitgpu.rules.object_rulebook import object_rules
from gitgpu.simulate.admission import admit, counts, rejection_norms
from tests.helping.cases import for_each
from tests.rules.objects.samples import KUBERNETES, read, shared_norms
from tests.simulate.worlds import A100, CLASS, Body, deployment, forecast, pool


def test_the_rules_by_which_objects_are_rejected(snapshot: SnapshotAssertion) -> None:
    norms = rejection_norms(shared_norms())
    lines = set()
    for rule in object_rules():
        for given in (given for bad in rule.bad_examples for given in read(bad)):
            item, fault = admit(given, KUBERNETES, norms)
            assert item.sound is (fault is None)
            if fault and fault.code == rule.code:
                lines.add(f"{rule.code} {item.identity.kind}{'' if counts(item) else ', not reported'}")
    assert "\n".join(sorted(lines)) == snapshot


ASKED = [rule for rule in object_rules() if rule.rejects or rule.never_ready]
NEED_MORE = {  # no object in the bad examples of these rules is rejected alone, and what they need
    "APL102": "the ManagedCluster",
    "APL112": "the ManagedCluster",
    "KED001": "all scalers of a workload; two are a doubt",
    "KED002": "all ScaledObjects of the namespace",
    "KED012": "all authentications; one that the input lacks is a doubt",
    "KED062": "the chart of KEDA",
    "QUE005": "all ClusterQueues",
    "QUE006": "all ResourceFlavors",
    "QUE007": "all AdmissionChecks",
    "QUE009": "all Topologies",
    "QUE016": "all Cohorts",
    "SHR063": "all RuntimeClasses; one that the input lacks is a doubt",
}


def test_a_rule_about_rejection_is_asked_about_its_own_example() -> None:
    norms = rejection_norms(shared_norms())
    for rule in ASKED:
        faults = [admit(given, KUBERNETES, norms)[1] for bad in rule.bad_examples for given in read(bad)]
        found = rule.code in {fault.code for fault in faults if fault}
        assert found is not (rule.code in NEED_MORE or rule.code.startswith("KAI")), rule.code


def test_every_object_that_no_rule_reports_exists() -> None:
    """Also if it is read alone, without the objects that it belongs to."""
    norms = rejection_norms(shared_norms())
    for rule in object_rules():
        for given in read(rule.good):
            assert admit(given, KUBERNETES, norms)[1] is None, rule.code


CPU = {"type": "Resource", "resource": {"name": "memory", "target": {"type": "AverageValue", "averageValue": "1Gi"}}}
QUEUE: Body = {
    "type": "azure-queue",
    "metadata": {"queueName": "q", "connectionFromEnv": "STORAGE", "queueLength": "5"},
}
TARGET = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "w"}
HPA: Body = {"scaleTargetRef": TARGET, "minReplicas": 3, "maxReplicas": 5, "metrics": [CPU]}
SCALED: Body = {"scaleTargetRef": TARGET, "minReplicaCount": 3, "maxReplicaCount": 5, "triggers": [QUEUE]}


def of_scaler(api: str, kind: str, spec: Body) -> tuple[int, int, float]:
    """The nodes of a Deployment with this scaler at its most and least replicas, and the price at its most."""
    scaler = {"apiVersion": api, "kind": kind, "metadata": {"name": "w", "namespace": "a"}, "spec": spec}
    [verdict] = forecast(CLASS, pool("p", A100), deployment("w"), scaler).verdicts
    return verdict.high.nodes, verdict.low.nodes, round(verdict.high.price or 0.0, 4)


def of_hpa(**changed: Any) -> tuple[int, int, float]:
    return of_scaler("autoscaling/v2", "HorizontalPodAutoscaler", HPA | changed)


def of_scaled_object(**changed: Any) -> tuple[int, int, float]:
    return of_scaler("keda.sh/v1alpha1", "ScaledObject", SCALED | changed)


def test_a_scaler_that_exists_sets_the_number_of_nodes() -> None:
    one = of_hpa(minReplicas=1, maxReplicas=1)[2]
    assert of_hpa() == (5, 3, round(5 * one, 4))
    assert of_scaled_object() == (5, 3, round(5 * one, 4))


@for_each(
    "changed",
    [
        {"minReplicas": 9},
        {"minReplicas": 0},
        {"behavior": {"scaleDown": {"stabilizationWindowSeconds": 7200}}},
        {
            "metrics": [
                {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Value", "averageValue": "0"}}}
            ]
        },
    ],
    ids=["KED004", "KED024", "KED026", "KED031"],
)
def test_an_autoscaler_that_the_api_server_rejects_scales_nothing(changed: Body) -> None:
    one = of_hpa(minReplicas=1, maxReplicas=1)[2]
    assert of_hpa(**changed) == (1, 1, one)


@for_each(
    "changed",
    [
        {"minReplicaCount": 9},
        {
            "fallback": {"failureThreshold": 3, "replicas": 4},
            "triggers": [{"type": "cpu", "metricType": "Utilization", "metadata": {"value": "60"}}],
        },
        {"advanced": {"horizontalPodAutoscalerConfig": {"name": "x" * 64}}},
        {"triggers": [{**QUEUE, "metadata": {**QUEUE["metadata"], "queueLength": "5%"}}]},
        {"triggers": [{**QUEUE, "metricType": "Utilization"}]},
        {"triggers": [{"type": "azure-queue", "metadata": {"queueName": "q"}}]},
        {"triggers": [{**QUEUE, "type": "azure-queues"}]},
    ],
    ids=["KED004", "KED010", "KED003", "KED060", "KED007", "KED063", "KED016"],
)
def test_a_scaled_object_that_keda_rejects_or_cannot_use_scales_nothing(changed: Body) -> None:
    one = of_hpa(minReplicas=1, maxReplicas=1)[2]
    assert of_scaled_object(**changed) == (1, 1, one)


def test_a_rejected_pool_is_named_although_another_one_runs_the_workload() -> None:
    rejected, works = pool("a", A100, weight=200), pool("b", A100)
    result = forecast(CLASS, rejected, works, deployment("w"))
    [verdict] = result.verdicts
    [note] = result.notes
    assert verdict.pools == ("b",)
    assert note.startswith("NodePool a is ignored: must be a whole number from 1 to 100; found 200 (CNF001, ")


def test_a_workload_in_a_version_that_kubernetes_does_not_have_is_rejected() -> None:
    """It is not an object of an unknown kind that may have pods."""
    pod = "{spec: {containers: [{name: a, image: a}]}}"
    (given,) = read(f"apiVersion: v1\nkind: Deployment\nmetadata: {{name: a}}\nspec: {{template: {pod}}}\n")
    item, fault = admit(given, KUBERNETES, rejection_norms(shared_norms()))
    assert not item.sound
    assert fault is not None
    assert fault.code == "CNF016"
