"""A scaler whose workload does not exist."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import INFERENCE_SET
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.objects import Identity, Item, Objects
from gitgpu.objects.workload.autoscalers import TARGET, Target, autoscalers, scaled_objects, target
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for item in (*scaled_objects(objects), *autoscalers(objects)):
        scale_target = target(item)
        if not scale_target.name or is_template(scale_target.name) or _exists(scale_target, objects):
            continue
        elsewhere = _elsewhere(scale_target, objects)
        if elsewhere or _all_known(scale_target, objects):
            message = f"{scale_target.kind} '{scale_target.name}' does not exist" + _where(item) + elsewhere
            remedy = "use a workload in the namespace of the scaler, with its apiVersion and kind"
            yield Finding(item, (*TARGET, "name"), message, remedy)


def _exists(scale_target: Target, objects: Objects) -> bool:
    # An object without a namespace gets one when it is applied, perhaps this one.
    spaces = ("", scale_target.namespace)
    namesakes = objects.identities(scale_target.group, scale_target.kind, scale_target.name)
    return any(not scale_target.namespace or other.namespace in spaces for other in namesakes)


def _elsewhere(scale_target: Target, objects: Objects) -> str:
    """The same workload in another namespace, or a workload of another kind with the same name."""
    if not scale_target.namespace:
        return ""
    alike = objects.once("workloads by name", lambda: _workloads_by_name(objects))
    for other in alike.get(scale_target.name, ()):
        if (other.group, other.kind) == (scale_target.group, scale_target.kind) and other.namespace:
            return f"; an object with that name is in namespace {other.namespace}"
        if other.namespace == scale_target.namespace:
            return f"; the workload of that name has kind {other.kind}"
    return ""


def _workloads_by_name(objects: Objects) -> dict[str, list[Identity]]:
    by_name: dict[str, list[Identity]] = {}
    for other in sorted(filter(_workload, objects.present)):
        by_name.setdefault(other.name, []).append(other)
    return by_name


def _workload(other: Identity) -> bool:
    return other.group == "apps" or (other.group, other.kind) == INFERENCE_SET


def _all_known(scale_target: Target, objects: Objects) -> bool:
    """Whether all workloads of the namespace are among the objects, and none is in a chart or another source."""
    is_in_chart = any(release.namespace in ("", scale_target.namespace) for release in releases(objects))
    # What a Kustomization of Flux or an Application applies is either among the objects, or its kinds are not known.
    if not objects.closed or is_in_chart or not objects.knows(scale_target.group, scale_target.kind):
        return False
    # By group, kind and namespace: without any workload of this kind, workloads are in other files.
    return scale_target[:3] in objects.once(
        "kinds by namespace", lambda: frozenset(other[:3] for other in objects.present)
    )


def _where(item: Item) -> str:
    return f" in namespace {item.identity.namespace}" if item.identity.namespace else ""


RULE = Rule(
    code="KED022",
    name="missing-scale-target",
    severity=Severity.ERROR,
    summary="A ScaledObject or HorizontalPodAutoscaler targets a workload that is not in its namespace.",
    help="A scaler acts in its own namespace and on one kind. It is not Ready until the workload exists. The default "
    "kind of a ScaledObject is Deployment.",
    sources=(
        "https://keda.sh/docs/2.18/reference/scaledobject-spec/",
        "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/",
    ),
    check=_check,
)
