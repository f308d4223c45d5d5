"""Which nodes of a pool a change replaces: Karpenter's hashes and requirements, and what AKS does with its pools."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from gitgpu.access import reach
from gitgpu.compare.change import Field, below, effect, facts_of
from gitgpu.compare.hashes import hash_of
from gitgpu.compare.nodes import Context, Pool
from gitgpu.compare.own_additions import class_remedies, remedies, requirement_remedies, subnet_remedies
from gitgpu.compare.requirement_drift import RequirementDrift, requirement_drift
from gitgpu.model.catalog import Facts
from gitgpu.model.names.kinds import NODE_POOL
from gitgpu.model.syntax.quantity import quantity
from gitgpu.spelling import comma_separated, count_text

MAX_CAUSES = 4  # causes that a reason names


class Verdict(NamedTuple):
    """`replaced` is all, some or none. `refused` are fields that cannot change on an existing object."""

    replaced: str
    reason: str
    refused: tuple[str, ...] = ()


class ChangedFields(NamedTuple):
    """The changed fields of a pool and of its node class."""

    pool: Sequence[Field]
    node_class: Sequence[Field]


def verdict(before: Pool, after: Pool, fields: ChangedFields, context: Context) -> Verdict:
    """What happens to the nodes of a pool, given the changed fields of the pool and of its node class."""
    facts = facts_of(after.object, context.catalog)
    real = [field for field in fields.pool if not (facts and _is_idle(field, facts))]
    refused = tuple(field.path for field in real if effect(field.path, facts) == "refused")
    refused += _toggled(before, after)
    if refused:
        who = "Karpenter's CRD" if after.kind == NODE_POOL.kind else "AKS"
        reason = f"{who} does not allow changing {_list(refused)} of an existing pool: create a new pool"
        return Verdict("none", reason, refused)
    if after.kind != NODE_POOL.kind:
        return _aks_verdict(real, facts)
    return _karpenter_verdict(before, after, fields, context)


def _karpenter_verdict(before: Pool, after: Pool, fields: ChangedFields, context: Context) -> Verdict:
    pool_fields, class_fields = fields
    reasons = [_hashed(before, after, pool_fields, context), _class_hashed(before, after, class_fields, context)]
    drift = _with_remedies(requirement_drift(before, after), before, after)
    if drift.part == "all":
        reasons.append(drift.reason)
    stays = _never_drifts(after)
    if stays and (any(reasons) or drift.part != "none") and not _fewer_replicas(pool_fields):
        return Verdict("none", "; ".join((*filter(None, (*reasons, drift.reason)), stays)))
    if any(reasons):
        return Verdict("all", "; ".join(filter(None, reasons)))
    if fewer := _fewer_replicas(pool_fields):
        reason = f"Karpenter drains {count_text(fewer, 'node')} of the pool, regardless of its budgets"
        return Verdict("some", "; ".join(filter(None, (reason, drift.reason))))
    return Verdict(drift.part, drift.reason or _untouched([*pool_fields, *class_fields]))


def _toggled(before: Pool, after: Pool) -> tuple[str, ...]:
    """The field that is refused: a pool of fixed size cannot become one that scales, or vice versa."""
    if not (before.karpenter and after.karpenter):
        return ()
    # The CRD rejects the change (has(self.replicas) == has(oldSelf.replicas)). `replicas: 0` is a fixed size too.
    was_fixed, is_fixed = "replicas" in before.body["spec"], "replicas" in after.body["spec"]
    return ("spec.replicas",) if was_fixed != is_fixed else ()


def _with_remedies(drift: RequirementDrift, before: Pool, after: Pool) -> RequirementDrift:
    """Adds to the reason how the spec can avoid the requirements that gitgpu derives."""
    if drift.part == "none" or not (before.karpenter and after.karpenter):
        return drift
    advice = requirement_remedies(before.karpenter.together, after.karpenter.together)
    return drift._replace(reason="; ".join((drift.reason, *advice)))


def _fewer_replicas(fields: Sequence[Field]) -> int:
    """By how many nodes a static pool becomes smaller.

    pkg/controllers/static/deprovisioning of kubernetes-sigs/karpenter deletes these nodes, and ignores budgets.
    """
    for field in fields:
        if field.path == "spec.replicas" and isinstance(field.before, int) and isinstance(field.after, int):
            return max(0, field.before - field.after)
    return 0


def _never_drifts(pool: Pool) -> str:
    """Why Karpenter replaces no drifted node of the pool: a static pool that fills its limit; "" if it may.

    ComputeCommands in pkg/controllers/disruption/staticdrift.go of kubernetes-sigs/karpenter v1.14.0 starts the
    replacement first, and only within limits.nodes.
    """
    replicas, limit = reach(pool.body, "spec", "replicas"), pool.karpenter and pool.karpenter.limits.get("nodes")
    if not isinstance(replicas, int) or limit is None or quantity(limit) > replicas:
        return ""
    text = f"limits.nodes {limit} leaves no room for a replacement in addition to {count_text(replicas, 'replica')}"
    return f"but no node is replaced: {text}, so drifted nodes stay until they expire or you delete them"


def _untouched(fields: Sequence[Field]) -> str:
    if not fields:
        return "no node is replaced"
    text = f"{_list(_short(fields))}: no effect on running nodes"
    if any(below(field.path, "spec.limits") for field in fields):
        return f"{text}; nodes above a lower limit stay"
    return text


def _aks_verdict(fields: Sequence[Field], facts: Facts | None) -> Verdict:
    effects = {field.path: effect(field.path, facts) for field in fields if field.path.startswith("spec")}
    rolled = [path for path, what in effects.items() if what == "reimage"]
    unknown = [path for path, what in effects.items() if not what]
    if rolled:
        return Verdict("all", f"AKS drains and reimages every node for {_list(rolled)}")
    if unknown:
        return Verdict("some", f"the effect of {_list(unknown)} is unknown")
    later = tuple(path for path, what in effects.items() if what == "later")
    now = tuple(path for path in effects if path not in later)
    parts = []
    if now:
        parts.append(f"AKS changes {_list(now)} in place")
    if later:
        parts.append(f"{_list(later)}: nodes change when AKS creates or reimages them")
    return Verdict("none", "; ".join(parts) or "no node is replaced")


def _hashed(before: Pool, after: Pool, fields: Sequence[Field], context: Context) -> str:
    """Why the hash of the NodePool changes; empty if it does not."""
    facts = context.catalog.must("edits", "nodepool")
    if _same([before.body, after.body], facts["hash"]):
        return ""
    template = [field for field in fields if below(field.path, facts["hash"]["at"])]
    # Requirements are in the template but not in its hash: see `requirement_drift`.
    hashed_fields = [field for field in template if ".requirements" not in field.path]
    return "; ".join((f"NodePool template hash changes: {_list(_short(hashed_fields))}", *remedies(hashed_fields)))


def _class_hashed(before: Pool, after: Pool, fields: Sequence[Field], context: Context) -> str:
    """Why the hash of the node class changes, if both sides name the same class."""
    facts = context.catalog.must("edits", "aksnodeclass")
    if before.class_name != after.class_name or _same([before.node_class, after.node_class], facts["hash"]):
        return ""  # another class is another template
    hashed_fields = [field for field in fields if _is_hashed(field, facts)]
    idle = [field for field in hashed_fields if _is_idle(field, facts)]
    real = [field for field in hashed_fields if field not in idle]
    parts = [f"AKSNodeClass hash changes: {_list(_short([*real, *idle]))}"]
    if not real:
        parts.append("the nodes themselves do not differ")
    return "; ".join((*parts, *class_remedies(idle), *subnet_remedies(hashed_fields)))


def _is_hashed(field: Field, facts: Facts) -> bool:
    return below(field.path, "spec") and effect(field.path, facts) not in ("in-place", "later")


def _same(bodies: list[Any], hashed: Facts) -> bool:
    if None in bodies:
        return True
    try:
        name, other = (hash_of(body, hashed) for body in bodies)
    except (ValueError, TypeError, AttributeError, OverflowError):
        return False  # an object that cannot be read is assumed to differ
    return name == other


def _is_idle(field: Field, facts: Facts) -> bool:
    """Whether the field only sets or unsets a default value."""
    idle = {(fact["field"], str(fact["value"])) for fact in facts["unwritten"]}
    value = None
    if field.before is None:
        value = field.after
    elif field.after is None:
        value = field.before
    return (field.path, str(value)) in idle


def _short(fields: Iterable[Field]) -> tuple[str, ...]:
    """What is added, removed or changed, without duplicates; a part that changes as a whole counts once."""
    return tuple(dict.fromkeys(map(_short_path, fields)))


def _short_path(field: Field) -> str:
    # The name of a part that is added or removed as a whole is clearer than each of its fields.
    path = field.whole if field.whole.count(".") > 1 else field.path
    return path.removeprefix("spec.template.").removeprefix("spec.")


def _list(paths: Sequence[str]) -> str:
    return comma_separated(paths, MAX_CAUSES)
