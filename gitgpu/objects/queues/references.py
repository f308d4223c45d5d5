"""Names of objects of Kueue in other objects of Kueue: whether what they name exists."""

from gitgpu.model.names.kinds import GroupKind
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.flavors import MANAGED_PREFIX
from gitgpu.spelling import nearest

_SLIP = 0.8  # the ratio of difflib from which a name is a slip of another one: a100 and h100 are two names
MOST = 30  # names that one is compared with: the time would grow with their square


def is_missing(kind: GroupKind, name: str, objects: Objects) -> bool:
    """Whether a cluster-scoped object does not exist. If some may be elsewhere, or AKS may create it: no."""
    if not name or is_template(name) or name.startswith(MANAGED_PREFIX) or not objects.knows(*kind):
        return False
    return not objects.identities(*kind, name)


def remedy(kind: GroupKind, name: str, objects: Objects) -> str:
    """What to do about a missing object: use the name that is most like it, or add one."""
    names = objects.once(("names of", kind), lambda: _names(kind, objects))
    near = nearest(name, names, _SLIP) if len(names) <= MOST else None
    return f"use {near}, or add the {kind.kind}" if near else f"add a {kind.kind} with this name, or correct the name"


def _names(kind: GroupKind, objects: Objects) -> tuple[str, ...]:
    return tuple(sorted({identity.name for identity in objects.present if (identity.group, identity.kind) == kind}))
