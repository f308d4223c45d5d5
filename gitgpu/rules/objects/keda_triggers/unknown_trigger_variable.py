"""A trigger that reads an environment variable that the container does not have."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Problem, Severity
from gitgpu.model.names.kinds import SCALED_OBJECT
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import TARGET, scaled_pods, triggers
from gitgpu.objects.workload.pods import Pod
from gitgpu.rules.object_rule import Finding, Rule

_SUFFIX = "FromEnv"
_OF_POD = ("fieldRef", "resourceFieldRef")  # known only in a running pod


def _check(objects: Objects) -> Iterator[Finding]:
    patched = {kind: objects.patched_names("apps", kind) for kind in ("Deployment", "StatefulSet")}
    for trigger in triggers(objects, SCALED_OBJECT.kind):
        keys = [key for key in trigger.metadata if key.endswith(_SUFFIX)]
        if not keys or reach(trigger.body, "authenticationRef", "name"):  # the authentication can set the parameter
            continue
        pod = scaled_pods(trigger.item, objects)
        if not pod or pod.item.identity.name in patched.get(pod.item.identity.kind, ()):
            continue  # a patch may add the variable
        source = reach(trigger.item.body, *TARGET, "envSourceContainerName") or ""
        for key in keys:
            fault = _fault(pod, source, trigger.metadata[key])
            if fault:
                yield Finding(trigger.item, trigger.place(key), *fault)


def _fault(pod: Pod, source: str, name: str) -> Problem | None:
    containers = [container for container in pod.spec.get("containers") or () if container]
    # Without envSourceContainerName, KEDA reads the first container.
    read = next((container for container in containers if source in ("", container.get("name"))), None)
    # envFrom can have any variable.
    if not read or not name or is_template(name) or read.get("envFrom"):
        return None
    variable = _variables(read).get(name)
    if variable is None:
        other = next((container for container in containers if name in _variables(container)), None)
        message = f"container '{read.get('name')}' has no environment variable {name}"
        if other:
            return Problem(message, f"add envSourceContainerName: {other.get('name')} to scaleTargetRef")
        return Problem(message, "use a variable of the container's env, or a TriggerAuthentication")
    if any(key in (variable.get("valueFrom") or {}) for key in _OF_POD):
        return Problem(f"{name} comes from a field of the pod, which KEDA cannot read", "use a variable with a value")
    return None


def _variables(container: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {str(variable.get("name")): variable for variable in container.get("env") or () if variable}


RULE = Rule(
    code="KED035",
    name="unknown-trigger-variable",
    severity=Severity.WARNING,
    summary="A trigger reads a value from an environment variable that the scaled container does not have.",
    help="Keys that end in FromEnv name a variable of the first container, or of the container in "
    "envSourceContainerName. KEDA reads the value from the pod template. A missing variable, or a field of the pod, "
    "has no value there.",
    sources=(
        "https://github.com/apache/airflow/issues/44798",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scaling/resolver/scale_resolvers.go",
        "https://github.com/kedacore/keda/issues/2045",
        "https://github.com/kedacore/keda/issues/319",
    ),
    check=_check,
)
