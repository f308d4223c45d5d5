"""Workloads of running clusters become GpuWorkloads that emit the same scalers and models."""

from collections.abc import Mapping
from typing import Any

import pytest
import yaml

from gitgpu.adopt.adoption import Fate, Part, SpecDocument
from gitgpu.adopt.stack.view import bare_view
from gitgpu.adopt.workloads import workloads
from gitgpu.adopt.workloads.models import served_models
from gitgpu.inventory.observed import Azure, ObservedCluster
from gitgpu.model.catalog import catalog
from gitgpu.source import Pointer
from tests.adopt.clusters import applied_patches, built, observed, of_text, spec_documents
from tests.adopt.test_stack_round_trip import UNSEEN, fleet, of_one_cluster
from tests.helping.cases import for_each

CATALOG = catalog(())
UNREAD = ("cuda", "overrides", "patches")  # keys that do not show in an image with a different name
STARTS = "apiVersion: gitgpu.dev/v1alpha1\n"
SERVER = "http://prometheus.monitoring.svc:9090"


@pytest.mark.parametrize("name", UNSEEN)
def test_the_workloads_of_a_cluster_of_the_example_fleet(name: str) -> None:
    """The documents are inferred from the objects that gitgpu emits for them and from the patched workloads."""
    documents = of_one_cluster(name)
    inputs = fleet(documents).inputs
    assert inputs
    [cluster] = inputs.clusters
    observed_cluster = built(inputs, cluster)
    observed_cluster = observed_cluster._replace(
        objects=(*observed_cluster.objects, *map(observed, applied_patches(inputs, cluster)))
    )
    part = workloads(bare_view(observed_cluster, CATALOG), spec_documents(documents, "Fleet", "Cluster", "GpuPool"))
    wanted = {each.name: _plain(each.spec) for each in spec_documents(documents, "GpuWorkload")}
    assert {each.name: _plain(each.spec) for each in part.documents} == wanted
    assert [each.reason for each in part.outcomes if each.fate is not Fate.ADOPTED] == []
    assert all("the patch adds nothing" in each.reason for each in part.outcomes if "patch" in each.reason)


def _plain(spec: Mapping[str, Any]) -> dict[str, Any]:
    """A spec without keys that show in no object. An instance of the `single` strategy is requested as a GPU."""
    kept = {key: value for key, value in spec.items() if key not in UNREAD}
    if kept.get("mig") and kept["pools"] == ["a100-slices"]:
        del kept["mig"]
    return kept


POOL = {"clusters": ["lab"], "sku": "Standard_NC24ads_A100_v4", "limits": {"gpus": 4}}
NODES = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: a100}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}]
      taints: [{key: sku, value: gpu, effect: NoSchedule}]
  limits: {nvidia.com/gpu: "4"}
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: a100}
---
"""
DEPLOYMENT = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, namespace: serving}
spec:
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      tolerations: [{key: sku, operator: Exists}]
      containers:
      - name: vllm
        image: docker.io/nvidia/cuda:12.8.1-runtime-ubuntu24.04
        resources: {limits: {nvidia.com/gpu: "1"}}
---
"""


def adopted(text: str, **stack: str) -> Part:
    """The workloads of a cluster with one pool, whose stack has its own Prometheus."""
    own = {"metrics": {"scrape": "prometheus-operator", "server": SERVER}, **stack}
    documents = [
        ("Fleet", "contoso", {"delivery": {"repository": "https://github.com/contoso/gpus"}}),
        ("Cluster", "lab", {"region": "swedencentral", "kubernetesVersion": "1.36", "stack": own}),
        ("GpuPool", "a100", POOL),
    ]
    given = [{"kind": kind, "metadata": {"name": name}, "spec": spec} for kind, name, spec in documents]
    cluster = of_text(NODES + text, "lab", kubernetes="1.36", region="swedencentral")
    return workloads(bare_view(cluster, CATALOG), spec_documents(given, "Fleet", "Cluster", "GpuPool"))


def reasons(part: Part, *fates: Fate) -> list[str]:
    return [f"{each.observed.name}: {each.reason}" for each in part.outcomes if each.fate in fates]


@pytest.mark.parametrize(
    ("image", "env", "pointer"),
    [
        ("docker.io/nvidia/cuda:12.8.1-runtime-ubuntu24.04", "[]", ("image",)),
        ("chat:1", "[{name: A, value: b}, {name: CUDA_VERSION, value: 12.8.1}]", ("env", 1, "value")),
    ],
)
def test_the_place_that_shows_the_version_of_cuda(image: str, env: str, pointer: Pointer) -> None:
    part = adopted(
        DEPLOYMENT.replace("docker.io/nvidia/cuda:12.8.1-runtime-ubuntu24.04", f"{image}\n        env: {env}")
    )
    (shown,) = [outcome for outcome in part.outcomes if "shows CUDA 12.8" in outcome.reason]
    assert shown.pointer[-len(pointer) :] == pointer


def test_a_deployment_keeps_its_pods_and_the_patch_is_reported() -> None:
    part = adopted(DEPLOYMENT)
    [document] = part.documents
    target = {"kind": "Deployment", "name": "chat", "container": "vllm"}
    assert document.spec == {"pools": ["a100"], "target": target, "cuda": "12.8"}
    assert (document.name, document.namespace) == ("chat", "serving")
    [kept] = reasons(part, Fate.ADOPTED)
    assert kept.startswith("Deployment chat: its pods stay as they are; the patch in workloads/serving.chat would add ")
    assert kept.endswith(" add a node affinity for karpenter.sh/nodepool in a100")
    assert reasons(part, Fate.INFERRED) == ["Deployment chat: its image or a variable shows CUDA 12.8"]


def test_pods_that_name_their_pool_need_nothing() -> None:
    part = adopted(DEPLOYMENT.replace("tolerations", "nodeSelector: {karpenter.sh/nodepool: a100}\n      tolerations"))
    assert reasons(part, Fate.ADOPTED) == [
        "Deployment chat: its pods already set everything that they need: the patch adds nothing"
    ]


def test_pods_that_fit_no_pool_are_not_adopted() -> None:
    part = adopted(DEPLOYMENT.replace("tolerations: [{key: sku, operator: Exists}]", "nodeSelector: {disk: fast}"))
    assert part.documents == ()
    assert reasons(part, Fate.INEXPRESSIBLE) == ["Deployment chat: none of the adopted pools accepts its pods"]


def test_workloads_without_gpus_are_ignored() -> None:
    assert adopted(DEPLOYMENT.replace('nvidia.com/gpu: "1"', 'cpu: "1"')) == Part()


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            "kind: Deployment",
            "kind: ReplicaSet",
            "a GpuWorkload cannot target the pods of a ReplicaSet",
        ),
        ("nvidia.com/gpu:", "nvidia.com/gpu.shared:", "it requests nvidia.com/gpu.shared"),
        ("containers:", "initContainers:", "the container vllm, which requests GPUs, is an init container"),
    ],
)
def test_what_a_workload_cannot_express_is_reported(old: str, new: str, reason: str) -> None:
    text = DEPLOYMENT.replace(old, new)
    if "init" in new:
        text = text.replace("\n---", "\n      containers: [{name: web, image: 'contoso.azurecr.io/web:1'}]\n---")
    part = adopted(text)
    assert part.documents == ()
    [reported] = reasons(part, Fate.INEXPRESSIBLE)
    assert reason in reported


SERVED = """
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: chat, namespace: serving}
spec:
  predictor:
    nodeSelector: {karpenter.sh/nodepool: a100}
    tolerations: [{key: sku, operator: Exists}]
    model: {modelFormat: {name: huggingface}, resources: {limits: {nvidia.com/gpu: "2"}}}
"""
UNCERTAIN = (
    "other objects complete its pods, which name no adopted pool, so that it is not certain which pools run them"
)


def required(*operators: str) -> str:
    """A node affinity with a term for each operator on the label of node pools."""
    terms = (f"{{matchExpressions: [{{key: karpenter.sh/nodepool, operator: {each}}}]}}" for each in operators)
    mode = "requiredDuringSchedulingIgnoredDuringExecution"
    return f"affinity: {{nodeAffinity: {{{mode}: {{nodeSelectorTerms: [{', '.join(terms)}]}}}}}}"


@for_each("key", ["model", "pytorch"])
def test_pods_that_other_objects_complete_are_adopted_if_they_name_their_pool(key: str) -> None:
    """The runtime of a model can add what its pods tolerate and select, but no other pool."""
    text = SERVED.replace("model: {modelFormat: {name: huggingface}, ", f"{key}: {{")
    [document] = adopted(text if key == "pytorch" else SERVED).documents
    container = {} if key == "model" else {"container": key}
    target = {"kind": "InferenceService", "name": "chat", **container}
    assert document.spec == {"pools": ["a100"], "target": target, "gpus": 2}


@for_each(
    ("old", "new"),
    [
        ("nodeSelector: {karpenter.sh/nodepool: a100}", "nodeSelector: {team: a}"),
        ("nodeSelector: {karpenter.sh/nodepool: a100}", "nodeSelector: {karpenter.sh/nodepool: other}"),
        ("nodeSelector: {karpenter.sh/nodepool: a100}", "enableServiceLinks: false"),
        ("nodeSelector: {karpenter.sh/nodepool: a100}", required("NotIn, values: [a100]")),
        ("nodeSelector: {karpenter.sh/nodepool: a100}", required("In, values: [a100]", "Exists")),
    ],
)
def test_pods_that_other_objects_complete_are_not_adopted_without_a_pool(old: str, new: str) -> None:
    part = adopted(SERVED.replace(old, new))
    assert part.documents == ()
    assert reasons(part, Fate.INEXPRESSIBLE) == [f"InferenceService chat: {UNCERTAIN}"]


def test_a_train_job_without_its_runtime_is_not_adopted() -> None:
    trainer = "{resourcesPerNode: {limits: {nvidia.com/gpu: 1}}}"
    head = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: a, namespace: b}\n"
    part = adopted(f"{head}spec: {{runtimeRef: {{name: torch}}, trainer: {trainer}}}\n")
    assert reasons(part, Fate.INEXPRESSIBLE) == [f"TrainJob a: {UNCERTAIN}"]


SCALED = """
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat-scaler, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  minReplicaCount: 1
  maxReplicaCount: 4
  triggers:
  - type: prometheus
    metadata:
      serverAddress: http://prometheus.monitoring.svc:9090
      query: sum(vllm:num_requests_waiting{model_name="chat"})
      threshold: "5"
"""


def scaling(text: str) -> Any:
    """The inferred `scaling`, or why there is none."""
    part = adopted(DEPLOYMENT + text)
    [document] = part.documents
    return document.spec.get("scaling") or reasons(part, Fate.INEXPRESSIBLE, Fate.LEFT)[-1]


def test_a_custom_query_is_reported_and_its_name_is_kept() -> None:
    part = adopted(DEPLOYMENT + SCALED)
    [document] = part.documents
    query = 'sum(vllm:num_requests_waiting{model_name="chat"})'
    assert document.spec["scaling"] == {"metric": "query", "query": query, "target": 5, "max": 4}
    assert document.name == "chat-scaler"
    assert document.spec["target"]["name"] == "chat"


def test_a_query_whose_result_is_not_divided() -> None:
    part = adopted(
        DEPLOYMENT + SCALED.replace("metadata:\n      server", "metricType: Value\n    metadata:\n      server")
    )
    assert part.documents[0].spec["scaling"]["metricType"] == "Value"


@for_each(
    ("old", "new", "field"),
    [
        ('threshold: "5"', 'threshold: "5"\n      unsafeSsl: "true"', "triggers"),
        ("minReplicaCount: 1", "advanced: {scalingModifiers: {formula: a, target: '5'}}", "advanced"),
    ],
)
def test_a_scaler_with_a_field_that_scaling_cannot_express_is_not_adopted(old: str, new: str, field: str) -> None:
    assert old in SCALED
    reason = scaling(SCALED.replace(old, new))
    assert reason.startswith("ScaledObject chat-scaler: it stays with its owner: scaling cannot express ")
    assert reason.endswith(f"{field} of ScaledObject chat-scaler")


BEHAVIOR = {"scaleDown": {"policies": [{"type": "Pods", "value": 1, "periodSeconds": 60}]}}


@for_each(
    ("value", "written"), [("false", False), ("0", False), ("F", False), ("true", None), ("1", None), ("x", None)]
)
def test_a_query_without_a_result(value: str, *, written: bool | None) -> None:
    text = SCALED.replace('threshold: "5"', f'threshold: "5"\n      ignoreNullValues: "{value}"')
    found = scaling(text)
    assert ("x" in value) is isinstance(found, str)  # KEDA does not start with it
    if isinstance(found, dict):
        assert found.get("ignoreNullValues") is written


@for_each(
    ("field", "value", "patched"),
    [
        ("initialCooldownPeriod", 60, {"initialCooldownPeriod": 60}),
        ("advanced", {"restoreToOriginalReplicaCount": True}, {"advanced": {"restoreToOriginalReplicaCount": True}}),
        (
            "advanced",
            {"horizontalPodAutoscalerConfig": {"name": "chat", "behavior": BEHAVIOR}},
            {"advanced": {"horizontalPodAutoscalerConfig": {"name": "chat"}}},
        ),
    ],
)
def test_a_patch_keeps_a_field_that_scaling_has_no_key_for(field: str, value: Any, patched: Any) -> None:
    part = adopted(f"{DEPLOYMENT}{SCALED}".replace("minReplicaCount", f"{field}: {value}\n  minReplicaCount"))
    [document] = part.documents
    assert document.spec["patches"] == [{"target": {"kind": "ScaledObject"}, "patch": {"spec": patched}}]
    assert "scaling" in document.spec
    assert reasons(part, Fate.INEXPRESSIBLE, Fate.LEFT) == []


def test_the_polling_interval_and_the_behavior_are_kept() -> None:
    more = {"pollingInterval": 10, "advanced": {"horizontalPodAutoscalerConfig": {"behavior": BEHAVIOR}}}
    text = "".join(f"  {key}: {value}\n" for key, value in more.items())
    part = adopted(DEPLOYMENT + SCALED.replace("  minReplicaCount", f"{text}  minReplicaCount"))
    [document] = part.documents
    assert (document.spec["scaling"]["pollingInterval"], document.spec["scaling"]["behavior"]) == ("10s", BEHAVIOR)
    assert "patches" not in document.spec


@pytest.mark.parametrize(
    "default",
    ["pollingInterval: 30", "cooldownPeriod: 300", "advanced: {restoreToOriginalReplicaCount: false}"],
)
def test_a_default_that_is_written_out_is_not_a_difference(default: str) -> None:
    written = scaling(SCALED.replace("minReplicaCount: 1", f"minReplicaCount: 1\n  {default}"))
    assert "target" in written
    assert "pollingInterval" not in written


def test_bounds_cooldown_and_fallback() -> None:
    more = "minReplicaCount: 0\n  cooldownPeriod: 900\n  fallback: {failureThreshold: 5, replicas: 2}"
    written = scaling(SCALED.replace("minReplicaCount: 1", more))
    assert {key: written[key] for key in ("min", "max", "cooldown", "fallback")} == {
        "min": 0,
        "max": 4,
        "cooldown": "15m",
        "fallback": {"failures": 5, "replicas": 2},
    }


def test_another_prometheus_is_not_that_of_the_stack() -> None:
    assert "its trigger queries http://other:9090" in scaling(SCALED.replace(SERVER, "http://other:9090"))


def test_a_trigger_that_scaling_cannot_express() -> None:
    text = SCALED[: SCALED.index("  - type")] + "  - {type: cron, metadata: {timezone: UTC, start: 0 6 * * *}}\n"
    assert "scaling does not support the trigger type cron" in scaling(text)


def test_a_queue_and_its_identity() -> None:
    trigger = """  - type: azure-queue
    metadata: {accountName: contosojobs, queueName: render, queueLength: "5", activationQueueLength: "2"}
    authenticationRef: {name: queue}
---
apiVersion: keda.sh/v1alpha1
kind: TriggerAuthentication
metadata: {name: queue, namespace: serving}
spec: {podIdentity: {provider: azure-workload, identityId: 22222222-3333-4444-5555-666666666666}}
"""
    text = SCALED[: SCALED.index("  - type")].replace("minReplicaCount: 1", "minReplicaCount: 0") + trigger
    assert scaling(text) == {
        "identity": "22222222-3333-4444-5555-666666666666",
        "triggers": [{"storageQueue": {"account": "contosojobs", "queue": "render"}, "target": 5, "activation": 2}],
        "min": 0,
        "max": 4,
    }


def test_a_connection_string_is_not_an_identity() -> None:
    trigger = """  - type: azure-queue
    metadata: {accountName: contosojobs, queueName: render, queueLength: "5", connectionFromEnv: QUEUE}
"""
    assert "cannot express" in scaling(SCALED[: SCALED.index("  - type")] + trigger)


HPA = """
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: chat}
  minReplicas: 2
  maxReplicas: 4
  metrics:
  - {type: Pods, pods: {metric: {name: gpu_utilization}, target: {type: AverageValue, averageValue: "70"}}}
"""


def test_an_autoscaler_on_a_metric_of_gpus() -> None:
    bounds = {"engine": "hpa", "metric": "gpu-utilization", "target": 70, "min": 2, "max": 4}
    assert scaling(HPA) == bounds
    assert scaling(f"{HPA}  behavior: {{scaleDown: {{stabilizationWindowSeconds: 120}}}}\n") == {
        **bounds,
        "cooldown": "2m",
    }


def test_an_autoscaler_on_cpu_is_not_adopted() -> None:
    resource = "{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}}"
    text = HPA[: HPA.index("  - {type")] + f"  - {resource}\n"
    assert scaling(text) == "HorizontalPodAutoscaler chat: scales on CPU or memory"


def test_an_autoscaler_with_policies() -> None:
    policies = "  behavior: {scaleUp: {policies: [{type: Pods, value: 1, periodSeconds: 60}]}}\n"
    policy = {"type": "Pods", "value": 1, "periodSeconds": 60}
    assert scaling(HPA + policies)["behavior"] == {"scaleUp": {"policies": [policy]}}


def test_a_scaler_of_a_workload_without_gpus_is_not_adopted() -> None:
    part = adopted(DEPLOYMENT.replace('nvidia.com/gpu: "1"', 'cpu: "1"') + SCALED)
    assert reasons(part, Fate.LEFT) == ["ScaledObject chat-scaler: scales no pods with GPUs"]


def test_a_scaler_of_a_workload_that_was_not_read_is_not_adopted() -> None:
    assert reasons(adopted(SCALED), Fate.LEFT) == ["ScaledObject chat-scaler: what it scales is not in the input"]


SCALED_JOB = """
apiVersion: keda.sh/v1alpha1
kind: ScaledJob
metadata: {name: transcribe, namespace: batch}
spec:
  maxReplicaCount: 16
  jobTargetRef:
    backoffLimit: 2
    template:
      spec:
        restartPolicy: Never
        tolerations: [{key: sku, operator: Exists}, {key: team, operator: Exists}]
        containers:
        - name: transcribe
          image: contoso.azurecr.io/transcribe:2.1
          resources: {limits: {nvidia.com/gpu: "1", memory: 16Gi}}
  triggers:
  - type: azure-servicebus
    metadata: {namespace: contoso-media, queueName: recordings, messageCount: "1"}
    authenticationRef: {name: bus}
---
apiVersion: keda.sh/v1alpha1
kind: TriggerAuthentication
metadata: {name: bus, namespace: batch}
spec: {podIdentity: {provider: azure-workload, identityId: 22222222-3333-4444-5555-666666666666}}
"""


def test_a_scaled_job_is_its_own_workload() -> None:
    """The Job keeps everything except what gitgpu adds to it."""
    part = adopted(SCALED_JOB)
    [document] = part.documents
    container = {
        "name": "transcribe",
        "image": "contoso.azurecr.io/transcribe:2.1",
        "resources": {"limits": {"memory": "16Gi"}},
    }
    pod = {"restartPolicy": "Never", "tolerations": [{"key": "team", "operator": "Exists"}], "containers": [container]}
    assert document.spec == {
        "pools": ["a100"],
        "target": {"kind": "Job", "name": "transcribe"},
        "job": {"backoffLimit": 2, "template": {"spec": pod}},
        "scaling": {
            "identity": "22222222-3333-4444-5555-666666666666",
            "triggers": [{"serviceBus": {"namespace": "contoso-media", "queue": "recordings"}, "target": 1}],
            "max": 16,
        },
    }
    assert reasons(part, Fate.INEXPRESSIBLE, Fate.LEFT) == []


def test_a_patch_keeps_the_strategy_of_a_scaled_job() -> None:
    part = adopted(SCALED_JOB.replace("maxReplicaCount", "scalingStrategy: {strategy: accurate}\n  maxReplicaCount"))
    [document] = part.documents
    patch = {"spec": {"scalingStrategy": {"strategy": "accurate"}}}
    assert document.spec["patches"] == [{"target": {"kind": "ScaledJob"}, "patch": patch}]


def test_a_scaled_job_that_scaling_cannot_express_is_not_adopted() -> None:
    part = adopted(SCALED_JOB.replace("azure-servicebus", "rabbitmq"))
    assert part.documents == ()


INFERENCE_SET = """
apiVersion: kaito.sh/v1alpha1
kind: InferenceSet
metadata: {name: phi, namespace: serving}
spec:
  replicas: 2
  labelSelector: {matchLabels: {karpenter.sh/nodepool: a100}}
  template: {inference: {preset: {name: phi-4-mini-instruct}}}
"""


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("replicas: 2", "replicas: 2", ""),
        ("a100}}", "other}}", "its label selector and its size do not match an adopted pool"),
        ("replicas: 2", "replicas: 2\n  updateStrategy: {type: RollingUpdate}", "spec.updateStrategy.type"),
    ],
)
def test_a_model_is_adopted_if_it_compiles_to_the_same_object(old: str, new: str, reason: str) -> None:
    part = adopted(INFERENCE_SET.replace(old, new), kaito="helm")
    specs = [{"pools": ["a100"], "inference": {"preset": "phi-4-mini-instruct", "replicas": 2}}]
    assert [each.spec for each in part.documents] == ([] if reason else specs)
    assert all(reason in reported for reported in reasons(part, Fate.INEXPRESSIBLE))
    assert bool(reasons(part, Fate.INEXPRESSIBLE)) == bool(reason)


@for_each("key", ["metrics", "min-replicas", "max-replicas", "scaledowncooldown"])
@for_each("text", ["", "{", "[", "[1]", "{}", "[[]]", "x", "-1", "1.5", "²", "9" * 5000, "[" * 100_000])
def test_any_text_in_an_annotation_of_the_scaler_of_kaito(key: str, text: str) -> None:
    """Also texts that are no JSON, no number, or too deep or too long for a parser."""
    scaled = yaml.load(INFERENCE_SET, yaml.CSafeLoader)
    notes = {"auto-provision": "true", "max-replicas": "4", key: text}
    scaled["metadata"]["annotations"] = {f"scaledobject.kaito.sh/{name}": value for name, value in notes.items()}
    [outcome] = adopted(yaml.dump(scaled, Dumper=yaml.CSafeDumper), kaito="helm").outcomes
    assert outcome.fate in (Fate.ADOPTED, Fate.CHANGED, Fate.INEXPRESSIBLE)


def test_all_keys_of_a_model() -> None:
    preset = "preset: {name: phi-4-mini-instruct}"
    adapters = "adapters: [{source: {name: own, image: contoso.azurecr.io/own:1, imagePullSecrets: [pull]}}]"
    [document] = adopted(INFERENCE_SET.replace(preset, f"{preset}, config: tuned, {adapters}"), kaito="helm").documents
    assert document.spec["inference"] == {
        "preset": "phi-4-mini-instruct",
        "config": "tuned",
        "adapters": [{"name": "own", "image": "contoso.azurecr.io/own:1", "pullSecrets": ["pull"]}],
        "replicas": 2,
    }
    tuning = f"""
apiVersion: kaito.sh/v1beta1
kind: Workspace
metadata: {{name: tune, namespace: serving}}
resource: {{labelSelector: {{matchLabels: {{karpenter.sh/nodepool: a100}}}}}}
tuning:
  {preset}
  method: METHOD
  config: tuned
  input: {{image: "contoso.azurecr.io/data:1", imagePullSecrets: [pull]}}
  output: {{image: "contoso.azurecr.io/out:1", imagePushSecret: push}}
"""
    for method in ("lora", "qlora"):
        [document] = adopted(tuning.replace("METHOD", method), kaito="helm").documents
        assert document.spec["tuning"] == {
            "preset": "phi-4-mini-instruct",
            **({"method": "lora"} if method == "lora" else {}),
            "config": "tuned",
            "input": {"image": "contoso.azurecr.io/data:1", "pullSecrets": ["pull"]},
            "output": {"image": "contoso.azurecr.io/out:1", "pushSecret": "push"},
        }


def test_a_model_by_its_size_is_on_the_first_pool_of_that_size() -> None:
    workspace = {
        "apiVersion": "kaito.sh/v1beta1",
        "kind": "Workspace",
        "metadata": {"name": "phi", "namespace": "serving"},
        "resource": {"instanceType": POOL["sku"], "labelSelector": {"matchLabels": {"app": "phi"}}},
        "inference": {"preset": {"name": "phi-4-mini-instruct"}},
    }
    cluster = ObservedCluster("lab", Azure(kubernetes="1.36"), (observed(workspace),))
    sizes = {"small": "Standard_NC16as_T4_v3", "one": POOL["sku"], "two": [POOL["sku"], "Standard_NC48ads_A100_v4"]}
    pools = {name: SpecDocument("GpuPool", name, {**POOL, "sku": size}) for name, size in sizes.items()}
    [result] = served_models(bare_view(cluster, CATALOG).objects, pools)
    assert result.document is not None
    assert result.document.spec["pools"] == ["one"]
    [result] = served_models(bare_view(cluster, CATALOG).objects, {"two": pools["two"]})
    assert result.document is not None
    assert result.document.spec["pools"] == ["two"]
    [result] = served_models(bare_view(cluster, CATALOG).objects, {"small": pools["small"]})
    assert (result.document, result.reason) == (None, "its label selector and its size do not match an adopted pool")


def test_an_authentication_is_adopted_with_the_scaler_whose_trigger_names_it() -> None:
    """Its name may also be part of another text in a trigger, such as azure in azure-queue."""
    scaled = """
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  maxReplicaCount: 4
  triggers: [{type: azure-queue, metadata: {queueName: jobs, accountName: contoso, queueLength: "5"}%s}]
---
apiVersion: keda.sh/v1alpha1
kind: TriggerAuthentication
metadata: {name: azure, namespace: serving}
spec: {podIdentity: {provider: azure-workload, identityId: 00000000-0000-0000-0000-000000000002}}
---
apiVersion: keda.sh/v1alpha1
kind: TriggerAuthentication
metadata: {name: azure, namespace: elsewhere}
spec: {podIdentity: {provider: azure-workload, identityId: 00000000-0000-0000-0000-000000000003}}
"""
    without = reasons(adopted(DEPLOYMENT + scaled % ""), Fate.LEFT)
    assert [text for text in without if "azure" in text] == [
        "TriggerAuthentication azure: not used by a scaler, or only by one that stays with its owner"
    ] * 2
    unread = reasons(adopted(DEPLOYMENT + scaled % ", authenticationRef: {name: gone}"), Fate.INEXPRESSIBLE)
    why = "the input does not contain TriggerAuthentication gone, which it uses"
    assert unread == [f"ScaledObject chat: it stays with its owner: {why}"]
    named = reasons(adopted(DEPLOYMENT + scaled % ", authenticationRef: {name: azure}"), Fate.ADOPTED, Fate.LEFT)
    assert [text for text in named if "azure" in text] == [
        "TriggerAuthentication azure: gitgpu writes one for each workload that needs it",
        "TriggerAuthentication azure: not used by a scaler, or only by one that stays with its owner",
    ]


BARE_HPA = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: chat, namespace: serving%s}\n"
OWNED = ", ownerReferences: [{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, name: chat, uid: a}]"
SCALING = "spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: chat}, maxReplicas: 4}\n"


@pytest.mark.parametrize(
    ("autoscaler", "is_reported"),
    [(BARE_HPA % "" + SCALING, True), (BARE_HPA % OWNED + SCALING, False), (BARE_HPA % "", False)],
    ids=["own", "of KEDA", "without a spec"],
)
def test_autoscalers_that_scale_nothing_themselves_are_not_reported(autoscaler: str, is_reported: bool) -> None:
    part = adopted(DEPLOYMENT + autoscaler)
    assert len(part.documents) == 1
    reported = [each.observed.name for each in part.outcomes if each.observed.body["kind"] == "HorizontalPodAutoscaler"]
    assert reported == ["HorizontalPodAutoscaler chat"] * is_reported
