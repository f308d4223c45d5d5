"""One mistake is one fault: a key that is missing because another was written instead is not reported too."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from gitgpu.load.explain.messages import Leaf, key_sets, similar_key
from gitgpu.load.explain.repairs import DEFAULTS, FaultContext, intended_place
from gitgpu.load.validate.compiler import Dialect, compile_schema
from gitgpu.load.validate.keywords import Check
from gitgpu.source import Pointer


def without_duplicates(leaves: Sequence[Leaf], root: FaultContext, formats: Mapping[str, Check]) -> list[Leaf]:
    """The faults, without missing keys that an unknown key may stand for: they are in `instead` of that key's fault."""
    unknown = [leaf for leaf in leaves if leaf.is_unknown_key]
    slips = set(map(_similar, unknown))
    left = [leaf for leaf in leaves if slips.isdisjoint(_lacking(leaf))]
    missing_leaves = _by_mapping((_lacking(leaf)[0], leaf) for leaf in left if _lacking(leaf))
    unknown_leaves = _by_mapping((leaf.pointer, leaf) for leaf in unknown)
    dialect = Dialect(root.resolve, formats)
    partners: dict[int, tuple[str, ...]] = {}  # by id, because leaves contain values that cannot be hashed
    gone: set[int] = set()
    for mapping, (extra, *more) in unknown_leaves.items():
        missing, *others = missing_leaves.get(mapping, [None])
        if missing and not more and not others and _stands_for(extra, missing, root, dialect):
            partners[id(extra)] = _keys(missing)
            gone.add(id(missing))
    return [leaf._replace(instead=partners.get(id(leaf), ())) for leaf in left if id(leaf) not in gone]


def _similar(leaf: Leaf) -> Pointer:
    """The place of the known key that is most similar to an unknown one."""
    return (*leaf.pointer[:-1], similar_key(leaf.pointer[-1], leaf.schema.get("properties", {})))


def _by_mapping(leaves: Iterable[tuple[Pointer, Leaf]]) -> dict[Pointer, list[Leaf]]:
    """Faults of keys, by the mapping that contains or lacks the key."""
    by_mapping: dict[Pointer, list[Leaf]] = {}
    for pointer, leaf in leaves:
        by_mapping.setdefault(pointer[:-1], []).append(leaf)
    return by_mapping


def _stands_for(extra: Leaf, missing: Leaf, root: FaultContext, dialect: Dialect) -> bool:
    """Whether the value of the unknown key is valid for a missing key. Missing keys with a default do not count."""
    if intended_place(extra, root) is not None or _is_misspelling(extra):
        return False
    value, schemas = extra.value[extra.pointer[-1]], extra.schema.get("properties", {})
    open_keys = [key for key in _keys(missing) if key not in missing.schema.get(DEFAULTS, {})]
    return any(compile_schema(schemas.get(key, True), dialect)(value) for key in open_keys)


def _is_misspelling(extra: Leaf) -> bool:
    """Whether the unknown key is similar to one that its mapping may still get."""
    *_, closest = _similar(extra)
    return bool(closest) and closest not in extra.value


def _keys(missing: Leaf) -> tuple[str, ...]:
    return tuple(str(pointer[-1]) for pointer in _lacking(missing))


def _lacking(leaf: Leaf) -> list[Pointer]:
    """The keys that a fault reports as missing."""
    if leaf.keyword == "required":
        return [leaf.pointer]
    if leaf.keyword not in ("anyOf", "oneOf"):
        return []
    keys = chain.from_iterable(key_sets(leaf))
    return [(*leaf.pointer, key) for key in keys if key not in leaf.value]
