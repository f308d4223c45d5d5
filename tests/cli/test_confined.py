"""A run reads and writes only the given paths and their repository. A pull request cannot extend that."""

import json
import os
import stat
from pathlib import Path

import pytest

from tests.cli.conftest import Run

SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: TopSecret}\n"
WRONG = "apiVersion: v1\nkind: Namespace\nmetadata: {name: Gpu}\n"
SLIP = (
    "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: p}\nspec:\n  limits: {cpu: 1}\n"
    "  disruption: {consolidateAfter: 0s, budgets: [{nodes: 0}]}\n  template:\n    spec:\n"
    "      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}\n      requirements: []\n"
)
CONFIG = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\n"


@pytest.fixture
def outside(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file next to the working directory, which is not a Git work tree."""
    (tmp_path / ".git").rmdir()
    (tmp_path / "repo").mkdir()
    monkeypatch.chdir(tmp_path / "repo")
    (tmp_path / "secret.yaml").write_text(SECRET)
    return tmp_path / "secret.yaml"


def named(text: str, *, key: str = "resources") -> None:
    """A kustomization in the directory `app` that refers to this path."""
    Path("app").mkdir(exist_ok=True)
    Path("app/kustomization.yaml").write_text(f"{key}: [{text}]\n")


@pytest.mark.parametrize("git", [False, True])
@pytest.mark.parametrize(
    "path", ["ABSOLUTE", "../../secret.yaml", "../../../../../../../../etc/hostname", "/proc/self/environ", "/dev/zero"]
)
def test_a_file_outside_is_reported_and_not_opened(run: Run, outside: Path, path: str, *, git: bool) -> None:
    if git:
        Path(".git").mkdir()
    for key in ("resources", "patchesStrategicMerge", "bases", "components"):
        named(path.replace("ABSOLUTE", str(outside)), key=key)
        ran = run("lint", "app")
        assert "TopSecret" not in ran.out + ran.err
        results = json.loads(run("lint", "app", "-o", "json", "--ignore", "LNT008").out)["results"]
        assert (ran.code, [result["code"] for result in results]) == (0, ["LNT009"])


def test_a_base_is_read_in_the_work_tree_and_without_git_where_it_was_named(run: Run, outside: Path) -> None:
    named("../base")
    Path("base").mkdir()
    Path("base/kustomization.yaml").write_text("resources: [ns.yaml]\n")
    Path("base/ns.yaml").write_text(WRONG)
    assert "LNT009" in run("lint", "app").out
    assert "base/ns.yaml:3:18: error[CNF003]" in run("lint", "app", "base").out
    assert "base/ns.yaml:3:18: error[CNF003]" in run("lint", ".").out
    Path(".git").mkdir()
    assert "base/ns.yaml:3:18: error[CNF003]" in run("lint", "app").out


@pytest.mark.parametrize("path", [".git/config.yaml", ".git/config", "notes", ".env"])
def test_a_file_that_is_not_a_manifest_is_not_opened(run: Run, path: str) -> None:
    named(f"../{path}")
    Path(path).write_text("token: {abc\n")
    ran = run("lint", "app")
    assert (ran.code, ran.out.count("LNT009")) == (0, 1)
    assert "abc" not in ran.out + ran.err


@pytest.mark.parametrize("command", ["lint", "validate", "build"])
def test_links_in_a_searched_directory_do_not_lead_out(run: Run, outside: Path, command: str) -> None:
    Path("d").mkdir()
    Path("d/ok.yaml").write_text(WRONG)
    Path("d/link.yaml").symlink_to(outside)
    Path("d/environ.yaml").symlink_to("/proc/self/environ")
    Path("d/folder").symlink_to("../..")
    ran = run(command, "d")
    assert ran.code == 2
    assert ran.out.count("error[INP001] is not read: it points outside through a symbolic link") == 2
    assert "TopSecret" not in ran.out


def test_links_that_a_kustomization_names_do_not_lead_out(run: Run, outside: Path) -> None:
    named("link.yaml, folder, kustomized")
    Path("app/link.yaml").symlink_to(outside)
    Path("app/folder").symlink_to("../..")
    Path("app/kustomized").mkdir()
    Path("app/kustomized/kustomization.yaml").symlink_to(outside)
    ran = run("lint", "app/kustomization.yaml")
    assert ran.out.count("LNT009") == 3
    assert "TopSecret" not in ran.out


def test_only_named_files_are_fixed(run: Run) -> None:
    named("../base, pool.yaml")
    Path("base").mkdir()
    Path("base/kustomization.yaml").write_text("resources: [pool.yaml]\n")
    Path("base/pool.yaml").write_text(SLIP.replace("name: p", "name: q"))
    Path("app/pool.yaml").write_text(SLIP)
    shown = run("lint", "app", "--diff")
    assert "+++ app/pool.yaml" in shown.out
    assert "+++ base/pool.yaml" not in shown.out
    fixed = run("lint", "app", "--fix")
    assert "1 fixed in 1 file, 1 more in files that you did not pass" in fixed.err
    assert "base/pool.yaml:6:56: error" in fixed.out
    assert Path("base/pool.yaml").read_text() == SLIP.replace("name: p", "name: q")
    assert Path("app/pool.yaml").read_text() == SLIP.replace("nodes: 0", 'nodes: "0"')


def test_nothing_is_fixed_through_a_link(run: Run) -> None:
    Path("real.yaml").write_text(SLIP)
    os.chmod("real.yaml", 0o640)
    Path("link.yaml").symlink_to("real.yaml")
    ran = run("lint", "link.yaml", "--fix")
    assert (ran.code, "link.yaml: error[OUT011] is a symbolic link" in ran.out) == (1, True)
    assert "link.yaml:6:56: error" in ran.out  # it is still there
    assert "0 fixed in 0 files" in ran.err
    assert Path("real.yaml").read_text() == SLIP
    assert run("lint", ".", "--fix").code == 0  # the target of the link is also in this directory
    assert Path("link.yaml").is_symlink()
    assert 'nodes: "0"' in Path("real.yaml").read_text()
    assert stat.S_IMODE(os.stat("real.yaml").st_mode) == 0o640


@pytest.mark.parametrize(
    "text", ["fleet: [PATH]", "lint: {paths: [PATH]}", "lint: {crds: [PATH]}", "lint: {values: {gpu-operator: [PATH]}}"]
)
@pytest.mark.parametrize("path", ["../secret.yaml", "ABSOLUTE", "/proc/self/environ", "link.yaml", ".git/config"])
def test_a_configuration_names_nothing_outside(run: Run, outside: Path, text: str, path: str) -> None:
    Path(".git").mkdir()
    Path("link.yaml").symlink_to(outside)
    Path(".gitgpu.yaml").write_text(CONFIG + text.replace("PATH", path.replace("ABSOLUTE", str(outside))) + "\n")
    for command in ("lint", "validate"):
        ran = run(command, *(["."] if "fleet" not in text and command == "validate" else []))
        assert ".gitgpu.yaml:3:" in ran.out
        assert "error[CFG001]" in ran.out
        assert "TopSecret" not in ran.out


@pytest.mark.parametrize("name", [".gitgpu.yaml", "fleet.yaml"])
def test_a_file_that_is_found_by_name_may_not_be_a_link_out(run: Run, outside: Path, name: str) -> None:
    outside.write_text(SECRET + "a: [\n")
    Path(name).symlink_to(outside)
    ran = run("validate")
    assert (ran.code, f"{name}: error[INP001] is not read" in ran.out) == (2, True)
    assert "TopSecret" not in ran.out


def test_rows_of_a_catalog_are_not_links_out(run: Run, outside: Path) -> None:
    Path("mine/skus").mkdir(parents=True)
    Path("mine/skus/x.yaml").symlink_to(outside)
    Path(".gitgpu.yaml").write_text(CONFIG + "catalog: [mine]\n")
    ran = run("lint", ".")
    assert "mine/skus/x.yaml: error[INP001] is not read" in ran.out
    assert "TopSecret" not in ran.out


def test_a_file_name_that_cannot_exist_is_reported_as_missing(run: Run) -> None:
    for name in ('"a\\0b"', "'\U0001f4a9'", "x" * 5000):
        named(name)
        assert "error[LNT004]" in run("lint", "app").out
