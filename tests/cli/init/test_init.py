"""`init` writes a starter fleet that builds, and never replaces a file."""

import json
import os
import shutil
from pathlib import Path

import pytest
import yaml

from gitgpu.load.read import data_text
from tests.cli.conftest import Run
from tests.cli.fleets import tree


def test_the_starter_fleet_builds_and_is_current(run: Run) -> None:
    ran = run("init")
    assert ran.code == 0
    assert {"fleet.yaml", ".gitgpu.yaml"} <= {Path(line).as_posix() for line in ran.out.splitlines()}
    assert "gitgpu build" in ran.err
    assert run("validate", "--fail-on", "info").code == 0
    assert run("build", "--fail-on", "info").code == 0
    assert run("build", "--check", "--fail-on", "info").code == 0
    kinds = {body["kind"] for body in yaml.load_all(Path("fleet.yaml").read_text(), yaml.CSafeLoader)}
    assert kinds == {"Fleet", "Cluster", "GpuPool", "GpuWorkload"}


def test_the_starter_for_aks_automatic_builds_what_such_a_cluster_accepts(run: Run) -> None:
    assert run("init", "--automatic").code == 0
    assert run("build").code == 0
    [cluster] = (
        body for body in yaml.load_all(Path("fleet.yaml").read_text(), yaml.CSafeLoader) if body["kind"] == "Cluster"
    )
    assert cluster["spec"]["sku"] == "automatic"
    assert run("lint", "--automatic", "overlays").code == 0


def test_a_further_pool_of_the_starter_restarts_no_daemon_set(run: Run) -> None:
    """The pods of a DaemonSet restart on the nodes of all pools if their template changes."""
    assert run("init").code == run("build").code == 0
    before = {path.name: path.read_text() for path in Path("overlays").rglob("daemonset-*.yaml")}
    further = "---\napiVersion: gitgpu.dev/v1alpha1\nkind: GpuPool\nmetadata: {name: a100}\n"
    further += "spec: {clusters: [my-cluster], sku: Standard_NC24ads_A100_v4, limits: {gpus: 2}}\n"
    with Path("fleet.yaml").open("a") as file:
        file.write(further)
    assert run("build").code == 0
    assert before
    assert {path.name: path.read_text() for path in Path("overlays").rglob("daemonset-*.yaml")} == before


@pytest.mark.parametrize("options", [(), ("--automatic",)])
def test_the_job_of_the_starter_runs_on_a_gpu_of_its_pool(run: Run, options: tuple[str, ...]) -> None:
    """Without the patch that `build` writes for it, and with it."""
    assert run("init", *options).code == run("build").code == 0
    assert run("lint", *options, "--fail-on", "info", "hello-gpu").code == 0
    for pools in ((), ("--pools", "overlays/my-cluster", "--region", "swedencentral")):
        ran = run("simulate", *pools, "--workloads", "hello-gpu", "--fail-on", "uncertain", "-o", "json")
        [verdict] = json.loads(ran.out)["workloads"]
        assert (ran.code, verdict["name"], verdict["namespace"]) == (0, "hello-gpu", "default")
    job = yaml.load(Path("hello-gpu/job.yaml").read_text(), yaml.CSafeLoader)["spec"]["template"]["spec"]
    patch = yaml.load(
        Path("overlays/my-cluster/workloads/default.hello-gpu/job-hello-gpu.yaml").read_text(), yaml.CSafeLoader
    )
    added = patch["spec"]["template"]["spec"]
    assert job["tolerations"] == added["tolerations"]
    [image] = (container["image"] for container in job["containers"])
    assert image == sample_image()


def sample_image() -> str:
    """NVIDIA's sample, as the catalog has it."""
    row = yaml.load(data_text("catalog/containers/cuda-sample.yaml"), yaml.CSafeLoader)
    return f"{row['repository']}:{row['version']}"


def test_init_creates_the_directory(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("init", "new/deep").code == 0
    monkeypatch.chdir("new/deep")
    assert run("build").code == 0
    assert tree()


def test_the_schemas_beside_it_are_the_ones_that_it_names(run: Run) -> None:
    run("init")
    for name in ("fleet.yaml", ".gitgpu.yaml"):
        modeline = Path(name).read_text().splitlines()[0]
        assert modeline.startswith("# yaml-language-server: $schema=")
        assert Path(modeline.partition("=")[2]).is_file()
    assert Path(".gitgpu/fleet.schema.json").read_text() == run("schema").out
    assert Path(".gitgpu/config.schema.json").read_text() == run("schema", "config").out


@pytest.mark.parametrize("name", ["fleet.yaml", ".gitgpu.yaml", ".gitgpu/fleet.schema.json"])
def test_no_file_is_replaced(run: Run, name: str) -> None:
    path = Path(name)
    path.parent.mkdir(exist_ok=True)
    path.write_text("mine\n")
    ran = run("init")
    assert (ran.code, ran.out) == (2, "")
    assert name in ran.err
    files = {file.as_posix(): file.read_text() for file in Path().rglob("*") if file.is_file()}
    assert files == {name: "mine\n"}


def test_a_link_is_not_followed_to_write(run: Run) -> None:
    Path("fleet.yaml").symlink_to("outside.yaml")
    assert run("init").code == 2
    assert not Path("outside.yaml").exists()


def test_a_second_init_is_refused(run: Run) -> None:
    run("init")
    before = tree(".")
    assert run("init").code == 2
    assert tree(".") == before


def test_init_refuses_a_path_that_is_not_a_directory(run: Run) -> None:
    ran = run("init", os.devnull)
    assert (ran.code, "another run" in ran.err) == (2, False)


def test_init_reports_that_it_cannot_write(run: Run) -> None:
    Path("file").write_text("x")
    assert run("init", "file").code == 2
    assert run("init", "file/below").code == 2
    assert Path("file").read_text() == "x"


def test_generated_files_are_marked_for_git(run: Run) -> None:
    run("init")
    assert Path(".gitattributes").read_text().splitlines()[1:] == [
        "overlays/** text eol=lf linguist-generated",
        "overlays/**/kustomization.yaml merge=union",
    ]


@pytest.mark.parametrize("before", [b"*.png binary\n", b"*.png binary", b"a b\r\nc d\r\n", b"\xff -text\n", b""])
def test_existing_attributes_are_extended_and_never_changed(run: Run, before: bytes) -> None:
    Path(".gitattributes").write_bytes(before)
    ran = run("init")
    after = Path(".gitattributes").read_bytes()
    assert (ran.code, "added 2 lines" in ran.err) == (0, True)
    assert after.startswith(before)
    assert after.splitlines()[: len(before.splitlines())] == before.splitlines()
    assert b"overlays/** text eol=lf linguist-generated" in after.splitlines()
    assert (b"\r\n" in before) == (b"union\r\n" in after)


def test_existing_attributes_of_the_output_are_kept(run: Run) -> None:
    Path(".gitattributes").write_text("/overlays/** -diff\n")
    run("init")
    lines = Path(".gitattributes").read_text().splitlines()
    assert (lines[0], lines[-1], len(lines)) == ("/overlays/** -diff", "overlays/**/kustomization.yaml merge=union", 3)


def test_attributes_behind_a_link_are_not_changed(run: Run) -> None:
    Path("elsewhere").write_text("mine\n")
    Path(".gitattributes").symlink_to("elsewhere")
    ran = run("init")
    assert (ran.code, Path("elsewhere").read_text()) == (0, "mine\n")
    assert ran.err == (
        "./.gitattributes was not changed (Too many levels of symbolic links). For reviews and merges, add to it:\n"
        "# Generated by gitgpu: collapsed in reviews. After a merge, run `gitgpu build`.\n"
        "overlays/** text eol=lf linguist-generated\n"
        "overlays/**/kustomization.yaml merge=union\n"
        "Next: gitgpu build\n"
    )


@pytest.mark.parametrize("directory", [(), (".",), ("./",)])
def test_init_in_the_current_directory_suggests_no_cd(run: Run, directory: tuple[str, ...]) -> None:
    ran = run("init", *directory)
    assert ran.err.splitlines()[-1] == "Next: gitgpu build"


def test_the_next_command_works_in_the_directory_of_the_user(run: Run) -> None:
    assert run("init", "a b").err.splitlines()[-1] == "Next: cd 'a b' && gitgpu build"
    Path("c").mkdir()
    assert run("-C", "c", "init").err.splitlines()[-1] == "Next: cd c && gitgpu build"
    assert run("-C", "c", "init", "d").err.splitlines()[-1] == "Next: cd c/d && gitgpu build"
    assert run("-C", "c", "init", "..").err.splitlines()[-1] == "Next: gitgpu build"


def test_existing_editor_settings_are_completed_by_hand(run: Run) -> None:
    Path(".vscode").mkdir()
    settings = Path(".vscode/settings.json")
    settings.write_text("{}\n")
    ran = run("init")
    advice = "settings.json exists and was not changed. To complete and check every document, add to it:\n"
    assert (ran.code, advice in ran.err, settings.read_text()) == (0, True, "{}\n")
    written = "".join(f"{line}\n" for line in ran.err.splitlines() if line.startswith("  "))
    for path in ("fleet.yaml", ".gitgpu.yaml", ".gitattributes"):
        Path(path).unlink()
    shutil.rmtree(".gitgpu")
    shutil.rmtree("hello-gpu")
    settings.write_text(f"{{\n{written}}}\n")
    assert json.loads(settings.read_text())["yaml.schemas"].keys() == {
        ".gitgpu/fleet.schema.json",
        ".gitgpu/config.schema.json",
    }
    assert "was not changed" not in run("init").err


def test_what_init_adds_to_attributes_is_counted(run: Run) -> None:
    Path(".gitattributes").write_text("*.png binary\n")
    assert ".gitattributes: added 2 lines; nothing else was changed\n" in run("init").err
    for path in ("fleet.yaml", ".gitgpu.yaml", ".vscode/settings.json"):
        Path(path).unlink()
    shutil.rmtree(".gitgpu")
    shutil.rmtree("hello-gpu")
    assert "added" not in run("init").err
