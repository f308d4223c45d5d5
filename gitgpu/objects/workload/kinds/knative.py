"""The Service of Knative, whose pods are created from the template of its revisions.

The defaults are in pkg/autoscaler/config/config.go of knative/serving at 01e2d3809503; containers without a name are
numbered as in pkg/apis/serving/v1/revision_defaults.go.
"""

from collections.abc import Iterator
from typing import Any

from gitgpu.access import MAPPING, mapping_at
from gitgpu.model.names.kinds import KNATIVE_SERVICE
from gitgpu.objects.workload.shape import Shape, of_template
from gitgpu.objects.workload.structure import METADATA, Structure
from gitgpu.objects.workload.template import Body, Count, Template, WorkloadKind, pod_spec

_PORT = 8080
_BY_PORT = ("httpGet", "tcpSocket")
_REVISION = ("spec", "template")


def _templates(body: Body) -> Iterator[Template]:
    revision = mapping_at(body, *_REVISION)
    metadata = mapping_at(revision, "metadata")
    place = (*_REVISION, "spec")
    for template in pod_spec(revision.get("spec"), place, lambda: _pods(mapping_at(metadata, "annotations"))):
        spec = template.body["spec"]
        containers = list(map(_probed, spec["containers"]))
        yield template._replace(
            pointer=_REVISION, body={"metadata": metadata, "spec": {**spec, "containers": containers}}
        )


def _probed(container: Any) -> Any:
    """A container with the ports of its probes: rewriteUserLivenessProbe in pkg/reconciler/revision/resources."""
    if not isinstance(container, MAPPING):
        return container
    probes = {
        key: {**probe, **{by: {"port": _PORT, **probe[by]} for by in _BY_PORT if isinstance(probe.get(by), MAPPING)}}
        for key, probe in container.items()
        if key.endswith("Probe") and isinstance(probe, MAPPING)
    }
    return {**container, **probes}


def _pods(annotations: Body) -> Count:
    """Without min-scale, a revision starts with one pod, and can have none."""
    low, high = (_number(annotations.get(f"autoscaling.knative.dev/{key}-scale")) for key in ("min", "max"))
    return Count(low, max(high, low, 1), bounded=high > 0)


def _number(written: object) -> int:
    return int(written) if isinstance(written, str) and written.isdecimal() else 0


_SHAPE = Shape("serving.knative.dev/v1", of_template(*_REVISION), queue_at=lambda _: (*_REVISION, "metadata", "labels"))
_STRUCTURE: Structure = {"template": {"metadata": METADATA, "spec": {"containers": []}}}
KINDS = (WorkloadKind(*KNATIVE_SERVICE, _templates, structure=_STRUCTURE, shape=_SHAPE),)
