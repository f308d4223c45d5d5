"""Rules about KAITO models, for conditions that their own examples do not cover."""

import pytest

from gitgpu.diagnostic import Diagnostic
from tests.helping.cases import for_each
from tests.rules.fleet.examples import findings

HEAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "KUBERNETES", stack: {kaito: KAITO, keda: helm}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: nodes}
spec: {clusters: [prod-swc], sku: SIZE, limits: {gpus: 4}, image: {osDiskGB: 512}}
"""
WORKLOAD = """\
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: NAME, namespace: serving}
spec: {pools: [nodes], TASK}
"""
A100, A100X4, T4 = "Standard_NC24ads_A100_v4", "Standard_NC96ads_A100_v4", "Standard_NC16as_T4_v3"
TUNED = "input: {urls: ['https://contoso.com/a']}, output: {image: contoso.io/a, pushSecret: r}"
CHAT = "inference: {preset: phi-4-mini-instruct}"
ID = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/a/providers/Microsoft.ContainerService"
ID += "/managedClusters/b"
POD = "{restartPolicy: Never, containers: [{name: a, image: b}]}"
IGNORED = (
    "gpus: 1",
    "cuda: '12.8'",
    "mig: 1g.10gb",
    "rdma: 8",
    "computeDomain: true",
    f"job: {{template: {{spec: {POD}}}}}",
)
RAG = "rag: {embedding: {model: BAAI/bge-small-en-v1.5}}"


def test_a_limit_on_nodes_limits_replicas() -> None:
    head = HEAD.replace("SIZE", A100X4).replace("KAITO", "helm").replace("KUBERNETES", "1.36")
    for limits, reported in (("nodes: 1", True), ("nodes: 2", False), ("nodes: 1, gpus: 16", True), ("gpus: 8", False)):
        models = WORKLOAD.replace("NAME", "m").replace("TASK", CHAT.replace("}", ", replicas: 2}"))
        diagnostics = findings(head.replace("gpus: 4", limits) + models)
        assert ("KTO015" in {finding.code for finding in diagnostics}) is reported, limits


def test_weights_that_kaito_overestimates_are_reported() -> None:
    head = HEAD.replace("SIZE", A100).replace("KAITO", "helm").replace("KUBERNETES", "1.36")
    for preset, reported in (("gpt-oss-120b", True), ("phi-4", False), ("Qwen/Qwen3.5-397B-A17B-GPTQ-Int4", False)):
        diagnostics = findings(head + WORKLOAD.replace("NAME", "m").replace("TASK", f"inference: {{preset: {preset}}}"))
        text = " ".join(finding.message for finding in diagnostics if finding.code == "KTO003")
        assert ("assumes 121.54 GiB of weights; the actual size is 61 GiB" in text) is reported


def codes_of(*tasks: str, size: str = A100, kaito: str = "helm", kubernetes: str = "1.36") -> set[str]:
    """The codes of the findings about models."""
    head = HEAD.replace("SIZE", size).replace("KAITO", kaito).replace("KUBERNETES", kubernetes)
    models = (WORKLOAD.replace("NAME", f"m{at}").replace("TASK", task) for at, task in enumerate(tasks))
    return {finding.code for finding in findings(head + "".join(models)) if finding.code.startswith("KTO")}


@for_each(
    ("tasks", "size", "codes"),
    [
        ((CHAT,), A100, set()),
        ((CHAT, CHAT, CHAT, CHAT), A100, set()),
        ((CHAT, CHAT), A100X4, {"KTO015"}),
        ((f"tuning: {{preset: phi-4-mini-instruct, {TUNED}}}", CHAT), A100X4, set()),
        ((f"tuning: {{preset: llama-3.1-8b-instruct, {TUNED}}}",), A100, {"KTO002"}),
        ((f"tuning: {{preset: qwen2.5-coder-32b-instruct, {TUNED}}}",), A100, {"KTO003"}),
        (("inference: {preset: llama-3.3-70b-instruct, accessSecret: hf}",), A100X4, set()),
        (("inference: {preset: llama-3.3-70b-instruct, accessSecret: hf}",), A100, {"KTO003"}),
        (("inference: {preset: contoso/own-model}",), A100, set()),
        (("inference: {preset: Qwen/Qwen3.5-397B-A17B-GPTQ-Int4}",), A100, {"KTO003", "KTO014"}),
        ((RAG,), A100, set()),
        *((((f"{task}, {key}"),), A100, {"KTO018"}) for task in (CHAT, RAG) for key in IGNORED),
        ((RAG,), T4, {"KTO009", "KTO019"}),
    ],
)
def test_which_models_do_not_work_with_the_chart(tasks: tuple[str, ...], size: str, codes: set[str]) -> None:
    assert codes_of(*tasks, size=size) == codes


@for_each(
    ("task", "kubernetes", "codes"),
    [
        (CHAT, "1.34", set()),
        ("inference: {preset: llama-3.1-8b-instruct, accessSecret: hf}", "1.34", set()),
        ("inference: {preset: llama-3.1-8b-instruct}", "1.34", {"KTO004"}),
        ("inference: {preset: llama-3.1-8b-instruct, accessSecret: hf}", "1.33", {"KTO002"}),
        ("inference: {preset: phi-4, accessSecret: hf}", "1.34", {"KTO004"}),
        ("inference: {preset: gpt-oss-20b}", "1.34", {"KTO002"}),
        ("inference: {preset: falcon-7b, scaling: {waiting: 5, max: 2}}", "1.34", {"KTO008"}),
        (f"tuning: {{preset: phi-4, {TUNED}}}", "1.34", set()),
        (RAG, "1.34", {"KTO008"}),
    ],
)
def test_the_add_on(task: str, kubernetes: str, codes: set[str]) -> None:
    assert codes_of(task, kaito="addon", kubernetes=kubernetes) == {"KTO013", *codes}


@pytest.mark.parametrize(
    "partition", ["{timeSlicing: {replicas: 2}}", "{mps: {replicas: 2}}", "{mig: {profiles: {1g.10gb: 7}}}"]
)
def test_gpus_that_are_not_whole(partition: str) -> None:
    """KAITO uses all GPUs of a node, and MIG instances only with a feature gate that is off."""
    spec = f"{A100}, driver: operator, partition: {partition}"
    assert codes_of(CHAT, size=spec) == {"KTO007"}
    assert codes_of(CHAT, size=f"{A100}, driver: operator") == set()


@pytest.mark.parametrize(
    ("task", "most", "codes"),
    [
        ("inference: {preset: phi-4-mini-instruct, replicas: 3}", 3, set()),
        ("inference: {preset: phi-4-mini-instruct, replicas: 3}", 2, {"KTO015"}),
        (RAG, 2, {"KTO020"}),
    ],
)
def test_the_chart_on_node_pools(task: str, most: int, codes: set[str]) -> None:
    assert {finding.code for finding in on_node_pool(task, f"nodes: {{max: {most}}}")} == codes


@pytest.mark.parametrize(
    ("bound", "limit"),
    [("nodes: {max: 2}", "nodes.max"), ("limits: {gpus: 2}", "limits.gpus"), ("limits: {nodes: 2}", "limits.nodes")],
)
def test_the_limit_that_is_too_low_is_named(bound: str, limit: str) -> None:
    [reported] = on_node_pool("inference: {preset: phi-4-mini-instruct, replicas: 3}", bound)
    assert reported.help.startswith(f"lower the replicas, or raise {limit} of ")


def on_node_pool(task: str, bound: str) -> list[Diagnostic]:
    """The findings about a model on an AKS node pool."""
    head = HEAD.replace("SIZE", A100).replace("KAITO", "helm").replace("KUBERNETES", "1.36")
    head = head.replace('"1.36",', f'"1.36", provisioner: cluster-autoscaler, resourceId: {ID},')
    text = head.replace("limits: {gpus: 4}", bound) + WORKLOAD.replace("NAME", "m").replace("TASK", task)
    return [finding for finding in findings(text) if finding.code.startswith("KTO")]


def test_a_fault_on_several_clusters_is_reported_once() -> None:
    head = HEAD.replace("SIZE", T4).replace("KAITO", "helm").replace("KUBERNETES", "1.36")
    first, _ = head.split("---\n")
    second = first.replace("prod-swc", "test-swc")
    text = f"{second}---\n{head}{WORKLOAD}".replace("[prod-swc]", "[prod-swc, test-swc]")
    text = text.replace("NAME", "m").replace("TASK", "inference: {preset: no-such-preset}")
    assert [finding.code for finding in findings(text)].count("KTO002") == 1


def test_the_add_on_is_checked_whatever_version_of_the_chart_is_pinned() -> None:
    head = HEAD.replace("SIZE", A100).replace("KAITO", "addon, versions: {workspace: 99.0.0}")
    text = head.replace("KUBERNETES", "1.36") + WORKLOAD.replace("NAME", "m").replace("TASK", CHAT)
    assert "KTO013" in {finding.code for finding in findings(text)}
