"""A command that is killed at any operation on the disk needs no hand: the same command, run again, finishes its work.

`make kills` tries every operation of every command, `make test` one of each.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from gitgpu.write.cache_path import cache_path
from tests.cli.conftest import KNOWN
from tests.cli.fleets import SOUND, many
from tests.cli.killed import Ended, Killing, can_kill, killing

pytestmark = pytest.mark.skipif(not can_kill(), reason="this system cannot kill outright")
EVERY = bool(os.environ.get("GITGPU_KILLS"))
FEW = 1  # operations of each command that `make test` tries
RECORDED = Path(__file__).parents[1] / "journeys/recorded"
RINGED = many("c1", "c2").replace(
    "{delivery: ", "{rings: [{name: canary, clusters: [c1]}, {name: prod, clusters: [c2]}], delivery: ", 1
)
PROMOTABLE = RINGED.replace("name: canary, ", "name: canary, stack: {versions: {keda: 2.18.3}}, ")
PINNED = (
    many("c1", "c2").replace('"1.36"}', '"1.36", stack: {versions: {nvidia-device-plugin: v0.18.2}}}').split("---\n")
)
SPREAD = dict(zip(("fleet/fleet.yaml", "fleet/a/c1.yaml", "fleet/b/c2.yaml", "fleet/t4.yaml"), PINNED, strict=True))
QUOTED = "apiVersion: v1\nkind: Pod\nmetadata: {name: %s}\nspec: {containers: [{name: m, image: 'x:1.0', %s}]}\n"
UNQUOTED = {f"d/{name}/x.yaml": QUOTED % (name, "env: [{name: A, value: yes}]") for name in "ab"}
SLIP = SOUND.replace("kubernetesVersion", "kubernetesversion")
REFRESH = ("catalog", "refresh", "--skus", "skus.json", "--charts", "index.yaml", "--today", "2026-11-23")
ANSWERS = {name: (RECORDED / name).read_text("utf-8") for name in ("skus.json", "index.yaml")}
CLUSTER_ONE = ("--cluster", "one", "--region", "swedencentral", *KNOWN)
CLUSTER_TWO = ("--cluster", "two", "--region", "westeurope", *KNOWN)


class Case(NamedTuple):
    """The files of a folder, the commands that ran in it before, and the command that is killed."""

    words: tuple[str, ...]
    files: Mapping[str, str]
    before: tuple[tuple[str, ...], ...] = ()


def export(name: str, *pools: str) -> dict[str, str]:
    """A file with the node class and the NodePools of a cluster."""
    reference = {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "gpu"}
    size = {"key": "karpenter.azure.com/sku-name", "operator": "In", "values": ["Standard_NC24ads_A100_v4"]}
    objects: list[dict[str, Any]] = [
        {"apiVersion": "karpenter.azure.com/v1beta1", "kind": "AKSNodeClass", "metadata": {"name": "gpu"}}
    ]
    for pool in pools:
        template = {"spec": {"nodeClassRef": reference, "requirements": [size], "expireAfter": "Never"}}
        metadata = {"name": pool, "uid": f"{name}-{pool}"}
        objects.append(
            {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": metadata, "spec": {"template": template}}
        )
    return {f"{name}.yaml": yaml.safe_dump_all(objects)}


ONE, TWO = export("one", "a", "b"), export("two", "c")
IMPORT = ("import", "one.yaml", *CLUSTER_ONE)
CASES = {
    "build": Case(("build",), {"fleet.yaml": SOUND}),
    "build of two clusters over one": Case(
        ("build",), {"fleet.yaml": many("c1", "c2"), "old.yaml": SOUND}, (("build", "old.yaml"),)
    ),
    "build of one cluster": Case(
        ("build", "--cluster", "c1"), {"fleet.yaml": many("c1", "c2"), "old.yaml": SOUND}, (("build", "old.yaml"),)
    ),
    "import": Case(IMPORT, ONE),
    "import of a further cluster": Case(("import", "two.yaml", *CLUSTER_TWO), ONE | TWO, (IMPORT,)),
    "import --force": Case(
        ("import", "new.yaml", *CLUSTER_ONE, "--force"), ONE | {"new.yaml": export("one", "a", "d")["one.yaml"]},
        (IMPORT,),
    ),
    "import --force of a further cluster": Case(("import", "two.yaml", *CLUSTER_TWO, "--force"), ONE | TWO, (IMPORT,)),
    "upgrade": Case(("upgrade", "--cluster", "c*"), SPREAD),
    "upgrade of clusters": Case(("upgrade", "nvidia-device-plugin", "--cluster", "*"), SPREAD),
    "upgrade --pin": Case(("upgrade", "--pin"), {"fleet.yaml": SOUND}),
    "promote": Case(("promote", "canary", "prod"), {"fleet.yaml": PROMOTABLE}),
    "catalog refresh": Case((*REFRESH, "--out", "mine"), ANSWERS),
    "catalog refresh over a catalog": Case(
        (*REFRESH, "--out", "mine"),
        ANSWERS | {"old.json": ANSWERS["skus.json"].replace('"True"', '"False"')},
        ((*REFRESH[:3], "old.json", *REFRESH[6:], "--out", "mine"),),
    ),
    "init": Case(("init", "new"), {}),
    "init beside .gitattributes": Case(("init",), {".gitattributes": "*.png binary\n"}),
    "lint --fix": Case(("lint", "d", "--fix"), UNQUOTED),
    "validate --fix": Case(("validate", "--fix"), {"fleet.yaml": SLIP}),
}  # fmt: skip


@pytest.fixture(scope="module")
def run() -> Iterator[Killing]:
    with killing([("build",), IMPORT, ("lint", "overlays")], {"fleet.yaml": SOUND} | ONE) as go:
        yield go


@pytest.mark.parametrize("name", CASES)
def test_the_next_run_finishes_a_killed_one(run: Killing, tmp_path: Path, name: str) -> None:
    words, files, before = CASES[name]
    start = tmp_path / "start"
    for path, text in {**files, ".git/HEAD": "ref: refs/heads/main\n"}.items():
        (start / path).parent.mkdir(parents=True, exist_ok=True)
        (start / path).write_text(text, encoding="utf-8")
    for earlier in before:
        succeeded(run(start, *earlier))
    undisturbed = shutil.copytree(start, tmp_path / "undisturbed")
    count = succeeded(run(undisturbed, *words)).operations
    finished = state(undisturbed)
    assert finished != state(start), "the command writes nothing"
    for at in points(count):
        folder = shutil.copytree(start, tmp_path / f"at-{at}")
        assert run(folder, *words, at=at) is None, f"{words} was not killed at operation {at} of {count}"
        left = state(folder)
        again = run(folder, *words)
        assert again
        # What has already finished may refuse to do it twice, as it does after a run that was not killed.
        assert again.status == 0 or left == finished, (at, count, again.output)
        assert state(folder) == finished, (at, count)


def points(count: int) -> list[int]:
    """The operations to die at: all of them, or some that are spread evenly, such as the one in the middle."""
    return list(range(1, count + 1)) if EVERY else sorted({1 + count * part // (FEW + 1) for part in range(1, FEW + 1)})


def succeeded(ended: Ended | None) -> Ended:
    """A run that succeeded."""
    assert ended
    assert ended.status == 0, ended.output
    return ended


def state(folder: Path) -> dict[str, tuple[int, bytes]]:
    """The mode and the content of everything in the folder. The cache also has times of files, so it has no content."""
    found: dict[str, tuple[int, bytes]] = {}
    for path in folder.rglob("*"):
        cached = path.parent.name == Path(cache_path("")).parent.name
        found[path.relative_to(folder).as_posix()] = (
            path.stat().st_mode, b"" if path.is_dir() or cached else path.read_bytes()
        )  # fmt: skip
    return found
