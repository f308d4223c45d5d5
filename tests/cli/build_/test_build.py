"""`build`: what it writes, what it refuses, which clusters it selects, and its exit status."""

import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from gitgpu.cli.input.cluster_selection import ClusterSelection
from gitgpu.load.read import read_paths
from gitgpu.write.cache_file import read_stamp
from tests.cli.conftest import Run
from tests.cli.fleets import BROKEN, FLEET, SOUND, WARNED, many, tree, write


def test_a_sound_fleet_is_written_once(run: Run) -> None:
    write(SOUND)
    first = run("build")
    assert (first.code, first.out) == (0, "")
    before = tree()
    assert {"c1/kustomization.yaml", "c1/nodes/nodepool-t4.yaml"} <= before.keys()
    again = run("build")
    assert (again.code, again.out) == (0, "")
    assert "nothing to do" in again.err
    assert tree() == before
    assert run("build", "fleet.yaml").code == 0
    assert run("build", "--check").code == 0
    assert tree() == before


def test_check_shows_what_would_change_and_writes_nothing(run: Run) -> None:
    write(SOUND)
    assert run("build", "--check").code == 1
    assert not Path("overlays").exists()
    run("build")
    before = tree()
    write(SOUND.replace("gpus: 2", "gpus: 3"))
    ran = run("build", "--check")
    assert ran.code == 1
    assert '-    nvidia.com/gpu: "2"' in ran.out
    assert '+    nvidia.com/gpu: "3"' in ran.out
    assert "overlays/c1/nodes/nodepool-t4.yaml: error[OUT010] is out of date" in ran.out + ran.err
    assert tree() == before
    ran = run("build", "--check", "-o", "json")
    stale = [result["file"] for result in json.loads(ran.out)["results"]]
    assert "overlays/c1/nodes/nodepool-t4.yaml" in stale
    assert '+    nvidia.com/gpu: "3"' in ran.err


def test_a_hand_edit_is_drift_and_is_replaced(run: Run) -> None:
    write(SOUND)
    run("build")
    before, path = tree(), Path("overlays/c1/nodes/nodepool-t4.yaml")
    path.write_text(path.read_text().replace("weight", "wait") + "# mine\n")
    assert run("build", "--check").code == 1
    ran = run("build")
    assert ran.code == 0
    assert "edited manually" in ran.err
    assert tree() == before


def test_files_that_no_longer_follow_from_the_spec_are_removed(run: Run) -> None:
    write(many("c1", "c2"))
    run("build")
    assert Path("overlays/c2").is_dir()
    write(SOUND)
    assert run("build").code == 0
    assert {path.split("/")[0] for path in tree()} == {"c1"}


def test_nothing_is_written_when_anything_is_wrong(run: Run) -> None:
    write(BROKEN)
    assert run("build").code == 1
    assert not Path("overlays").exists()
    write(SOUND)
    run("build")
    before = tree()
    write(BROKEN)
    assert run("build").code == 1
    assert run("build", "--fail-on", "never").code == 0
    assert tree() == before


@pytest.mark.parametrize(("least", "code"), [("error", 0), ("warning", 1), ("info", 1), ("never", 0)])
def test_a_warning_counts_with_strict_severity(run: Run, least: str, code: int) -> None:
    write(WARNED)
    for _ in range(2):  # the second build writes nothing, and still reports the warning
        assert run("build", "--fail-on", least).code == code
    assert tree()
    assert run("validate", "--fail-on", least).code == code


def test_a_broken_configuration_writes_nothing(run: Run) -> None:
    """The configuration might have named another output directory."""
    write(SOUND)
    write("out: [", ".gitgpu.yaml")
    ran = run("build")
    assert ran.code == 1
    assert ".gitgpu.yaml:1:7" in ran.out
    assert not Path("overlays").exists()


def test_the_configuration_names_the_fleet_and_the_output(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write(SOUND, "spec/a/fleet.yaml")
    write("apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nfleet: [spec]\nout: made/here\n", ".gitgpu.yaml")
    assert run("build").code == 0
    made = tree("made/here")
    assert made
    monkeypatch.chdir("spec/a")
    assert run("build", "--check").code == 0
    assert run("build", "--out", "elsewhere").code == 0
    assert tree("elsewhere").keys() == made.keys()


def test_the_output_is_the_same_from_anywhere(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    write(SOUND, "a/fleet.yaml")
    trees = []
    for directory, path, out in (
        (".", "a/fleet.yaml", "out"),
        (".", f"{tmp_path}/a", f"{tmp_path}/out"),
        ("a", "", "../out"),
    ):
        monkeypatch.chdir(tmp_path / directory)
        assert run("build", *filter(None, (path,)), "--out", out).code == 0
        trees.append(tree(out))
        shutil.rmtree(out)
    assert trees[0] == trees[1] == trees[2]
    assert not any(str(tmp_path).encode() in content for content in trees[0].values())


@pytest.mark.parametrize("name", ["c1/nodes/mine.yaml", "README.md", "c9/x.yaml"])
def test_foreign_files_stop_the_build_and_are_kept(run: Run, name: str) -> None:
    write("mine\n", f"overlays/{name}")
    write(SOUND)
    for arguments in ((), ("--check",)):
        ran = run("build", *arguments)
        assert ran.code == 1
        assert f"overlays/{name}" in ran.out
        assert "gitgpu did not generate this file" in ran.out
    assert tree() == {name: b"mine\n"}


def test_links_in_the_output_are_refused(run: Run) -> None:
    write(SOUND)
    run("build")
    outside = Path("outside.yaml")
    outside.write_text("mine\n")
    Path("overlays/c1/nodes/nodepool-t4.yaml").unlink()
    Path("overlays/c1/nodes/nodepool-t4.yaml").symlink_to(outside.resolve())
    assert run("build").code == 1
    assert outside.read_text() == "mine\n"
    Path("real").mkdir()
    Path("link").symlink_to("real")
    assert run("build", "--out", "link").code == 1
    assert list(Path("real").iterdir()) == []
    assert run("build", "--out", "outside.yaml").code == 1
    assert outside.read_text() == "mine\n"


def test_an_output_directory_that_cannot_be_created_is_a_fault(run: Run) -> None:
    write(SOUND)
    write("x", "file")
    ran = run("build", "--out", "file/below")
    assert ran.code in (1, 2)
    assert "file" in ran.out


def test_only_the_named_clusters_are_built(run: Run) -> None:
    write(many("dev-a", "dev-b", "prod-a"))
    assert run("build", "--cluster", "dev-*").code == 0
    assert {path.split("/")[0] for path in tree()} == {"dev-a", "dev-b"}
    assert run("build", "--cluster", "prod-a", "--cluster", "*-b").code == 0
    assert {path.split("/")[0] for path in tree()} == {"dev-a", "dev-b", "prod-a"}
    parts = tree()
    assert run("build").code == 0
    assert tree() == parts
    assert run("build", "--check").code == 0


def test_clusters_that_were_built_one_by_one_are_current(run: Run) -> None:
    """And the next build does not treat the cache as that of a complete build."""
    write(many("dev-a", "prod-a"))
    for part in (1, 2):
        assert run("build", "--shard", f"{part}/2").code == 0
    assert not (read_stamp("overlays") or pytest.fail("no cache")).inputs
    assert run("build", "--check").code == 0
    write(many("dev-a", "prod-a").replace("gpus: 2", "gpus: 3"))
    assert run("build", "--check").code == 1


@pytest.mark.parametrize("arguments", [("fleet.yaml", "nope.yaml"), ("fleet.yaml", "odd.yaml")])
def test_an_unreadable_file_is_reported_though_nothing_else_changed(run: Run, arguments: tuple[str, str]) -> None:
    write(SOUND)
    Path("odd.yaml").write_bytes(b"\xff\n")
    assert run("build", "fleet.yaml").code == 0
    assert run("build", *arguments).code == 2


def test_a_refusal_to_write_is_never_success(run: Run) -> None:
    write(SOUND)
    write("mine", "overlays/mine.txt")
    ran = run("build", "--fail-on", "never")
    assert (ran.code, "OUT001" in ran.out) == (1, True)


def test_a_shard_keeps_other_files_and_the_first_removes_those_of_removed_clusters(run: Run) -> None:
    write(many("a", "b", "c"))
    run("build")
    write(many("a", "b"))
    assert run("build", "--shard", "2/2").code == 0
    assert {path.split("/")[0] for path in tree()} == {"a", "b", "c"}
    assert run("build", "--shard", "2/2", "--check").code == 0
    assert run("build", "--shard", "1/2", "--check").code == 1
    assert run("build", "--shard", "1/2").code == 0
    assert {path.split("/")[0] for path in tree()} == {"a", "b"}
    write("mine", "overlays/b/mine.yaml")
    assert run("build", "--cluster", "a", "--check").code == 0
    assert "overlays/b/mine.yaml" in run("build", "--cluster", "b", "--check").out


def test_a_damaged_cache_is_noted_once(run: Run) -> None:
    write(SOUND)
    run("build")
    before = tree()
    write("<<<<<<< HEAD\n", ".gitgpu_cache/overlays.cache")
    ran = run("build", "-o", "json")
    results = [(result["code"], result["severity"], result["file"]) for result in json.loads(ran.out)["results"]]
    assert (ran.code, results) == (0, [("OUT003", "info", ".gitgpu_cache/overlays.cache")])
    assert run("build", "-o", "json").out.count("OUT003") == 0
    assert tree() == before


@pytest.mark.parametrize("out", ["/", ".", "fleet", "..", "link"])
def test_an_output_directory_that_holds_the_fleet_is_refused_before_anything_is_read(
    run: Run, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    write(SOUND, "fleet/a.yaml")
    Path("link").symlink_to(".")
    for reads in ("write.apply.walk", "runs.baseline.read_overlays"):
        monkeypatch.setattr(f"gitgpu.{reads}", lambda path, *_, **__: pytest.fail(f"{path} was read"))
    ran = run("build", "--out", out)
    assert (ran.code, ran.out.count("error["), f"{out}: error[OUT006]" in ran.out) == (1, 1, True)
    ran = run("plan", "--out", out)
    assert (ran.code, ran.err.count("error["), f"{out}: error[OUT006]" in ran.err) == (2, 1, True)


@pytest.mark.parametrize("out", [".git/hooks", ".github/workflows", ".github", "link"])
def test_output_that_a_system_would_run_is_refused(run: Run, out: str) -> None:
    """With the command `rebuild` of the action, a pull request could set `out` to write workflows."""
    write(SOUND, "fleet/a.yaml")
    Path("link").symlink_to(".github")
    ran = run("build", "--out", out)
    assert (ran.code, f"{out}: error[OUT006] refusing to build into this directory: it is below .git" in ran.out) == (
        1,
        True,
    ), ran
    assert not Path(out).exists()
    assert run("build", "--out", "a/.github-pages").code == 0
    write(f"apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nout: {out}\n", ".gitgpu.yaml")
    assert "OUT006" in run("build").out


def test_the_home_directory_is_refused_unless_a_build_has_created_the_output(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(SOUND, "home/fleet.yaml")
    Path("out").mkdir()
    monkeypatch.setenv("HOME", str(Path("out").absolute()))
    assert "OUT006" in run("build", "home/fleet.yaml", "--out", "out").out
    monkeypatch.setenv("HOME", "/")
    assert run("build", "home/fleet.yaml", "--out", "out").code == 0
    monkeypatch.setenv("HOME", str(Path("out").absolute()))
    assert run("build", "home/fleet.yaml", "--out", "out").code == 0


def test_a_file_in_place_of_the_output_directory_is_kept(run: Run) -> None:
    write(SOUND)
    ran = run("build", "--out", "fleet.yaml")
    assert ran.code == 1
    assert "use another output directory" in ran.out
    assert Path("fleet.yaml").read_text() == SOUND


@pytest.mark.parametrize("glob", ["nope", "DEV-*", "", "[", "../*", "dev-a/"])
def test_a_glob_without_a_match_is_an_error(run: Run, glob: str) -> None:
    write(many("dev-a", "prod-a"))
    ran = run("build", "--cluster", glob)
    assert ran.code == 2
    assert "dev-a and prod-a" in ran.out
    assert f"--cluster '{glob}'" in ran.out
    assert not Path("overlays").exists()


@pytest.mark.parametrize("parts", [1, 2, 3, 5])
def test_shards_are_complete_and_disjoint(run: Run, parts: int) -> None:
    write(many("a", "b", "c"))
    run("build")
    whole = tree()
    shutil.rmtree("overlays")
    built: list[set[str]] = []
    for part in range(1, parts + 1):
        assert run("build", "--out", f"out{part}", "--shard", f"{part}/{parts}").code == 0
        built.append({path.split("/")[0] for path in tree(f"out{part}")})
        assert run("build", "--shard", f"{part}/{parts}").code == 0
        assert run("build", "--check", "--shard", f"{part}/{parts}").code == 0
    assert sorted(name for names in built for name in names) == ["a", "b", "c"]
    assert tree() == whole


@pytest.mark.parametrize(
    "shard", ["0/1", "2/1", "1", "a/b", "1/0", "-1/2", "1/2/3", "", " 1/2", "1/2\n", "٣/٤", "1/999999"]
)
def test_an_invalid_shard_is_a_usage_error(run: Run, shard: str) -> None:
    write(SOUND)
    ran = run("build", "--shard", shard)
    assert (ran.code, ran.out) == (2, "")
    assert "--shard" in ran.err


def test_clusters_are_divided_into_the_same_shards_in_any_order() -> None:
    names = [f"c{number}" for number in range(17)]
    for parts in range(1, 20):
        picked = [ClusterSelection((), part, parts).pick(names[::-1]) for part in range(1, parts + 1)]
        assert sorted(name for names in picked for name in names) == sorted(names)
        assert max(map(len, picked)) - min(map(len, picked)) <= 1


def test_a_missing_fleet_is_an_error_with_a_remedy(run: Run) -> None:
    for command in ("build", "validate"):
        ran = run(command)
        assert ran.code == 2
        assert "gitgpu init" in ran.out


def test_a_fleet_without_clusters_builds_nothing(run: Run) -> None:
    write(FLEET)
    ran = run("build")
    assert ran.code == 2
    assert "no cluster to build" in ran.out
    assert not Path("overlays").exists()


def test_a_directory_can_be_a_fleet(run: Run) -> None:
    for number, document in enumerate(SOUND.split("---\n")):
        write(document, f"fleet/{number}/part.yaml")
    assert run("validate").code == 0
    assert run("build").code == 0
    assert run("build", "fleet/0", "fleet/1", "fleet/2/part.yaml", "--out", "other").code == 0
    assert tree("other").keys() == tree().keys()


def test_every_manifest_is_yaml_with_a_header(run: Run) -> None:
    write(SOUND)
    run("build")
    for path, content in tree().items():
        text = content.decode()
        assert text.endswith("\n")
        assert "\r" not in text
        if path.endswith(".yaml"):
            assert text.startswith("# Generated by gitgpu")
            assert list(yaml.load_all(text, yaml.CSafeLoader)) == [yaml.load(text, yaml.CSafeLoader)]
    assert {oct(os.stat(f"overlays/{path}").st_mode & 0o111) for path in tree()} == {"0o0"}


@pytest.mark.parametrize("command", ["build", "plan"])
def test_the_files_of_a_fleet_are_read_once(run: Run, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    """So that the stamp of a build is of the texts that were compiled, even if somebody saves a file meanwhile."""
    write(SOUND)
    calls = []

    def reading(paths: Sequence[str], skipped: Any) -> Any:
        calls.append(paths)
        return read_paths(paths, skipped)

    monkeypatch.setattr("gitgpu.load.spec.texts.read_paths", reading)
    assert run(command).code in (0, 1)
    assert len(calls) == 1
