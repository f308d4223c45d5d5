"""A trigger that reads a variable which the container does not have."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.autoscalers import TARGET, scaled_pods, triggers
from gitgpu.conform.workload.pods import Pod
from gitgpu.diagnostic import Severity
from gitgpu.model.templates import is_template

_SUFFIX = "FromEnv"
_OF_POD = ("fieldRef", "resourceFieldRef")


def _check(objects: Objects) -> Iterator[Finding]:
    patched = {kind: objects.patched("apps", kind) for kind in ("Deployment", "StatefulSet")}
    for one in triggers(objects, "ScaledObject"):
        keys = [key for key in one.metadata if key.endswith(_SUFFIX)]
        pod = scaled_pods(one.item, objects) if keys and not reach(one.body, "authenticationRef", "name") else None
        if not pod or pod.item.identity.name in patched.get(pod.item.identity.kind, ()):
            continue
        source = reach(one.item.body, *TARGET, "envSourceContainerName") or ""
        for key in keys:
            fault = _fault(pod, source, one.metadata[key])
            if fault:
                yield Finding(one.item, one.place(key), *fault)


def _fault(pod: Pod, source: str, name: str) -> tuple[str, str] | None:
    containers = [one for one in pod.spec.get("containers") or () if one]
    asked = next((one for one in containers if source in ("", one.get("name"))), None)
    if not asked or not name or is_template(name) or asked.get("envFrom"):
        return None
    found = _variables(asked).get(name)
    if found is None:
        other = next((one for one in containers if name in _variables(one)), None)
        message = f"container '{asked.get('name')}' has no variable {name} that KEDA could read"
        if other:
            return message, f"add envSourceContainerName: {other.get('name')} to scaleTargetRef"
        return message, "name a variable of the container's env, or use a TriggerAuthentication"
    if any(key in (found.get("valueFrom") or {}) for key in _OF_POD):
        return f"{name} is a field of each pod, which KEDA does not read", "name a variable with a value of its own"
    return None


def _variables(container: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {str(one.get("name")): one for one in container.get("env") or () if one}


RULE = Rule(
    code="KED035",
    name="trigger-value-that-no-container-has",
    severity=Severity.WARNING,
    summary="A trigger takes a value from an environment variable that the scaled container does not have.",
    help="Keys that end in FromEnv name a variable of the first container, or of the one in envSourceContainerName. "
    "KEDA reads its value from the pod template; a variable that is not there, or that each pod fills in, has none.",
    sources=(
        "https://github.com/apache/airflow/issues/44798",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scaling/resolver/scale_resolvers.go",
        "https://github.com/kedacore/keda/issues/2045",
        "https://github.com/kedacore/keda/issues/319",
    ),
    check=_check,
    bad="""
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, namespace: serving}
spec:
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      containers:
      - {name: proxy, image: "registry.contoso.com/proxy:1.4.0"}
      - name: main
        image: registry.contoso.com/chat:1.4.0
        env: [{name: BUS, valueFrom: {secretKeyRef: {name: bus, key: connection}}}]
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  triggers: [{type: azure-servicebus, metadata: {queueName: prompts, connectionFromEnv: BUS}}]
""",
    good="""
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, namespace: serving}
spec:
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      containers:
      - {name: proxy, image: "registry.contoso.com/proxy:1.4.0"}
      - name: main
        image: registry.contoso.com/chat:1.4.0
        env: [{name: BUS, valueFrom: {secretKeyRef: {name: bus, key: connection}}}]
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat, envSourceContainerName: main}
  triggers: [{type: azure-servicebus, metadata: {queueName: prompts, connectionFromEnv: BUS}}]
""",
)
