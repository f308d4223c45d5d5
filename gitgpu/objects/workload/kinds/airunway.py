"""The ModelDeployment of AI Runway: controller/api/v1alpha1 of kaito-project/airunway at 3f186351b767.

The provider that it selects, such as KAITO or Dynamo, creates the pods: only faults in single values are reported.
"""

from collections.abc import Iterator
from functools import partial

from gitgpu.access import mapping_at, text_at
from gitgpu.model.names.kinds import MODEL_DEPLOYMENT
from gitgpu.model.names.resources import NVIDIA_GPU
from gitgpu.objects.workload.shape import (
    AFFINITY,
    CAPABILITIES,
    CLAIMS,
    PRIORITY,
    SCHEDULER,
    Groups,
    Shape,
    nest,
)
from gitgpu.objects.workload.structure import COUNT, Structure
from gitgpu.objects.workload.template import Body, Count, Template, WorkloadKind, exactly, pod_spec, whole
from gitgpu.source import Pointer

_ROLES = ("prefill", "decode")  # of a disaggregated deployment


def _templates(body: Body) -> Iterator[Template]:
    """The pods of the server, or of each role."""
    scaling = mapping_at(body, "spec", "scaling")
    roles = [role for role in _ROLES if role in scaling]
    for role in roles:
        yield from _pods(body, ("spec", "scaling", role), mapping_at(scaling, role))
    if not roles:
        yield from _pods(body, ("spec", "resources"), scaling)


def _pods(body: Body, at: Pointer, counts: Body) -> Iterator[Template]:
    spec = mapping_at(body, "spec")
    resources = mapping_at(body, *at)
    gpu = mapping_at(resources, "gpu")
    device = text_at(gpu, "type") or NVIDIA_GPU
    limits = {key: resources[key] for key in ("cpu", "memory") if key in resources}
    limits |= {device: gpu["count"]} if "count" in gpu else {}
    placed = {key: spec[key] for key in ("nodeSelector", "tolerations") if key in spec}
    container = {"name": "server", "resources": {"limits": limits}}
    limits_place = (*at, "containers", 0, "resources", "limits")
    moves = (
        ((*limits_place, device), (*at, "gpu", "type" if "type" in gpu else "count")),
        (limits_place, at),
        *(((*at, key), ("spec", key)) for key in placed),
    )
    pods = {**placed, "containers": [container]}
    for template in pod_spec(pods, at, partial(_replicas, counts)):
        yield template._replace(moves=(*moves, *template.moves), partial=True)


def _replicas(counts: Body) -> Count:
    return exactly(whole(counts, "replicas", 1))


def _gpus(group: str, _: str, container: Body) -> Body:
    [(device, amount)] = container["resources"]["limits"].items()
    at = ("spec", "scaling", group) if group in _ROLES else ("spec", "resources")
    placed: Body = nest((*at, "gpu"), {"type": device, "count": int(amount)})
    return placed


_SHAPE = Shape(
    "airunway.ai/v1alpha1",
    lambda _: ("spec",),
    Groups(("server", *_ROLES), "server"),
    queue_at=lambda _: ("spec", "podTemplate", "metadata", "labels"),
    written=_gpus,
    lacks=frozenset((AFFINITY, CLAIMS, PRIORITY, SCHEDULER, CAPABILITIES)),
)
_GPUS: Structure = {"gpu": {"count": COUNT}, "replicas": COUNT}
_STRUCTURE: Structure = {"resources": _GPUS, "scaling": {"replicas": COUNT, **dict.fromkeys(_ROLES, _GPUS)}}
KINDS = (WorkloadKind(*MODEL_DEPLOYMENT, _templates, structure=_STRUCTURE, shape=_SHAPE, adds_images=True),)
