"""Any `scaling` that is built and imported builds the same objects again."""

from typing import Any

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitgpu.adopt.stack.view import bare_view
from gitgpu.adopt.workloads import workloads
from gitgpu.diagnostic import Severity
from gitgpu.load.text import Text
from gitgpu.runs.validate import validate_texts
from tests.adopt.clusters import applied_patches, built, emitted, observed, spec_documents
from tests.adopt.test_stack_round_trip import fleet
from tools.support_matrix import IDENTITY, SERVER

TARGETS = st.integers(1, 99) | st.sampled_from([0.5, 2.5])
DURATIONS = st.sampled_from(["30s", "5m", "15m", "90m", "1h"])
TRIGGERS = st.one_of(
    st.fixed_dictionaries({"metric": st.sampled_from(["gpu-utilization", "gpu-memory"]), "target": TARGETS}),
    st.fixed_dictionaries({"query": st.sampled_from(["sum(waiting)", 'max(depth{queue="a"})']), "target": TARGETS}),
    st.fixed_dictionaries(
        {
            "serviceBus": st.sampled_from(
                [
                    {"namespace": "contoso-media", "queue": "work"},
                    {"namespace": "contoso-media", "topic": {"name": "orders", "subscription": "render"}},
                ]
            ),
            "target": st.integers(1, 9),
        },
        optional={"activation": st.integers(1, 9)},
    ),
    st.fixed_dictionaries(
        {"storageQueue": st.just({"account": "contosojobs", "queue": "render"}), "target": st.integers(1, 9)}
    ),
    st.fixed_dictionaries(
        {
            "azureMonitor": st.fixed_dictionaries(
                {
                    "tenant": st.just(IDENTITY),
                    "resource": st.just(
                        f"/subscriptions/{IDENTITY}/resourceGroups/ai/providers/Microsoft.ApiManagement/service/contoso"
                    ),
                    "metric": st.just("Requests"),
                    "aggregation": st.sampled_from(["Total", "Average"]),
                },
                optional={"window": DURATIONS, "filter": st.just("Code eq '429'"), "namespace": st.just("Apis")},
            ),
            "target": st.integers(1, 9),
        }
    ),
)
SCALINGS = st.fixed_dictionaries(
    {"triggers": st.lists(TRIGGERS, min_size=1, max_size=3), "max": st.integers(2, 8), "identity": st.just(IDENTITY)},
    optional={
        "min": st.integers(0, 2),
        "idle": st.just(0),
        "cooldown": DURATIONS,
        "pollingInterval": st.sampled_from(["10s", "5m"]),  # the default, 30s, is left out
        "behavior": st.sampled_from(
            [{"scaleUp": {"selectPolicy": "Min"}}, {"scaleDown": {"stabilizationWindowSeconds": 0}}]
        ),
        "fallback": st.fixed_dictionaries({"replicas": st.integers(1, 2)}, optional={"failures": st.integers(1, 5)}),
    },
)


@given(SCALINGS, st.sampled_from(["chat", "a-name-that-is-longer-than-most-names-of-deployments-are"]))
@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
def test_scaling_is_read_back(scaling: Any, name: str) -> None:
    documents = _documents(scaling, name)
    checked = validate_texts([_text(documents)])
    if any(diagnostic.severity is Severity.ERROR for diagnostic in checked.diagnostics):
        return
    inputs = fleet(documents).inputs
    assert inputs
    [cluster] = inputs.clusters
    observed_cluster = built(inputs, cluster)
    observed_cluster = observed_cluster._replace(
        objects=(*observed_cluster.objects, *map(observed, applied_patches(inputs, cluster)))
    )
    part = workloads(
        bare_view(observed_cluster, inputs.catalog), spec_documents(documents, "Fleet", "Cluster", "GpuPool")
    )
    [document] = part.documents
    again = fleet([*documents[:-1], {**documents[-1], "spec": document.spec}]).inputs
    assert again
    assert emitted(again, again.clusters[0]) == emitted(inputs, cluster)


def _documents(scaling: Any, name: str) -> list[Any]:
    stack = {"metrics": {"server": SERVER, "identity": IDENTITY}}
    specs: list[tuple[str, dict[str, str], Any]] = [
        ("Fleet", {"name": "contoso"}, {"delivery": {"repository": "https://github.com/contoso/gpus"}}),
        ("Cluster", {"name": "lab"}, {"region": "swedencentral", "kubernetesVersion": "1.36", "stack": stack}),
        ("GpuPool", {"name": "t4"}, {"clusters": ["lab"], "sku": "Standard_NC4as_T4_v3", "limits": {"gpus": 16}}),
        (
            "GpuWorkload",
            {"name": name, "namespace": "serving"},
            {"pools": ["t4"], "target": {"kind": "Deployment", "name": name}, "scaling": scaling},
        ),
    ]
    start = {"apiVersion": "gitgpu.dev/v1alpha1"}
    return [{**start, "kind": kind, "metadata": metadata, "spec": spec} for kind, metadata, spec in specs]


def _text(documents: list[Any]) -> Text:
    return Text("fleet.yaml", yaml.safe_dump_all(documents), "fleet.yaml")
