"""The guard: with its policies, the API server denies pods that keep to no team's pools, or warns about them.

Only new pods are checked: what runs stays. The namespaces of the GPU software, of Kubernetes and of AKS are exempt, and
so are those with the label gitgpu.dev/guard: none.
"""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.guard import PODS, TEMPLATES, Checked, validations, variables
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.namespaces import VERIFICATION, own
from gitgpu.model.names.groups import ADMISSION_V1
from gitgpu.model.names.kinds import VALIDATING_ADMISSION_POLICY, VALIDATING_ADMISSION_POLICY_BINDING
from gitgpu.model.names.labels import GUARD_LABEL, NAMESPACE_LABEL
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.guard import Guard

_SYSTEM = ("gatekeeper-system", "kube-node-lease", "kube-public", "kube-system")
_WARN = ["Warn", "Audit"]
_POD_RULE = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods"]}
_TEMPLATE_RULES = [
    {"apiGroups": [group], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE"], "resources": resources}
    for group, resources in (("apps", ["deployments", "statefulsets"]), ("batch", ["jobs"]))
]


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """A policy for pods, and one that only warns, for objects with a template: a person sees its warnings."""
    guard = plan.guard
    if guard is None:
        return
    action = ["Deny"] if guard.action == "deny" else _WARN
    pods = ("gpu-teams", PODS, [_POD_RULE], action)
    templates = ("gpu-teams-templates", TEMPLATES, _TEMPLATE_RULES, _WARN)
    for name, checked, rules, actions in (pods, templates):
        policy = {
            "apiVersion": ADMISSION_V1,
            "kind": VALIDATING_ADMISSION_POLICY.kind,
            "metadata": {"name": name},
            "spec": {
                "failurePolicy": "Fail" if actions == ["Deny"] else "Ignore",
                "matchConstraints": {"namespaceSelector": _selector(plan), "resourceRules": rules},
                **_expressions(guard, checked),
            },
        }
        binding = {
            "apiVersion": ADMISSION_V1,
            "kind": VALIDATING_ADMISSION_POLICY_BINDING.kind,
            "metadata": {"name": name},
            "spec": {"policyName": name, "validationActions": actions},
        }
        for body in (policy, binding):
            yield Manifest(plan.cluster.name, Layer.WORKLOADS, body, plan.mark)


def _expressions(guard: Guard, checked: Checked) -> Body:
    return {
        "variables": [{"name": name, "expression": expression} for name, expression in variables(guard, checked)],
        "validations": [
            {"expression": expression, "messageExpression": message, "reason": "Forbidden"}
            for expression, message in validations(guard)
        ],
    }


def _selector(plan: ClusterPlan) -> Body:
    exempt = sorted({*own(plan), *_SYSTEM, plan.cluster.delivery.namespace, VERIFICATION})
    return {
        "matchExpressions": [
            {"key": NAMESPACE_LABEL, "operator": "NotIn", "values": exempt},
            {"key": GUARD_LABEL, "operator": "NotIn", "values": ["none"]},
        ]
    }


EMITTER = Emitter(VALIDATING_ADMISSION_POLICY.kind, emit)
