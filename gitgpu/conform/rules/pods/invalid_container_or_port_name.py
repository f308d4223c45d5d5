"""A name inside a pod that the API server rejects."""

import re
from collections.abc import Iterator

from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.syntax import is_dns_label, is_qualified_name
from gitgpu.conform.workload.label_selectors import KEY
from gitgpu.conform.workload.pods import Pod, pods
from gitgpu.diagnostic import Severity
from gitgpu.source import Pointer

_PORT = re.compile(r"(?=[^a-z]*[a-z])(?!.*--)[a-z0-9]([a-z0-9-]{0,13}[a-z0-9])?\Z", re.ASCII)
_VARIABLE = re.compile(r"[ -<>-~]+\Z", re.ASCII)  # printable and no equals sign: Kubernetes 1.32 and later
_LABEL = "use at most 63 lowercase letters, digits and '-', starting and ending with a letter or digit"
_SERVICE = "use at most 15 lowercase letters, digits and single '-', including a letter"


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        for place, what, name, remedy in _invalid_names(pod):
            yield Finding(pod.item, (*place, "name"), f"'{name}' is not a valid {what} name", remedy)


def _invalid_names(pod: Pod) -> Iterator[tuple[Pointer, str, str, str]]:
    yield from _invalid_names_of_pod(pod)
    for place, container in pod.containers():
        if not is_dns_label(container.get("name") or ""):
            yield place, "container", container.get("name") or "", _LABEL
        for at, port in enumerate(container.get("ports") or ()):
            if reach(port, "name") and not _PORT.match(port["name"]):
                yield (*place, "ports", at), "port", port["name"], _SERVICE
        for at, variable in enumerate(container.get("env") or ()):
            if not _VARIABLE.match(reach(variable, "name") or ""):
                remedy = "use printable ASCII characters other than '='"
                yield (*place, "env", at), "environment variable", reach(variable, "name") or "", remedy


def _invalid_names_of_pod(pod: Pod) -> Iterator[tuple[Pointer, str, str, str]]:
    for at, volume in enumerate(pod.spec.get("volumes") or ()):
        if not is_dns_label(reach(volume, "name") or ""):
            yield (*pod.pointer, "volumes", at), "volume", reach(volume, "name") or "", _LABEL
    for at, claim in enumerate(pod.spec.get("resourceClaims") or ()):
        if not is_dns_label(reach(claim, "name") or ""):
            yield (*pod.pointer, "resourceClaims", at), "pod claim", reach(claim, "name") or "", _LABEL
    for at, gate in enumerate(pod.spec.get("schedulingGates") or ()):
        if not is_qualified_name(reach(gate, "name") or ""):
            yield (*pod.pointer, "schedulingGates", at), "scheduling gate", reach(gate, "name") or "", KEY


RULE = Rule(
    code="NAM004",
    name="invalid-container-or-port-name",
    severity=Severity.ERROR,
    summary="A container, volume, port, environment variable, claim or scheduling gate of a pod has an invalid name.",
    help="Containers and volumes need a DNS label. A port name has at most 15 characters, including a letter.",
    sources=(
        "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/",
        "https://github.com/kubernetes/kubernetes/blob/v1.34.0/staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go",
    ),
    check=_check,
    bad="""
apiVersion: v1
kind: Pod
metadata: {name: trainer, namespace: serving}
spec:
  containers:
  - name: vLLM
    image: contoso.azurecr.io/vllm:1.0
    ports: [{name: openai-compatible-api, containerPort: 8000}]
""",
    good="""
apiVersion: v1
kind: Pod
metadata: {name: trainer, namespace: serving}
spec:
  containers:
  - name: vllm
    image: contoso.azurecr.io/vllm:1.0
    ports: [{name: openai-api, containerPort: 8000}]
""",
)
