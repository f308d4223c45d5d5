"""A fleet as a value that can be edited and merged, so that the merged spec of two branches can be computed."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st

HEAD = "apiVersion: gitgpu.dev/v1alpha1\nkind: "
FLEET = f"{HEAD}Fleet\nmetadata:\n  name: f\nspec:\n  delivery:\n    repository: https://example.com/x\n"
ORDER = ("cluster", "pool", "workload")
NAMES = {"cluster": ("ca", "cb", "cc", "cd"), "pool": ("pa", "pb", "pc", "pd", "pe"), "workload": ("wa", "wb", "wc")}


class Entry(NamedTuple):
    """An object in the spec: a number that an edit changes, and the names that it refers to."""

    number: int
    of: frozenset[str] = frozenset()


Fleet = Mapping[tuple[str, str], Entry]  # by kind and name


def merged(base: Fleet, ours: Fleet, theirs: Fleet) -> dict[tuple[str, str], Entry]:
    """Each object as the side that changed it has it; ours where both have."""
    chosen = {}
    for key in {*ours, *theirs}:
        changed = ours if ours.get(key) != base.get(key) else theirs
        if entry := changed.get(key):
            chosen[key] = entry
    return chosen


def write_spec(root: Path, fleet: Fleet) -> None:
    """The spec, one file for each object. References to objects that do not exist are omitted."""
    shutil.rmtree(root / "fleet", ignore_errors=True)
    (root / "fleet").mkdir()
    (root / "fleet/fleet.yaml").write_text(FLEET)
    there: dict[str, set[str]] = {kind: set() for kind in ORDER}
    for kind in ORDER:
        above = there.get(ORDER[ORDER.index(kind) - 1], set()) if kind != "cluster" else set()
        for name, entry in sorted((name, entry) for (of, name), entry in fleet.items() if of == kind):
            refers = sorted(entry.of & above)
            if refers or kind == "cluster":
                there[kind].add(name)
                (root / f"fleet/{kind}-{name}.yaml").write_text(_text(kind, name, entry, ", ".join(refers)))


def _text(kind: str, name: str, entry: Entry, refers: str) -> str:
    if kind == "cluster":
        spec = f'  region: swedencentral\n  kubernetesVersion: "1.3{4 + entry.number % 3}"\n'
        return f"{HEAD}Cluster\nmetadata:\n  name: {name}\nspec:\n{spec}"
    if kind == "pool":
        limits = f"  limits:\n    gpus: {entry.number}\n"
        spec = f"  clusters: [{refers}]\n  sku: Standard_NC16as_T4_v3\n{limits}"
        return f"{HEAD}GpuPool\nmetadata:\n  name: {name}\nspec:\n{spec}"
    spec = f"  pools: [{refers}]\n  target:\n    kind: Deployment\n    name: {name}{entry.number}\n"
    return f"{HEAD}GpuWorkload\nmetadata:\n  name: {name}\n  namespace: serving\nspec:\n{spec}"


BASE: Fleet = {
    ("cluster", "ca"): Entry(1),
    ("cluster", "cb"): Entry(2),
    ("pool", "pa"): Entry(2, frozenset(("ca", "cb"))),
    ("pool", "pc"): Entry(3, frozenset(("ca",))),
    ("workload", "wa"): Entry(1, frozenset(("pa",))),
}


@st.composite
def edited(draw: st.DrawFn, fleet: Fleet) -> dict[tuple[str, str], Entry]:
    """A fleet after one edit: an object more, fewer, changed or renamed. One cluster is always there, with a pool."""
    kind = draw(st.sampled_from(("pool", "pool", "cluster", "workload")))
    names = sorted(name for of, name in fleet if of == kind)
    spare = sorted({*NAMES[kind]} - {*names})
    acts = ["add"] * bool(spare) + ["edit", "remove"] * bool(names) + ["rename"] * bool(spare and names)
    act = draw(st.sampled_from(acts))
    above = NAMES[ORDER[ORDER.index(kind) - 1]] if kind != "cluster" else ()
    refers = draw(st.frozensets(st.sampled_from(above), min_size=1)) if above else frozenset[str]()
    entry = Entry(draw(st.integers(1, 8)), refers)
    changed = dict(fleet)
    name = draw(st.sampled_from(names if act != "add" else spare))
    if act in ("remove", "rename"):
        entry = changed.pop((kind, name)) if act == "rename" else entry
        changed.pop((kind, name), None)
        name = draw(st.sampled_from(spare)) if act == "rename" else ""
    if name:
        changed[kind, name] = entry
    return {
        **changed,
        ("cluster", "cd"): Entry(0),
        ("pool", "pe"): changed.get(("pool", "pe"), Entry(1, frozenset(("cd",)))),
    }


@st.composite
def branch(draw: st.DrawFn, fleet: Fleet, *, commits: int = 3) -> list[dict[tuple[str, str], Entry]]:
    """The fleets of a branch, one for each commit."""
    states = []
    for _ in range(commits):
        fleet = draw(edited(fleet))
        states.append(dict(fleet))
    return states
