"""The expressions of the guard about ResourceClaims and their templates: their GPUs are written in them, not in pods.

The fields are those of resource.k8s.io/v1. A claim is allocated on one node.
"""

from collections.abc import Iterator

from gitgpu.emit.cel import mapping, texts
from gitgpu.emit.guard import HAS_TEAM, no_team, number_map, teams
from gitgpu.plan.decided.guard import Guard

_SPEC = "object.kind == 'ResourceClaimTemplate' ? dyn(object).spec.spec : dyn(object).spec"
_ANY = (
    "size(variables.exact) > 0 || variables.requests.exists(entry, entry.?firstAvailable.orValue([])"
    ".exists(choice, choice.deviceClassName in variables.classes))"
)
# Access for administrators allocates nothing.
_EXACT = (
    "variables.requests.filter(entry, entry.?exactly.?deviceClassName.orValue('') in variables.classes"
    " && !entry.exactly.?adminAccess.orValue(false))"
)
_COUNT = (
    "variables.exact.filter(entry, entry.exactly.deviceClassName == class"
    " && entry.exactly.?allocationMode.orValue('ExactCount') == 'ExactCount')"
    ".map(entry, entry.exactly.?count.orValue(1)).sum()"
)
_FITS = (
    "!variables.gpus || variables.team == '' || variables.classes.all(class,"
    " !variables.exact.exists(entry, entry.exactly.deviceClassName == class)"
    f" || variables.own.exists(name, {_COUNT} <= variables.devicesOf[name][?class].orValue(0)))"
)
_TOO_MANY = (
    "'no node of team ' + variables.team + ' has so many devices of ' + variables.classes.join(', ')"
    " + ': its pools are [' + variables.own.join(', ') + ']; claim fewer for each pod, or use more pods'"
)


def claim_variables(guard: Guard) -> Iterator[tuple[str, str]]:
    """The names and expressions of what the validations read, each after those that it uses."""
    yield from teams(guard)
    yield "devicesOf", mapping({pool.name: number_map(pool.devices) for pool in guard.pools})
    yield "classes", texts(guard.classes)
    yield "spec", _SPEC
    yield "requests", "variables.spec.?devices.?requests.orValue([])"
    yield "exact", _EXACT
    yield "gpus", _ANY


def claim_validations(guard: Guard) -> Iterator[tuple[str, str]]:
    """The expressions that must be true, and those of the messages if they are not."""
    yield HAS_TEAM, no_team(guard)
    yield _FITS, _TOO_MANY
