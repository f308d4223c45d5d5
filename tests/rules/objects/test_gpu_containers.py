"""Containers with GPUs: correct and wrong environment variables and command lines."""

import pytest

from tests.helping.cases import for_each
from tests.lint.test_lint import codes, linted

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: chat, namespace: serving}
spec:
  containers:
  - name: main
    image: IMAGE
    volumeMounts: [{name: shm, mountPath: /dev/shm}]
    MORE
  volumes: [{name: shm, emptyDir: {medium: Memory, sizeLimit: 8Gi}}]
"""
VLLM = "vllm/vllm-openai:v0.14.0"
ONE = "resources: {limits: {nvidia.com/gpu: 1}}"


def reported_codes(*more: str, image: str = VLLM) -> set[str]:
    """The codes of the rules tested here, including those at severity info."""
    reported = linted({"pod.yaml": POD.replace("IMAGE", image).replace("MORE", "\n    ".join(more))}).diagnostics
    return {each.code for each in reported} & {"POD048", "POD049", "POD050", "POD051"}


@for_each(
    ("arguments", "wanted"),
    [
        ("[--tensor-parallel-size=2]", True),
        ("[-tp, '2']", True),
        ("['--tensor-parallel-size 2 --max-model-len 8']", True),
        ("[--tensor-parallel-size=1]", False),
        ("[--tensor-parallel-size=$(TP)]", False),
        ("[--tensor-parallel-size=2, --distributed-executor-backend=ray]", False),
        ("[--tensor-parallel-size=2, --nnodes=2]", False),
        ("[--tensor-parallel-size=2, --data-parallel-size=2]", False),
        ("[--decode-tensor-parallel-size=2]", False),
    ],
)
def test_tensor_parallel_size(arguments: str, wanted: bool) -> None:
    assert ("POD050" in reported_codes(ONE, f"args: {arguments}")) == wanted


@pytest.mark.parametrize(
    "more",
    [
        "securityContext: {privileged: true}",
        "env: [{name: NVIDIA_VISIBLE_DEVICES, value: all}]",
        "envFrom: [{configMapRef: {name: a}}]",
    ],
)
def test_a_container_that_may_have_more_gpus_is_not_counted(more: str) -> None:
    assert "POD050" not in reported_codes(ONE, "args: [--tensor-parallel-size=2]", more)


def test_other_servers_and_other_resources_are_not_reported() -> None:
    assert (
        reported_codes(
            ONE, "args: [--tensor-parallel-size=2, --gpu-memory-utilization=90]", image="contoso.azurecr.io/a:1"
        )
        == set()
    )
    mig = "resources: {limits: {nvidia.com/mig-1g.5gb: 1}}"
    assert reported_codes(mig, "args: [--tensor-parallel-size=2]") == set()


@for_each(("share", "wanted"), [("90", True), ("1.5", True), ("0", True), ("0.9", False), ("1", False), ("1.0", False)])
def test_share_of_gpu_memory(share: str, wanted: bool) -> None:
    assert ("POD051" in reported_codes(ONE, f"args: [--gpu-memory-utilization={share}]")) == wanted
    assert (
        "POD051" in reported_codes(ONE, f"command: [vllm, serve, m, --gpu-memory-utilization, '{share}']")
    ) == wanted


@for_each(
    ("value", "wanted"),
    [("all", True), ("0", True), ("0,1", True), ("none", False), ("void", False), ("", False)],
)
def test_which_visible_devices_are_reported(value: str, wanted: bool) -> None:
    variable = f"env: [{{name: NVIDIA_VISIBLE_DEVICES, value: '{value}'}}]"
    assert ("POD048" in reported_codes(ONE, variable)) == wanted
    assert "POD048" not in reported_codes(variable)  # a container that requests no GPU does so on purpose


@for_each(
    ("value", "wanted"),
    [
        ("compute,utility", False),
        ("all", False),
        ("compute,utility,all", False),
        ("compute,profile", True),
        ("gpu", True),
        ("$(CAPABILITIES)", False),
        ("", False),
    ],
)
def test_which_driver_capabilities_are_reported(value: str, wanted: bool) -> None:
    variable = f"env: [{{name: NVIDIA_DRIVER_CAPABILITIES, value: '{value}'}}]"
    assert ("POD049" in reported_codes(ONE, variable)) == wanted


SCALED = (
    "apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {name: a, namespace: b}\n"
    "spec: {scaleTargetRef: {name: a}, pollingInterval: 60, MORE, triggers: [{type: azure-queue, "
    "metadata: {queueName: q, accountName: c}TRIGGER}]}\n"
)


@for_each(
    ("more", "trigger", "wanted"),
    [
        ("minReplicaCount: 1", "", True),
        ("minReplicaCount: 0", "", False),
        ("maxReplicaCount: 3", "", False),
        ("minReplicaCount: 1, idleReplicaCount: 0", "", False),
        ("minReplicaCount: 1", ", useCachedMetrics: true", False),
        ("minReplicaCount: 1, advanced: {scalingModifiers: {formula: a, target: '1'}}", ", name: a", False),
    ],
)
def test_which_polling_intervals_are_reported(more: str, trigger: str, wanted: bool) -> None:
    reported = linted({"a.yaml": SCALED.replace("MORE", more).replace("TRIGGER", trigger)}).diagnostics
    assert ("KED040" in {each.code for each in reported}) == wanted


@pytest.mark.parametrize(("idle", "wanted"), [("0", False), ("1", True), ("null", False)])
def test_which_idle_replicas_are_reported(idle: str, wanted: bool) -> None:
    text = SCALED.replace("MORE", f"minReplicaCount: 2, idleReplicaCount: {idle}").replace("TRIGGER", "")
    assert ("KED041" in codes({"a.yaml": text})) == wanted


STAGES = """\
apiVersion: VERSION
kind: KIND
metadata: {name: chat, namespace: serving}
spec: {SPEC: {TEMPLATE: {spec: {containers: [{name: a, image: "vllm/vllm-openai:v0.14.0",
  args: [-tp, "TP", -pp, "2"], resources: {limits: {nvidia.com/gpu: 8}}}]}}}}
"""


@pytest.mark.parametrize(
    ("kind", "version", "place", "size", "wanted"),
    [
        ("LeaderWorkerSet", "leaderworkerset.x-k8s.io/v1", ("leaderWorkerTemplate", "workerTemplate"), 8, False),
        ("LeaderWorkerSet", "leaderworkerset.x-k8s.io/v1", ("leaderWorkerTemplate", "workerTemplate"), 16, True),
        ("RayCluster", "ray.io/v1", ("headGroupSpec", "template"), 8, False),
    ],
)
def test_stages_of_a_pipeline_can_be_in_other_pods(
    kind: str, version: str, place: tuple[str, str], size: int, wanted: bool
) -> None:
    spec, template = place
    text = STAGES.replace("VERSION", version).replace("KIND", kind).replace("SPEC", spec).replace("TEMPLATE", template)
    assert ("POD050" in codes({"a.yaml": text.replace('"TP"', f'"{size}"')})) == wanted
