"""POD045 and POD046: annotations for the cluster autoscaler, and shared memory of model servers."""

import pytest

from tests.helping.cases import for_each
from tests.rules.objects.samples import bad_example, conformed

SERVER = """\
apiVersion: v1
kind: Pod
metadata: {name: chat, namespace: serving}
spec:
  SPEC
  containers:
  - name: main
    image: IMAGE
    args: ARGS
    resources: {limits: {nvidia.com/gpu: 4}}
"""
MOVED = bad_example("POD045")
VLLM = "vllm/vllm-openai:v0.14.0"


def codes(text: str) -> set[str]:
    """The codes of findings from these two rules."""
    return {finding.code for finding in conformed(text)} & {"POD045", "POD046"}


@for_each(
    ("image", "words", "spec", "count"),
    [
        (VLLM, '[--tensor-parallel-size, "4"]', "", 1),
        (VLLM, "[--tensor-parallel-size=4]", "", 1),
        (VLLM, '[-tp, "2"]', "", 1),
        ("contoso.azurecr.io/base:1", '["vllm serve m --tensor-parallel-size 4"]', "", 1),
        ("lmsysorg/sglang:v0.5", '[--tp, "4"]', "", 1),
        ("contoso.azurecr.io/vllm:1", '[--tensor-parallel-size, "4"]', "", 1),
        (VLLM, '[--tensor-parallel-size, "1"]', "", 0),
        (VLLM, "[--model, m]", "", 0),
        (VLLM, '[--tensor-parallel-size, "$(GPUS)"]', "", 0),
        (VLLM, '[--tensor-parallel-size, "4"]', "hostIPC: true", 0),
        ("contoso.azurecr.io/trainer:1", '[--tensor-parallel-size, "4"]', "", 0),
        ("contoso.azurecr.io/novllm-proxy:1", '[--tensor-parallel-size, "4"]', "", 0),
    ],
)
def test_a_server_of_several_processes_needs_shared_memory(image: str, words: str, spec: str, count: int) -> None:
    text = SERVER.replace("IMAGE", image).replace("ARGS", words).replace("SPEC", spec)
    assert codes(text) == ({"POD046"} if count else set())


@pytest.mark.parametrize("path", ["/dev/shm", "/dev/shm/", "/dev"])
def test_a_volume_at_this_path_is_the_shared_memory(path: str) -> None:
    text = SERVER.replace("IMAGE", VLLM).replace("ARGS", '[--tensor-parallel-size, "4"]')
    text = text.replace("SPEC", "volumes: [{name: shm, emptyDir: {medium: Memory}}]")
    assert codes(f"{text}    volumeMounts: [{{name: shm, mountPath: {path}}}]\n") == set()


def test_an_annotation_for_the_cluster_autoscaler_is_not_read_by_karpenter() -> None:
    both = 'safe-to-evict: "false", karpenter.sh/do-not-disrupt: "true"'
    assert codes(MOVED) == {"POD045"}
    assert codes(MOVED.replace('safe-to-evict: "false"', both)) == set()
    assert codes(MOVED.replace('"false"', '"true"')) == set()


def test_a_pod_that_fits_no_node_pool_may_run_on_cluster_autoscaler_nodes() -> None:
    elsewhere = MOVED.replace("karpenter.sh/nodepool: a100", "agentpool: gpu")
    assert codes(elsewhere) == set()
    assert codes(MOVED.partition("---")[2]) == set()
