"""The guard: with its policies, the API server denies pods and claims that keep to no team's pools, or warns about it.

Only what is new is checked: what runs stays. The namespaces of the GPU software, of Kubernetes and of AKS are exempt,
and so are those with the label gitgpu.dev/guard: none.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.guard import PODS, TEMPLATES, validations, variables
from gitgpu.emit.guarded_claims import claim_validations, claim_variables
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.namespaces import VERIFICATION, own
from gitgpu.model.names.groups import ADMISSION_V1, RESOURCE_GROUP
from gitgpu.model.names.kinds import VALIDATING_ADMISSION_POLICY, VALIDATING_ADMISSION_POLICY_BINDING
from gitgpu.model.names.labels import GUARD_LABEL, NAMESPACE_LABEL
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.guard import Guard

_SYSTEM = ("gatekeeper-system", "kube-node-lease", "kube-public", "kube-system")
_WARN = ["Warn", "Audit"]
_POD_RULE = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods"]}
_TEMPLATE_RULES = [
    {"apiGroups": [group], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE"], "resources": resources}
    for group, resources in (("apps", ["deployments", "statefulsets"]), ("batch", ["cronjobs", "jobs"]))
]
_CLAIM_RULE = {
    "apiGroups": [RESOURCE_GROUP],
    "apiVersions": ["v1"],
    "operations": ["CREATE"],
    "resources": ["resourceclaims", "resourceclaimtemplates"],
}
Expressions: TypeAlias = Iterable[tuple[str, str]]


class _Policy(NamedTuple):
    name: str
    rules: list[Body]
    actions: list[str]
    variables: Expressions
    validations: Expressions


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """The policies of a cluster, each with its binding."""
    for policy in _policies(plan.guard) if plan.guard else ():
        body = {
            "apiVersion": ADMISSION_V1,
            "kind": VALIDATING_ADMISSION_POLICY.kind,
            "metadata": {"name": policy.name},
            "spec": {
                "failurePolicy": "Ignore" if policy.actions == _WARN else "Fail",
                "matchConstraints": {"namespaceSelector": _selector(plan), "resourceRules": policy.rules},
                "variables": [{"name": name, "expression": expression} for name, expression in policy.variables],
                "validations": [
                    {"expression": expression, "messageExpression": message, "reason": "Forbidden"}
                    for expression, message in policy.validations
                ],
            },
        }
        binding = {
            "apiVersion": ADMISSION_V1,
            "kind": VALIDATING_ADMISSION_POLICY_BINDING.kind,
            "metadata": {"name": policy.name},
            "spec": {"policyName": policy.name, "validationActions": policy.actions},
        }
        for emitted in (body, binding):
            yield Manifest(plan.cluster.name, Layer.WORKLOADS, emitted, plan.mark)


def _policies(guard: Guard) -> Iterator[_Policy]:
    """One for pods, one that only warns, for objects with a template, whose warnings people see, and one for claims."""
    actions = ["Deny"] if guard.action == "deny" else _WARN
    pods, templates = variables(guard, PODS), variables(guard, TEMPLATES)
    yield _Policy("gpu-teams", [_POD_RULE], actions, pods, validations(guard))
    yield _Policy("gpu-teams-templates", _TEMPLATE_RULES, _WARN, templates, validations(guard))
    if guard.classes:
        yield _Policy("gpu-teams-claims", [_CLAIM_RULE], actions, claim_variables(guard), claim_validations(guard))


def _selector(plan: ClusterPlan) -> Body:
    exempt = sorted({*own(plan), *_SYSTEM, plan.cluster.delivery.namespace, VERIFICATION})
    return {
        "matchExpressions": [
            {"key": NAMESPACE_LABEL, "operator": "NotIn", "values": exempt},
            {"key": GUARD_LABEL, "operator": "NotIn", "values": ["none"]},
        ]
    }


EMITTER = Emitter(VALIDATING_ADMISSION_POLICY.kind, emit)
