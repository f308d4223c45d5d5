"""A Service whose name makes Kubernetes set a variable that the server in the pod reads as its port."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import SERVICE
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.pods import Pod, pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.pods._gpu_containers import environment, runs_vllm


def _check(objects: Objects) -> Iterator[Finding]:
    variable = str(objects.catalog.must("series", "vllm")["port"])
    name = variable.removesuffix("_PORT").lower()
    services = [item for item in objects.by_name(*SERVICE, name) if _has_address(item)]
    for pod in pods(objects) if services else ():
        namespace = pod.item.identity.namespace
        service = next((item for item in services if item.identity.namespace == namespace), None)
        if service and _reads(pod, variable):
            message = (
                f"Kubernetes sets {variable} to the address of this Service in the pods of {pod.item.identity.kind} "
                f"{pod.item.identity.name}, where vLLM expects a port number, and does not start"
            )
            remedy = "rename the Service, or set enableServiceLinks: false in the pods"
            yield Finding(service, ("metadata", "name"), message, remedy)


def _has_address(service: Item) -> bool:
    """Whether pods get variables for the Service: those without a cluster IP have none."""
    headless = reach(service.body, "spec", "clusterIP") == "None"
    return not headless and reach(service.body, "spec", "type") != "ExternalName"


def _reads(pod: Pod, variable: str) -> bool:
    if pod.spec.get("enableServiceLinks") is False:
        return False
    return any(_is_server(container, variable) for place, container in pod.containers() if place[-2] == "containers")


def _is_server(container: Mapping[str, Any], variable: str) -> bool:
    """Whether it is a vLLM server that does not set the variable itself."""
    return runs_vllm(container) and environment(container, variable) is None


RULE = Rule(
    code="POD100",
    name="service-named-like-server",
    severity=Severity.ERROR,
    summary="A Service is named vllm, and vLLM runs in the same namespace.",
    help="For each Service of the namespace, Kubernetes sets variables in all pods: VLLM_PORT=tcp://10.0.0.1:80 for a "
    "Service named vllm. vLLM reads VLLM_PORT as the number of its port for distributed processes and stops with an "
    "error. Headless Services set no variables.",
    sources=(
        "https://github.com/vllm-project/vllm/blob/f218f9c24d224800e0ea4488aa71bd8215c8bdcd/vllm/envs.py",
        "https://kubernetes.io/docs/tutorials/services/connect-applications-service/#accessing-the-service",
    ),
    facts=("series/vllm",),
    check=_check,
)
