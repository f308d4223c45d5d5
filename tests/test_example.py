"""The example fleet: it builds, its committed output is current, and every machine writes the same bytes."""

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from gitgpu.cli.main import main
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.aks_node_pool import bounds
from gitgpu.model.catalog import Catalog
from gitgpu.policy import Policy, comment_allowances, settle
from gitgpu.runs.build import Build, build
from gitgpu.runs.validate import read_fleet, validate

ROOT = Path(__file__).parents[1]
SPEC = ROOT / "fleet.yaml"
DOCUMENTS = [text.removeprefix("\n") for text in SPEC.read_text(encoding="utf-8").split("\n---")]
CATALOG = Catalog(CatalogFiles())


def every(paths: list[str]) -> Build:
    """The build of all clusters."""
    return build(read_fleet(paths))


@cache
def whole() -> Build:
    """The build of the example."""
    return every([str(SPEC)])


def of_kind(kind: str) -> dict[str, dict[str, Any]]:
    """The specs of the example's documents of one kind, by name."""
    bodies = [yaml.load(text, yaml.CSafeLoader) for text in DOCUMENTS]
    return {body["metadata"]["name"]: body["spec"] for body in bodies if body["kind"] == kind}


def test_the_committed_output_is_current(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this fails, run `gitgpu build` and commit the result."""
    monkeypatch.chdir(ROOT)
    assert main(["build", "--check"]) == 0


def test_nothing_is_wrong_with_it() -> None:
    allowed = comment_allowances({str(SPEC): SPEC.read_text(encoding="utf-8")})
    assert settle(validate([str(SPEC)]).diagnostics, allowed, Policy()) == []
    assert whole().faults == ()
    assert whole().files


def test_it_shows_both_engines_in_three_regions() -> None:
    clusters = of_kind("Cluster").values()
    engines = [cluster.get("delivery", {}).get("engine", "flux") for cluster in clusters]
    assert engines.count("flux") >= 2
    assert engines.count("argocd") >= 1
    assert len({cluster["region"] for cluster in clusters}) >= 3


def test_it_shows_every_kind_of_pool() -> None:
    checked = validate([str(SPEC)])
    assert checked.inputs is not None
    pools = checked.inputs.pools
    models = {sku.gpu.model for pool in pools for sku in pool.skus if sku.gpu}
    assert len(pools) >= 8
    assert {"T4", "A10", "A100", "H100", "H200", "MI300X"} <= models
    assert any("spot" in pool.capacity for pool in pools)
    assert any(sku.mig for pool in pools for sku in pool.skus if sku.gpu and sku.gpu.model == "A100")
    kinds = {CATALOG.must("drivers", sku.driver)["kind"] for pool in pools for sku in pool.skus if sku.driver}
    assert "grid" in kinds
    assert {pool.driver or "aks" for pool in pools} == {"aks", "operator", "managed", "none"}
    assert any(pool.rdma for pool in pools)
    assert {pool.sharing.way for pool in pools} == {"", "timeSlicing", "mps"}


def test_it_shows_every_kind_of_node_pool() -> None:
    checked = validate([str(SPEC)])
    assert checked.inputs is not None
    pools = [pool for pool in checked.inputs.pools if not pool.by_karpenter]
    fixed = {bounds(pool).minimum == bounds(pool).maximum for pool in pools}
    assert fixed == {True, False}
    assert {pool.os for pool in pools} == {"linux", "windows"}
    assert any(pool.only_spot for pool in pools)


def test_it_shows_workloads_that_scale() -> None:
    workloads = [spec for spec in of_kind("GpuWorkload").values() if "target" in spec]
    assert len([workload for workload in workloads if "scaling" in workload]) >= 3
    assert {workload["target"]["kind"] for workload in workloads} >= {"Deployment", "StatefulSet"}


def test_it_shows_a_model_that_kaito_scales() -> None:
    assert any("scaling" in spec.get("inference", {}) for spec in of_kind("GpuWorkload").values())
    assert "helm" in {spec.get("stack", {}).get("kaito") for spec in of_kind("Cluster").values()}


CONFIG = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nfleet: [fleet.yaml]\n"


def run(out: Path, folder: Path, spec: str, **environment: str) -> dict[str, bytes]:
    """The files of a build in a separate process. `delivery.path` depends on the name of the directory."""
    arguments = [sys.executable, "-m", "gitgpu", "build", spec, "--out", str(out)]
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "PYTHON"))}
    variables = {**inherited, "PYTHONPATH": str(ROOT), **environment}
    subprocess.run(arguments, cwd=folder, env=variables, check=True, capture_output=True)
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


def copied(folder: Path) -> Path:
    """The example's spec in a new folder, with a configuration."""
    folder.mkdir()
    (folder / ".gitgpu.yaml").write_text(CONFIG, encoding="utf-8")
    (folder / "fleet.yaml").write_bytes(SPEC.read_bytes())
    return folder / "fleet.yaml"


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a build in the folder of the spec."""
    folder = copied(tmp_path_factory.mktemp("example") / "here").parent
    return run(folder / "overlays", folder, "fleet.yaml", PYTHONHASHSEED="0", LC_ALL="C.UTF-8")


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "1", "LC_ALL": "tr_TR.UTF-8"},
        {"PYTHONHASHSEED": "random", "LC_ALL": "C", "PYTHONUTF8": "0", "TZ": "Pacific/Kiritimati"},
    ],
    ids=("another locale", "no locale"),
)
def test_the_output_is_the_same_in_every_environment(
    here: dict[str, bytes], tmp_path: Path, environment: dict[str, str]
) -> None:
    """The output does not depend on the hash seed, the locale, the working directory, or the path of the spec."""
    spec = copied(tmp_path / "there")
    there = run(tmp_path / "there/overlays", tmp_path, str(spec), **environment)
    assert "lab-weu/kustomization.yaml" in here
    assert here == there


def output(folder: Path, *words: str, seed: str) -> bytes:
    """The stdout of a command in a process with this hash seed."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed}
    done = subprocess.run(
        [sys.executable, "-m", "gitgpu", *words], cwd=folder, env=variables, check=False, capture_output=True
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "words", [("plan", "--against", str(ROOT / "overlays"), "-o", "text"), ("simulate", "-o", "json")]
)
def test_plan_and_simulate_say_the_same_under_any_hash_seed(tmp_path: Path, words: tuple[str, ...]) -> None:
    """The edit changes sizes, limits, taints and labels at once."""
    text = SPEC.read_text(encoding="utf-8").replace("Standard_NC16as_T4_v3", "Standard_NC64as_T4_v3")
    (tmp_path / "fleet.yaml").write_text(text.replace("gpus: 32", "gpus: 16"), encoding="utf-8")
    first, second = (output(tmp_path, *words, seed=seed) for seed in ("0", "4242"))
    assert len(first) > 1000
    assert second == first


def without_files(files: dict[str, str]) -> dict[str, str]:
    """The texts without the spec files that are named in their headers."""
    return {path: re.sub(r"(Generated by gitgpu from .*) in \S+?([,.])", r"\1\2", text) for path, text in files.items()}


@pytest.mark.parametrize("backwards", [False, True], ids=("in order", "backwards"))
def test_the_output_is_the_same_from_one_file_or_many(tmp_path: Path, backwards: bool) -> None:
    """The order of documents and the names of files have no effect."""
    texts = list(reversed(DOCUMENTS)) if backwards else DOCUMENTS
    for index, text in enumerate(texts):
        (tmp_path / f"{index:02}.yaml").write_text(text, encoding="utf-8")
    parts = every([str(tmp_path)])
    assert parts.faults == ()
    assert without_files(dict(parts.files)) == without_files(dict(whole().files))


def test_a_header_names_the_object_that_a_file_comes_from() -> None:
    for path, text in whole().files.items():
        if "/nodes/nodepool-" in path:
            name = path.rpartition("nodepool-")[2].removesuffix(".yaml")
            assert text.startswith(f"# Generated by gitgpu from GpuPool {name} in fleet.yaml.\n# Do not edit {path}: ")


@pytest.mark.parametrize("edit", ["comments", "layout", "order"])
def test_an_equivalent_spec_changes_no_byte(tmp_path: Path, edit: str) -> None:
    """Comments, YAML layout and the order of documents have no effect, since no header names a line."""
    text = SPEC.read_text(encoding="utf-8")
    bodies = list(yaml.load_all(text, yaml.CSafeLoader))
    texts = {
        "comments": re.sub(r"^(kind|spec):", r"# A comment.\n\n\1:", text, flags=re.MULTILINE),
        "layout": "\n\n---\n".join(json.dumps(body, indent=3) for body in bodies),
        "order": "---\n".join(yaml.safe_dump(body, sort_keys=False) for body in reversed(bodies)),
    }
    (tmp_path / "fleet.yaml").write_text(texts[edit], encoding="utf-8")
    assert dict(every([str(tmp_path / "fleet.yaml")]).files) == dict(whole().files)


def test_an_object_that_moves_to_another_file_changes_its_own_headers_only(tmp_path: Path) -> None:
    moved = next(document for document in DOCUMENTS if "kind: GpuPool" in document and "name: t4-share" in document)
    rest = "\n---\n".join(document for document in DOCUMENTS if document is not moved)
    for folder, texts in {"one": {"a.yaml": f"{rest}\n---\n{moved}"}, "two": {"a.yaml": rest, "b.yaml": moved}}.items():
        for name, text in texts.items():
            (tmp_path / folder).mkdir(exist_ok=True)
            (tmp_path / folder / name).write_text(text, encoding="utf-8")
    one, two = (every([str(tmp_path / folder)]).files for folder in ("one", "two"))
    changed = {path for path in one if one[path] != two[path]}
    assert changed
    assert one.keys() == two.keys()
    assert all("from GpuPool t4-share in a.yaml" in one[path] for path in changed)
    assert all(two[path] == one[path].replace("GpuPool t4-share in a", "GpuPool t4-share in b") for path in changed)
