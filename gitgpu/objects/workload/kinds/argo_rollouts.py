"""The Rollout of Argo Rollouts, which has the pod template of a Deployment or refers to one.

utils/defaults/defaults.go of argoproj/argo-rollouts at 030553262874.
"""

from collections.abc import Iterator

from gitgpu.model.names.kinds import ROLLOUT
from gitgpu.objects.workload.shape import Path, Shape, of_template
from gitgpu.objects.workload.structure import COUNT
from gitgpu.objects.workload.template import Body, Template, WorkloadKind, replicas_of, template_at


def _templates(body: Body) -> Iterator[Template]:
    return template_at(body, ("spec", "template"), lambda: replicas_of(body))


def _labels(_: str) -> Path:
    return "spec", "template", "metadata", "labels"


_SHAPE = Shape("argoproj.io/v1alpha1", of_template("spec", "template"), scales=True, queue_at=_labels)
KINDS = (WorkloadKind(*ROLLOUT, _templates, shape=_SHAPE, structure={"replicas": COUNT, "template": {}}),)
