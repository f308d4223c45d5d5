"""A pod template of an object, and the helpers of the modules that know where a kind has its templates."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from gitgpu.access import MAPPING, mapping_at, reach, text_at
from gitgpu.objects.workload.queueing import LABELS, Gang, Integration, Suspend
from gitgpu.objects.workload.shape import Moves, Shape
from gitgpu.objects.workload.structure import Structure
from gitgpu.source import Pointer

Body: TypeAlias = Mapping[str, Any]

# The fields of a pod spec, for kinds that mix the fields of a pod spec with their own.
_POD_SPEC = frozenset(
    """activeDeadlineSeconds affinity automountServiceAccountToken containers dnsConfig dnsPolicy enableServiceLinks
    ephemeralContainers hostAliases hostIPC hostNetwork hostPID hostUsers hostname hostnameOverride imagePullSecrets
    initContainers nodeName nodeSelector os overhead preemptionPolicy priority priorityClassName readinessGates
    resourceClaims resources restartPolicy runtimeClassName schedulerName schedulingGates securityContext serviceAccount
    serviceAccountName setHostnameAsFQDN shareProcessNamespace subdomain terminationGracePeriodSeconds tolerations
    topologySpreadConstraints volumes""".split()  # noqa: SIM905  readable
)


class Count(NamedTuple):
    """The fewest and most pods; if they are not `bounded`, there can be more than the object says.

    An autoscaler sets replicas, and each has `size` of these pods.
    """

    low: int = 1
    high: int = 1
    size: int = 1
    bounded: bool = True


Counted: TypeAlias = Callable[[], Count]


class Template(NamedTuple):
    """A pod template: its place, its content, the place of the spec of its pods, and a function that counts them.

    `body` has the metadata and the spec of the pods. For most kinds, the place of the spec is in the template. The
    pods are counted when asked, because rules read templates of objects whose number of replicas is not valid.
    Another object, such as a runtime or a job that refers to one, adds to a `partial` template.
    `moves` are for kinds without pod templates: where fields of their pods are written. If the controller
    `adds_volumes`, containers can mount others than those of the object; if it always gives them the same names, these
    are `volumes`.
    """

    pointer: Pointer
    body: Body
    spec_at: Pointer
    counted: Counted
    partial: bool = False
    moves: Moves = ()
    adds_volumes: bool = False
    volumes: frozenset[str] = frozenset()

    @property
    def labels(self) -> Mapping[str, Any]:
        """The labels of the pods."""
        return mapping_at(self.body, "metadata", "labels")

    @property
    def metadata_at(self) -> Pointer:
        """The place of the metadata of the pods, next to their spec. `moves` say where it is written, if elsewhere."""
        return (*self.spec_at[:-1], "metadata")


def always(_: Body) -> bool:
    """Whether the pods of an object work together, of a kind whose pods always do."""
    return True


def no_minimum(_: Body) -> int | None:
    """The fewest pods that a scheduler starts together, of a kind that does not say so."""
    return None


class WorkloadKind(NamedTuple):
    """A kind whose controller creates pods: its group, its name, and its templates by the content of an object.

    The pods of one that `ends` run to completion. Kinds with an `integration` are queued by Kueue as a whole,
    and kinds with a `shape` can be patched; `others` are the shapes of other versions. `structure` has the types of
    values in the spec of kinds without a schema.
    `works` says which pods must all run before one of them is of use, if that is so `together` in an object, and
    `least` how many of those of an object its scheduler starts together, if the object says so. With `gang_label` on
    the object, all its pods start together. A controller that `adds_images` has them from elsewhere if a container has
    none.
    """

    group: str
    kind: str
    templates: Callable[[Body], Iterator[Template]]
    ends: bool = False
    integration: Integration | None = None
    suspend: Suspend | None = None
    shape: Shape | None = None
    structure: Structure = MappingProxyType({})
    works: Gang = Gang.POD
    least: Callable[[Body], int | None] = no_minimum
    others: tuple[Shape, ...] = ()
    gang_label: str = ""
    together: Callable[[Body], bool] = always
    adds_images: bool = False

    def gang_in(self, body: Body) -> Gang:
        """Which pods of an object must all run before one of them is of use."""
        return self.works if self.together(body) else Gang.POD


def template_at(body: Body, at: Pointer, count: Counted = Count) -> Iterator[Template]:
    """The pod template at a place, if there is one."""
    template = reach(body, *at)
    if isinstance(template, MAPPING) and template:
        yield Template(at, template, (*at, "spec"), count)


def pod_spec(written: Any, at: Pointer, count: Counted = Count) -> Iterator[Template]:
    """The pods of a mapping with the fields of a pod spec, of the metadata of pods, and others of its kind.

    The controller names containers without a name.
    """
    if not isinstance(written, MAPPING):
        return
    spec = {key: value for key, value in written.items() if key in _POD_SPEC}
    if isinstance(spec.get("containers"), list):
        spec["containers"] = named_containers(spec["containers"], "main")
        metadata = {key: written[key] for key in ("labels", "annotations") if key in written}
        template = {"metadata": metadata, "spec": spec}
        yield Template(at, template, at, count, moves=(((*at[:-1], "metadata"), at),))


def with_labels_of(body: Body, template: Template) -> Template:
    """The template of an object whose controller gives its own labels to its pods as well."""
    metadata = mapping_at(template.body, "metadata")
    above, own = mapping_at(body, *LABELS), mapping_at(metadata, "labels")
    added = [((*template.metadata_at, "labels", key), (*LABELS, key)) for key in above if key not in own]
    content = {**template.body, "metadata": {**metadata, "labels": {**above, **own}}}
    return template._replace(body=content, moves=(*template.moves, *added))


def named_containers(containers: Sequence[Any], name: str) -> list[Any]:
    """The containers. Those without a name get this one, with a number if others have it."""
    taken = {text_at(each, "name") for each in containers if isinstance(each, MAPPING)}
    numbered = (f"{name}-{number}" for number in range(2, len(containers) + 2))
    free = (each for each in (name, *numbered) if each not in taken)
    return [
        {**each, "name": next(free)} if isinstance(each, MAPPING) and not each.get("name") else each
        for each in containers
    ]


def exactly(pods: int) -> Count:
    """A number of pods that no autoscaler of the kind itself changes."""
    return Count(pods, pods)


def replicas_of(body: Body) -> Count:
    """The replicas in the spec of an object; one if it has none."""
    return exactly(whole(mapping_at(body, "spec"), "replicas", 1))


def whole(value: Any, key: str, default: int) -> int:
    """The whole number of a key; the default if there is none."""
    number = reach(value, key)
    return number if isinstance(number, int) and not isinstance(number, bool) else default


def job_pods(spec: Body) -> int:
    """How many pods of a Job run at the same time."""
    at_once = whole(spec, "parallelism", 1)
    return min(at_once, whole(spec, "completions", at_once))
