"""Facts that several object rules use: parts of KAITO models, reasons to replace nodes, rows of charts."""

from typing import Any

import pytest

from gitgpu.objects.gitops.chart_values import chart_row
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.items import gather, item_of
from gitgpu.objects.monitoring.queries import queries
from gitgpu.objects.node.disruption_budgets import possible_reasons
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.coverage import selects
from gitgpu.objects.workload.kaito_models import models
from tests.helping.cases import for_each
from tests.rules.objects.samples import KUBERNETES, shared_norms, somewhere

OWNER = {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "default"}


def objects(*bodies: dict[str, Any]) -> Objects:
    """Some objects as rules see them."""
    checked = [item_of(given, KUBERNETES, shared_norms()) for given in somewhere(*bodies)]
    assert [fault.message for _, faults in checked for fault in faults] == []
    return gather([item for item, _ in checked], KUBERNETES, shared_norms(), closed=True)


def body(api_version: str, kind: str, **more: Any) -> dict[str, Any]:
    """An object."""
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "a", "namespace": "b"}, **more}


NODES = {"instanceType": "Standard_NC24ads_A100_v4", "labelSelector": {"matchLabels": {"apps": "a"}}}
CHAT = {"preset": {"name": "phi-4"}}
PRESETS = ("inference", "preset", "name")


@pytest.mark.parametrize(
    ("model", "presets"),
    [
        (body("kaito.sh/v1beta1", "Workspace", resource=NODES, inference=CHAT), [PRESETS]),
        (
            body(
                "kaito.sh/v1alpha1",
                "InferenceSet",
                spec={
                    "replicas": 1,
                    "labelSelector": NODES["labelSelector"],
                    "template": {"resource": {"instanceType": NODES["instanceType"]}, "inference": CHAT},
                },
            ),
            [("spec", "template", *PRESETS)],
        ),
        (
            body(
                "kaito.sh/v1beta1",
                "RAGEngine",
                spec={
                    "compute": NODES,
                    "embedding": {"local": {"modelID": "a/b"}},
                    "inferenceService": {"url": "http://c", "contextWindowSize": 4096},
                },
            ),
            [],
        ),
    ],
    ids=["Workspace", "InferenceSet", "RAGEngine"],
)
def test_the_parts_of_a_model(model: dict[str, Any], presets: list[tuple[str, ...]]) -> None:
    (served,) = models(objects(model))
    assert (served.size, served.selector) == (NODES["instanceType"], NODES["labelSelector"])
    assert [place for place, _ in served.presets()] == presets


def node_pool(*requirements: dict[str, Any], **spec: Any) -> dict[str, Any]:
    """A NodePool."""
    template = {"spec": {"nodeClassRef": OWNER, "requirements": list(requirements)}}
    meta = {"name": "gpu"}
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": meta,
        "spec": {"template": template, **spec},
    }


@for_each(
    ("spec", "reasons"),
    [
        ({}, {"Drifted", "Empty", "Underutilized"}),
        ({"disruption": {"consolidationPolicy": "WhenEmpty", "consolidateAfter": "1m"}}, {"Drifted", "Empty"}),
        ({"disruption": {"consolidateAfter": "Never"}}, {"Drifted"}),
        ({"replicas": 2}, {"Drifted"}),
    ],
)
def test_why_karpenter_replaces_nodes(spec: dict[str, Any], reasons: set[str]) -> None:
    (pool,) = node_pools(objects(node_pool(**spec)))
    assert possible_reasons(pool) == reasons


MAKER = "karpenter.azure.com/sku-gpu-manufacturer"


@for_each(
    ("operator", "values", "maker"),
    [
        ("In", ["amd"], "amd"),
        ("In", ["amd", "intel"], ""),
        ("NotIn", ["amd"], "nvidia"),
        ("Exists", [], "nvidia"),  # no AMD size starts while AKS installs the driver
    ],
)
def test_the_manufacturer_of_the_gpus_of_a_pool(operator: str, values: list[str], maker: str) -> None:
    gpus = {"key": "karpenter.azure.com/sku-gpu-count", "operator": "Gt", "values": ["0"]}
    (pool,) = gpu_pools(objects(node_pool(gpus, {"key": MAKER, "operator": operator, "values": values})))
    assert pool.maker == maker


def release(chart: str, version: str, **values: Any) -> dict[str, Any]:
    """A HelmRelease."""
    spec = {"chart": chart, "version": version, "sourceRef": {"kind": "HelmRepository", "name": "nvidia"}}
    return body(
        "helm.toolkit.fluxcd.io/v2", "HelmRelease", spec={"interval": "1h", "chart": {"spec": spec}, "values": values}
    )


@for_each(
    ("label", "present"),
    [
        ("pci-10de.present", True),
        ("pci-0302_10de.present", True),
        ("pci-0300_10de.present", True),
        ("amd-vgpu", None),
        ("pci-1af4.present", None),
    ],
)
def test_the_labels_of_node_feature_discovery_on_nodes_with_nvidia_gpus(label: str, *, present: bool | None) -> None:
    nodes = node_pool({"key": MAKER, "operator": "In", "values": ["nvidia"]})
    selector = {f"feature.node.kubernetes.io/{label}": "true"}
    labelled, unlabelled = objects(nodes, release("node-feature-discovery", "0.18.3")), objects(nodes)
    (pool,) = gpu_pools(labelled)
    assert selects(selector, pool, labelled) is present
    assert selects(selector, pool, unlabelled) is False


@for_each(
    ("version", "known"),
    [("v25.10.1", "v25.10.1"), ("25.10.1", "v25.10.1"), ("v1.0.0", None), ("*", None)],
)
def test_the_facts_of_a_chart_are_those_of_its_version(version: str, known: str | None) -> None:
    newest = shared_norms().catalog.must("charts", "gpu-operator")["version"]
    present = objects(release("gpu-operator", version))
    (installed,) = releases(present)
    assert chart_row(installed, present)["version"] == (known or newest)


@pytest.mark.parametrize(("text", "count"), [("DCGM_FI_DEV_GPU_UTIL", 1), ("{{ .Values.query }}", 0), ("", 0)])
def test_queries_with_placeholders_are_not_read(text: str, count: int) -> None:
    rules = {"rules": {"custom": [{"seriesQuery": text}]}}
    read = list(queries(objects(release("prometheus-adapter", "4.0.0", **rules))))
    assert [(query.text, query.pointer[-4:]) for query in read] == [
        (text, ("rules", "custom", 0, "seriesQuery"))
    ] * count
