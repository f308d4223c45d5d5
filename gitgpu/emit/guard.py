"""The expressions of the guard, in CEL: https://kubernetes.io/docs/reference/using-api/cel/.

A pod breaks it only by what is written in it. Where a fact is missing, such as the size of a node, it passes.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gitgpu.emit.cel import join_literals, mapping, text, texts
from gitgpu.model.names.labels import QUEUE_LABEL
from gitgpu.plan.decided.guard import Guard, GuardedPool

_PODSET = "kueue.x-k8s.io/podset"  # Kueue's label on pods of a job that it has admitted


class Checked(NamedTuple):
    """The objects of a policy: the spec of their pods, what has labels with a queue, and how a message names that.

    `owner` is what has the template of the pods.
    """

    spec: str
    metadata: tuple[str, ...]
    labelled: str
    owner: str = ""


PODS = Checked("object.spec", ("object.metadata",), "'the workload'")
# A CronJob has the template of a Job, with the labels of that Job.
TEMPLATES = Checked(
    "variables.owner.spec.template.spec",
    ("variables.owner.?metadata", "variables.owner.spec.template.?metadata"),
    "object.kind == 'CronJob' ? 'its spec.jobTemplate' : 'the workload'",
    "object.kind == 'CronJob' ? dyn(object).spec.jobTemplate : dyn(object)",
)


def variables(guard: Guard, checked: Checked) -> Iterator[tuple[str, str]]:
    """The names and expressions of what the validations read, each after those that it uses."""
    if checked.owner:
        yield "owner", checked.owner
    yield "spec", checked.spec
    yield "containers", "variables.spec.containers + variables.spec.?initContainers.orValue([])"
    yield "running", _RUNNING
    yield "selector", "variables.spec.?nodeSelector.orValue({})"
    yield "tolerations", "variables.spec.?tolerations.orValue([])"
    yield "terms", _TERMS
    yield from teams(guard)
    yield "labelsOf", mapping({pool.name: texts(pool.labels) for pool in guard.pools})
    yield "valueOf", mapping({pool.name: text(pool.value) for pool in guard.pools})
    yield "labels", texts(guard.labels)
    yield "taintsOf", mapping({pool.name: _taints(pool) for pool in guard.pools})
    yield "amountsOf", mapping({pool.name: number_map(pool.amounts) for pool in guard.pools})
    yield "others", "variables.pools.filter(name, !(name in variables.own))"
    # An empty list has no type, and the API server refuses what compares it.
    if guard.resources:
        yield "asked", _asked(guard)
    yield "gpus", " || ".join(_requests(guard))
    yield "queued", " || ".join(_labelled(place) for place in checked.metadata)
    yield "labelled", checked.labelled
    yield "daemon", "object.metadata.?ownerReferences.orValue([]).exists(owner, owner.kind == 'DaemonSet')"


def teams(guard: Guard) -> Iterator[tuple[str, str]]:
    """The team of the namespace, and the pools that it has a quota of."""
    yield "teams", mapping({name: text(team) for name, team in guard.teams.items()})
    yield "team", "request.namespace in variables.teams ? variables.teams[request.namespace] : ''"
    yield "pools", texts(pool.name for pool in guard.pools)
    yield "teamsOf", mapping({pool.name: texts(pool.teams) for pool in guard.pools})
    yield "own", "variables.pools.filter(name, variables.team in variables.teamsOf[name])"


def validations(guard: Guard) -> Iterator[tuple[str, str]]:
    """The expressions that must be true, and those of the messages if they are not."""
    yield HAS_TEAM, no_team(guard)
    yield _SELECTS_OWN, _NO_QUOTA
    if guard.queued:
        yield f"{_OF_TEAM} || variables.queued", _NO_QUEUE
    else:
        yield f"{_OF_TEAM} || !variables.others.exists(name, {_REACHES})", _SELECT
    if guard.resources:
        yield f"{_OF_TEAM} || variables.asked.all(resource, variables.own.exists(name, {_FITS}))", _TOO_MANY


HAS_TEAM = "!variables.gpus || variables.team != ''"
_OF_TEAM = "!variables.gpus || variables.team == ''"  # one message is enough for a pod without a team
_TERMS = (
    "variables.spec.?affinity.?nodeAffinity.?requiredDuringSchedulingIgnoredDuringExecution"
    ".?nodeSelectorTerms.orValue([])"
)
# Sidecars are init containers that go on running.
_RUNNING = (
    "variables.spec.containers + variables.spec.?initContainers.orValue([])"
    ".filter(container, container.?restartPolicy.orValue('') == 'Always')"
)
_AMOUNT = "quantity(container.?resources.?limits[?resource].orValue('0')).asInteger()"
# Also pods without GPUs keep off the nodes of other teams. Those of DaemonSets are for all nodes.
_SELECTS_OWN = (
    "variables.daemon || !(variables.others.exists(name, variables.labelsOf[name].exists(label,"
    " variables.selector[?label].orValue('') == variables.valueOf[name]))"
    "\n|| (size(variables.terms) > 0 && variables.terms.all(term, term.?matchExpressions.orValue([]).exists(entry,"
    " entry.operator == 'In' && entry.values.all(value, variables.others.exists(name,"
    " entry.key in variables.labelsOf[name] && value == variables.valueOf[name]))))))"
)
_NO_QUOTA = (
    "'the pod selects nodes of a pool that ' + (variables.team == '' ? 'its namespace' : 'team ' + variables.team)"
    " + ' has no quota of: ' + (size(variables.own) > 0 ? 'select one of [' + variables.own.join(', ') + '], or ' : '')"
    " + 'add the pool to the quota of a team'"
)
_NO_QUEUE = (
    f"'pods with GPUs need a queue: set the label {QUEUE_LABEL}: ' + variables.team + ' on ' + variables.labelled"
)
# Whether a node has what the pod requests: containers run at the same time, and init containers one after the other.
_FITS = (
    f"variables.running.map(container, {_AMOUNT}).sum() <= variables.amountsOf[name][?resource].orValue(0)"
    f"\n&& variables.containers.all(container, {_AMOUNT} <= variables.amountsOf[name][?resource].orValue(0))"
)
# Whether the nodes of a pool could take the pod, by its node selector, its affinity and its tolerations.
_SELECTED = (
    "variables.labels.all(label, !(label in variables.selector)"
    " || (label in variables.labelsOf[name] && variables.selector[label] == variables.valueOf[name]))"
)
_AGREES = (
    "(size(variables.terms) == 0 || variables.terms.exists(term, term.?matchExpressions.orValue([]).all(entry,"
    " !(entry.key in variables.labels)"
    " || (entry.operator == 'In' && entry.key in variables.labelsOf[name] && variables.valueOf[name] in entry.values)"
    " || (entry.operator == 'NotIn' && !(entry.key in variables.labelsOf[name]"
    " && variables.valueOf[name] in entry.values))"
    " || (entry.operator == 'Exists' && entry.key in variables.labelsOf[name])"
    " || (entry.operator == 'DoesNotExist' && !(entry.key in variables.labelsOf[name])))))"
)
# With nodeName, no scheduler looks at taints.
_TOLERATED = (
    "(variables.spec.?nodeName.orValue('') != ''"
    " || variables.taintsOf[name].all(taint, variables.tolerations.exists(toleration,"
    " (toleration.?effect.orValue('') == '' || toleration.effect == taint.effect)"
    " && (toleration.?key.orValue('') == '' || toleration.key == taint.key)"
    " && (toleration.?operator.orValue('Equal') == 'Exists'"
    " || (toleration.?key.orValue('') != '' && toleration.?value.orValue('') == taint.value)))))"
)
_REACHES = f"{_SELECTED}\n&& {_AGREES}\n&& {_TOLERATED}"
_SELECT = (
    "'the pod could run on nodes of other teams: set a nodeSelector for one of ['"
    " + variables.own.map(name, variables.labelsOf[name][0] + ': ' + variables.valueOf[name]).join(', ') + ']'"
)
_TOO_MANY = (
    "'no node of team ' + variables.team + ' has so many ' + variables.asked.join(', ')"
    " + ': its pools are [' + variables.own.join(', ') + ']; request fewer for each pod, or use more pods'"
)


def _asked(guard: Guard) -> str:
    """The resources of GPUs that a pod requests; the API server refuses a request without an equal limit."""
    return f"{texts(guard.resources)}.filter(resource, variables.containers.exists(container, {_AMOUNT} > 0))"


def _requests(guard: Guard) -> Iterator[str]:
    """How pods request GPUs."""
    if guard.resources:
        yield "size(variables.asked) > 0"
    if guard.classes:
        yield "size(variables.spec.?resourceClaims.orValue([])) > 0"


def _labelled(metadata: str) -> str:
    labels = f"{metadata}.?labels.orValue({{}})"
    return f"{labels}[?{text(QUEUE_LABEL)}].orValue('') != '' || {text(_PODSET)} in {labels}"


def no_team(guard: Guard) -> str:
    """The message for GPUs in a namespace without a team."""
    named = ", ".join(f"{namespace} (team {team})" for namespace, team in guard.teams.items())
    where = f"the namespaces with a team are {named}" if named else "no namespace has a team"
    return f"'namespace ' + request.namespace + {text(f' has no team, and GPUs are for teams: {where}')}"


def _taints(pool: GuardedPool) -> str:
    return join_literals(
        (
            mapping({"key": text(key), "value": text(value), "effect": text(effect)})
            for key, value, effect in pool.taints
            if effect != "PreferNoSchedule"
        ),
        "[]",
    )


def number_map(amounts: Mapping[str, int]) -> str:
    """A map from names to numbers."""
    return mapping({name: str(amount) for name, amount in sorted(amounts.items())})
