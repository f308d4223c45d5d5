"""The training jobs and notebooks of Kubeflow.

pkg/apis/kubeflow.org/v1 of kubeflow/training-operator at 186ac6c6c878; pkg/apis/kubeflow/v2beta1/default.go of
kubeflow/mpi-operator at 0b32af39c362, and pkg/controller of caa3c47fc42e;
components/notebook-controller/controllers/notebook_controller.go of kubeflow/kubeflow at bb27fe058dac.
"""

from collections.abc import Iterator
from functools import partial

from gitgpu.access import mapping_at
from gitgpu.model.names.annotations import STOPPED_NOTEBOOK_ANNOTATION
from gitgpu.model.names.kinds import (
    JAX_JOB,
    MPI_JOB,
    MX_JOB,
    NOTEBOOK,
    PADDLE_JOB,
    PYTORCH_JOB,
    TF_JOB,
    XGBOOST_JOB,
    GroupKind,
)
from gitgpu.objects.workload.queueing import ANNOTATIONS, Gang, Integration, Suspend
from gitgpu.objects.workload.shape import Groups, Path, Shape, of_template
from gitgpu.objects.workload.structure import COUNT, EACH, Structure
from gitgpu.objects.workload.template import Body, Count, Template, WorkloadKind, template_at, whole, with_labels_of

_OF_MPI = "mpiReplicaSpecs"
_ADDED = frozenset({"mpi-job-config", "ssh-auth"})  # volumes of the pods of an MPIJob
_REPLICAS = "ReplicaSpecs"  # the end of the key: pytorchReplicaSpecs, mpiReplicaSpecs


def _training_job(body: Body) -> Iterator[Template]:
    """The replicas of each role."""
    spec = mapping_at(body, "spec")
    for key in spec:
        if key.endswith(_REPLICAS):
            for role, replicas in mapping_at(spec, key).items():
                place = ("spec", key, role, "template")
                for template in template_at(body, place, partial(_pods, spec, role, replicas)):
                    yield template._replace(volumes=_ADDED if key == _OF_MPI else frozenset())


def _pods(spec: Body, role: str, replicas: Body) -> Count:
    """The pods of a role. The workers of an elastic PyTorchJob are between two bounds."""
    count = whole(replicas, "replicas", 0 if role == "Worker" and _OF_MPI in spec else 1)
    elastic = mapping_at(spec, "elasticPolicy") if role == "Worker" else {}
    return Count(whole(elastic, "minReplicas", count), whole(elastic, "maxReplicas", count))


def _notebook(body: Body) -> Iterator[Template]:
    """The pods have the labels of the Notebook, and nothing of the metadata of its template."""
    for template in template_at(body, ("spec", "template")):
        yield with_labels_of(body, template._replace(body={"spec": template.body.get("spec")}))


_SUSPEND = Suspend(("spec", "runPolicy", "suspend"))
# The start of the key of the replicas, and the container that the controller requires ("": any).
_TRAINING_JOBS = {
    JAX_JOB: ("jax", "jax"),
    MPI_JOB: ("mpi", ""),
    PADDLE_JOB: ("paddle", "paddle"),
    PYTORCH_JOB: ("pytorch", "pytorch"),
    TF_JOB: ("tf", "tensorflow"),
    XGBOOST_JOB: ("xgb", "xgboost"),
}


def _shape(job: GroupKind, key: str, container: str) -> Shape:
    def spec_at(group: str) -> Path:
        return "spec", f"{key}{_REPLICAS}", group, "template", "spec"

    version = "v2beta1" if job == MPI_JOB else "v1"
    return Shape(f"{job.group}/{version}", spec_at, Groups(None, "Worker"), container)


def _least(body: Body) -> int | None:
    return whole(mapping_at(body, "spec", "runPolicy", "schedulingPolicy"), "minAvailable", 0) or None


def _structure(key: str) -> Structure:
    bounds = {"minReplicas": COUNT, "maxReplicas": COUNT}
    return {f"{key}{_REPLICAS}": {EACH: {"replicas": COUNT, "template": {}}}, "elasticPolicy": bounds}


_NOTEBOOK = Shape(f"{NOTEBOOK.group}/v1", of_template("spec", "template"))
KINDS = (
    *(
        WorkloadKind(
            *job,
            _training_job,
            True,
            Integration(f"{job.group}/{job.kind.lower()}"),
            _SUSPEND,
            _shape(job, *training),
            _structure(training[0]),
            Gang.OBJECT,
            _least,
        )
        for job, training in _TRAINING_JOBS.items()
    ),
    WorkloadKind(*MX_JOB, _training_job, ends=True, suspend=_SUSPEND, structure=_structure("mx"), works=Gang.OBJECT),
    WorkloadKind(
        *NOTEBOOK,
        _notebook,
        suspend=Suspend((*ANNOTATIONS, STOPPED_NOTEBOOK_ANNOTATION), None),
        shape=_NOTEBOOK,
        structure={"template": {}},
    ),
)
