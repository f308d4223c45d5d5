"""Pods as the API server stores them: with what their RuntimeClass, and the safeguards of AKS Automatic, add.

The RuntimeClass admission plugin sets the overhead and merges the node selector: setOverhead and setScheduling in
plugin/pkg/admission/runtimeclass/admission.go of kubernetes/kubernetes v1.36.2. `tolerations_of` adds its tolerations.
"""

from gitgpu.access import reach
from gitgpu.model.names.kinds import RUNTIME_CLASS
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import Pod, pods
from gitgpu.simulate.pod.safeguards import with_requests


def admitted_pods(objects: Objects) -> tuple[Pod, ...]:
    """The pods of every complete workload with a pod template."""
    return objects.once("admitted pods", lambda: tuple(admitted_pod(pod, objects) for pod in pods(objects)))


def admitted_pod(pod: Pod, objects: Objects) -> Pod:
    """The pod with the overhead and the node selector of its RuntimeClass, if that is in the input."""
    pod = with_requests(pod, objects)
    name = pod.spec.get("runtimeClassName")
    classes = objects.named(*RUNTIME_CLASS, name) if name else ()
    if not classes:
        return pod
    overhead = reach(classes[0].body, "overhead", "podFixed") or {}
    selector = reach(classes[0].body, "scheduling", "nodeSelector") or {}
    merged = {**(pod.spec.get("nodeSelector") or {}), **selector}
    return pod._replace(spec={**pod.spec, "overhead": pod.spec.get("overhead") or overhead, "nodeSelector": merged})
