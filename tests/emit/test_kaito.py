"""KAITO: the objects for models, the nodes that they select, and the workload that starts the first node."""

import json
from typing import Any

import pytest

from tests.emit.fleets import A100, CLUSTER_ID, Body, Emitted, cluster, document, emitted, fleet, placed, plans, pool
from tests.helping.cases import for_each
from tests.oracles.cel import needs_crds, upstream_faults

CHAT = {"preset": "phi-4-mini-instruct"}
SCALED = {**CHAT, "scaling": {"waiting": 10, "max": 4, "cooldown": "10m"}}
TUNED = {
    "preset": "phi-4-mini-instruct",
    "input": {"urls": ["https://contoso.blob.core.windows.net/data/orders.parquet"]},
    "output": {"image": "contoso.azurecr.io/adapters/orders:1", "pushSecret": "registry"},
}
SEARCH = {"embedding": {"model": "BAAI/bge-small-en-v1.5"}}
HELM = {"kaito": "helm", "keda": "helm"}


def model(name: str, pools: list[str], **spec: Any) -> Body:
    """A GpuWorkload that KAITO runs, in namespace "serving"."""
    return document("GpuWorkload", name, {"pools": pools, **spec}, namespace="serving")


def with_models(*models: Body, stack: Body | None = None, **spec: Any) -> Emitted:
    """A cluster with one pool of A100s and these models."""
    nodes = pool("models", A100, **{"image": {"osDiskGB": 512}, **spec})
    return emitted(fleet(), cluster(stack=HELM if stack is None else stack), nodes, *models)


def test_a_served_model_is_an_inference_set() -> None:
    inference_set = with_models(model("chat", ["models"], inference={**CHAT, "replicas": 2})).one(
        "InferenceSet", "chat"
    )
    assert inference_set["apiVersion"] == "kaito.sh/v1beta1"
    assert inference_set["spec"] == {
        "replicas": 2,
        "labelSelector": {"matchLabels": {"karpenter.sh/nodepool": "models"}},
        "template": {"inference": {"preset": {"name": "phi-4-mini-instruct"}}},
    }


def test_a_workspace_has_no_spec() -> None:
    workspace = with_models(model("tune", ["models"], tuning=TUNED)).one("Workspace", "tune")
    assert workspace.keys() == {"apiVersion", "kind", "metadata", "resource", "tuning"}
    assert workspace["resource"] == {"labelSelector": {"matchLabels": {"karpenter.sh/nodepool": "models"}}}
    assert workspace["tuning"]["method"] == "qlora"


def test_what_scales_a_model_owns_its_replicas() -> None:
    inference_set = with_models(model("chat", ["models"], inference=SCALED)).one("InferenceSet", "chat")
    annotations = inference_set["metadata"]["annotations"]
    assert "replicas" not in inference_set["spec"]
    assert annotations["scaledobject.kaito.sh/auto-provision"] == "true"
    assert annotations["scaledobject.kaito.sh/max-replicas"] == "4"
    assert annotations["scaledobject.kaito.sh/scaledowncooldown"] == "600"
    [metric] = json.loads(annotations["scaledobject.kaito.sh/metrics"])
    assert metric["downthreshold"] < metric["upthreshold"] == 10


def test_kaito_creates_no_nodes_and_advertises_no_gpus() -> None:
    releases = {body["metadata"]["name"]: body["spec"] for body in with_models().every("HelmRelease")}
    values = releases["kaito-workspace"]["values"]
    assert values["nodeProvisioner"] == "byo"
    assert values["featureGates"] == {"disableNodeAutoProvisioning": True}
    assert values["nvidiaDevicePlugin"] == {"enabled": False}
    assert releases["kaito-workspace"]["upgrade"]["crds"] == "Skip", "its NodeClaim is Karpenter's"
    assert "kaito-ragengine" not in releases
    assert "keda-kaito-scaler" not in releases


def test_charts_are_installed_only_if_they_are_needed() -> None:
    output = with_models(model("chat", ["models"], inference=SCALED), model("docs", ["models"], rag=SEARCH))
    homes = {body["metadata"]["name"]: body["spec"]["targetNamespace"] for body in output.every("HelmRelease")}
    assert homes["keda-kaito-scaler"] == homes["keda"]
    assert homes["kaito-ragengine"] in {body["metadata"]["name"] for body in output.every("Namespace")}


def test_a_pod_reserves_the_first_node_of_a_pool_with_models() -> None:
    models = (model(name, ["models"], inference=CHAT) for name in ("chat", "mail"))
    [holder] = with_models(*models).every("Deployment")
    pod = holder["spec"]["template"]["spec"]
    assert placed(pod["affinity"]) == ["models"]
    assert {toleration["key"] for toleration in pod["tolerations"]} == {"sku"}
    assert "nvidia.com/gpu" not in str(pod["containers"][0]["resources"])


def test_models_wait_for_the_pods_that_reserve_nodes() -> None:
    """They do not wait for the Job that reserves a node for tuning, which is applied together with the models."""
    output = with_models(model("chat", ["models"], inference=CHAT), model("tune", ["models"], tuning=TUNED))
    assert output.every("Job")
    specs = {body["metadata"]["name"]: body["spec"] for body in output.every("Kustomization")}
    [check] = specs["example-workloads"]["healthChecks"]
    assert check["name"] == output.every("Deployment")[0]["metadata"]["name"]
    assert {"name": "example-workloads"} in specs["example-models"]["dependsOn"]
    assert not specs["example-models"]["wait"]


def test_argo_cd_installs_no_definitions_with_the_chart() -> None:
    delivery = {"engine": "argocd"}
    nodes, chat = pool("models", A100, image={"osDiskGB": 512}), model("chat", ["models"], inference=CHAT)
    output = emitted(fleet(delivery=delivery), cluster(stack=HELM), nodes, chat)
    [chart] = [body for body in output.every("Application") if body["metadata"]["name"].endswith("kaito-workspace")]
    assert chart["spec"]["source"]["helm"]["skipCrds"] is True


def test_a_node_for_tuning_is_reserved_for_a_limited_time() -> None:
    output = with_models(model("tune", ["models"], tuning=TUNED))
    assert not output.every("Deployment")
    [job] = output.every("Job")
    more = [{"key": "sku", "value": "gpu", "effect": "NoSchedule"}, {"key": "nvidia.com/gpu", "effect": "NoSchedule"}]
    other = with_models(model("tune", ["models"], tuning=TUNED), taints=more)
    assert other.every("Job")[0]["metadata"]["name"] != job["metadata"]["name"], "a Job cannot be changed"
    again = {**TUNED, "output": {"image": "contoso.azurecr.io/adapters/orders:2", "pushSecret": "registry"}}
    another = with_models(model("tune", ["models"], tuning=again))
    assert another.every("Job")[0]["metadata"]["name"] != job["metadata"]["name"], "KAITO tunes again, on a node again"
    pod = job["spec"]["template"]["spec"]
    [hold] = pod["initContainers"]
    assert hold["restartPolicy"] == "Always"
    assert hold["startupProbe"]["initialDelaySeconds"] >= 1000, "as long as KAITO may pause after an error"
    assert placed(pod["affinity"]) == ["models"]


def labels(output: Emitted, name: str) -> Body:
    """The labels of a pool's nodes."""
    template: Body = output.one("NodePool", name)["spec"]["template"]
    read: Body = template.get("metadata", {}).get("labels", {})
    return read


def test_nodes_have_labels_about_their_gpus() -> None:
    others = (pool("other"), model("chat", ["models"], inference=CHAT))
    output = with_models(*others)
    assert labels(output, "models") | {
        "nvidia.com/gpu.product": "A100-80GB-PCIe",
        "nvidia.com/gpu.count": "1",
        "nvidia.com/gpu.memory": "81920",
        "nvidia.com/cuda.compute.major": "8",
        "nvidia.com/cuda.compute.minor": "0",
    } == labels(output, "models")
    assert "nvidia.com/gpu.count" not in labels(output, "other")


def test_the_operator_labels_its_own_nodes() -> None:
    spec: Body = {"driver": "operator", "image": {"family": "Ubuntu2204", "osDiskGB": 512}}
    output = with_models(model("chat", ["models"], inference=CHAT), **spec)
    assert "nvidia.com/gpu.count" not in labels(output, "models")


def test_the_add_on_gets_a_size() -> None:
    output = with_models(model("chat", ["models"], inference=CHAT), stack={"kaito": "addon"})
    workspace = output.one("Workspace", "chat")
    assert workspace["resource"]["instanceType"] == A100
    selector = workspace["resource"]["labelSelector"]["matchLabels"]
    assert selector["nvidia.com/gpu.deploy.operands"] == "false", "the GPU Operator keeps off the nodes that have them"
    twin = {**model("chat", ["models"], inference=CHAT), "metadata": {"name": "chat", "namespace": "other"}}
    both = with_models(model("chat", ["models"], inference=CHAT), twin, stack={"kaito": "addon"}).every("Workspace")
    first, second = (body["resource"]["labelSelector"] for body in both)
    assert first != second, "the add-on takes any node that has the labels"
    assert "nvidia.com/gpu.count" not in labels(output, "models")
    assert not output.every("HelmRelease")
    assert not output.every("Deployment")


def test_the_add_on_has_to_be_turned_on() -> None:
    plan = plans(fleet(), cluster(stack={"kaito": "addon"}), pool("models", A100))["one"]
    assert ("--enable-ai-toolchain-operator", "--enable-oidc-issuer") in [
        prerequisite.update for prerequisite in plan.prerequisites
    ]


def test_vllm_is_scraped_where_its_pods_are() -> None:
    output = with_models(model("chat", ["models"], inference=CHAT), model("tune", ["models"], tuning=TUNED))
    [monitor] = output.every("PodMonitor")
    assert monitor["metadata"]["namespace"] == "serving"
    assert monitor["spec"]["selector"] == {"matchLabels": {"inferenceset.kaito.sh/created-by": "chat"}}
    assert monitor["spec"]["podMetricsEndpoints"][0]["portNumber"] == 5000


ADAPTER = {"name": "orders", "image": "contoso.azurecr.io/adapters/orders:1", "pullSecrets": ["r"]}


def test_a_model_has_one_address() -> None:
    output = with_models(model("chat", ["models"], inference=CHAT))
    service = output.one("Service", "chat")
    assert service["spec"]["selector"] == {"inferenceset.kaito.sh/created-by": "chat"}
    assert service["spec"]["ports"] == [{"name": "http", "port": 80, "targetPort": 5000}]
    alone = with_models(model("chat", ["models"], inference=CHAT), stack={"kaito": "addon"})
    assert "chat" not in {body["metadata"]["name"] for body in alone.every("Service")}, "a Workspace brings its own"


EVERYTHING: dict[str, Body] = {
    "served": {"inference": {**SCALED, "accessSecret": "hf", "config": "own", "adapters": [ADAPTER]}},
    "any model of Hugging Face": {"inference": {"preset": "contoso/own-model", "accessSecret": "hf"}},
    "tuned from an image": {
        "tuning": {**TUNED, "method": "lora", "config": "own", "input": {"image": "a.io/b:1", "pullSecrets": ["r"]}}
    },
    "searched": {
        "rag": {
            "embedding": {"model": "BAAI/bge-small-en-v1.5"},
            "service": {"url": "http://chat.serving/v1", "contextWindow": 16384, "accessSecret": "llm"},
            "claim": "manuals",
        }
    },
}


@needs_crds
@for_each("spec", EVERYTHING.values(), ids=list(EVERYTHING))
def test_kaito_accepts_everything_that_the_spec_allows(spec: Body) -> None:
    [body] = [
        dict(m.body) for m in with_models(model("chat", ["models"], **spec)).manifests if "kaito.sh" in str(m.body)[:40]
    ]
    assert upstream_faults(body) == []


NODE_POOLS = {
    "provisioner": "cluster-autoscaler",
    "resourceId": "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/gpu"
    "/providers/Microsoft.ContainerService/managedClusters/prod-swc",
}


def test_a_node_pool_of_aks_serves_models() -> None:
    """KAITO selects its nodes by an AKS label, and reads their GPUs from labels."""
    nodes = pool("chat-nodes", A100, image={"osDiskGB": 512})
    chat = model("chat", ["chat-nodes"], inference={**CHAT, "replicas": 2})
    output = emitted(fleet(), cluster(stack=HELM, **NODE_POOLS), nodes, chat)
    wanted = {"kubernetes.azure.com/agentpool": "chatnodes"}
    assert output.one("InferenceSet", "chat")["spec"]["labelSelector"] == {"matchLabels": wanted}
    labels = output.one("ManagedClustersAgentPool", "chat-nodes")["spec"]["nodeLabels"]
    assert labels["nvidia.com/gpu.product"] == "A100-80GB-PCIe"
    assert list(labels) == sorted(labels)
    holder = output.one("Deployment", "chat-nodes-first-node")["spec"]["template"]["spec"]
    [term] = holder["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    assert term["matchExpressions"] == [{"key": next(iter(wanted)), "operator": "In", "values": ["chatnodes"]}]


@pytest.mark.parametrize(("least", "held"), [(0, {"Deployment", "Job"}), (1, set())])
def test_no_node_is_reserved_if_the_pool_always_has_one(least: int, held: set[str]) -> None:
    nodes = pool("models", A100, image={"osDiskGB": 512}, nodes={"min": least, "max": 2})
    served, tuned = model("chat", ["models"], inference=CHAT), model("tune", ["models"], tuning=TUNED)
    output = emitted(fleet(), cluster(stack=HELM, **NODE_POOLS), nodes, served, tuned)
    assert {manifest.ref.kind for manifest in output.manifests} & {"Deployment", "Job"} == held


@pytest.mark.parametrize("provisioner", ["nap", "cluster-autoscaler"])
def test_every_kind_of_model_selects_the_nodes_of_its_pool(provisioner: str) -> None:
    """They are selected only by the label that Karpenter or AKS sets."""
    word = {"nap": "karpenter.sh/nodepool", "cluster-autoscaler": "kubernetes.azure.com/agentpool"}[provisioner]
    nodes: Body = {"provisioner": provisioner, "resourceId": CLUSTER_ID} if provisioner != "nap" else {}
    bounds: Body = {"nodes": {"min": 0, "max": 3}, "limits": None} if nodes else {}
    served = pool("models", A100, image={"osDiskGB": 512}, **{key: value for key, value in bounds.items() if value})
    if nodes:
        del served["spec"]["limits"]
    models = (model("chat", ["models"], inference=CHAT), model("tune", ["models"], tuning=TUNED))
    output = emitted(fleet(), cluster(stack=HELM, **nodes), served, *models)
    chosen = {"matchLabels": {word: "models"}}
    assert output.one("InferenceSet", "chat")["spec"]["labelSelector"] == chosen
    assert output.one("Workspace", "tune")["resource"]["labelSelector"] == chosen


def test_a_rag_engine_selects_the_nodes_of_its_pool() -> None:
    engine = with_models(model("docs", ["models"], rag=SEARCH)).one("RAGEngine", "docs")
    assert engine["spec"]["compute"]["labelSelector"] == {"matchLabels": {"karpenter.sh/nodepool": "models"}}
