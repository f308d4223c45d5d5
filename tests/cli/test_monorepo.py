"""Several fleets in one repository: which configuration applies, what is part of a spec, which paths are shown."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.fleets import BROKEN, SOUND, WARNED, many, tree, write

CONFIG = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\n"
STARTER = f"{CONFIG}fleet: [fleet.yaml]\nout: overlays\n"


@pytest.fixture(autouse=True)
def _repository(run: Run) -> None:
    Path(".git").rmdir()
    subprocess.run(["git", "init", "-q"], check=True)


def fleet(folder: str, content: str = SOUND, config: str = STARTER) -> None:
    """A fleet in a folder, with a configuration."""
    write(content, f"{folder}/fleet.yaml")
    write(config, f"{folder}/.gitgpu.yaml")


@pytest.mark.parametrize("words", [("infra/gpu",), ("infra/gpu/fleet.yaml",), ("infra/gpu/", "infra/gpu/fleet.yaml")])
def test_the_configuration_of_the_named_fleet_applies(run: Run, words: tuple[str, ...]) -> None:
    fleet("infra/gpu", config=f"{CONFIG}fleet: [fleet.yaml]\nout: built\n")
    write(f"{CONFIG}out: elsewhere\n", ".gitgpu.yaml")
    assert run("build", *words).code == 0
    assert "c1/kustomization.yaml" in tree("infra/gpu/built")
    assert not Path("elsewhere").exists()
    assert not Path("built").exists()
    again = run("build", *words)
    assert (again.code, again.err) == (0, "infra/gpu/built is up to date: nothing to do\n")


@pytest.mark.parametrize("command", ["validate", "build", "plan", "simulate", "images", "outdated"])
def test_a_path_of_the_configuration_that_does_not_exist_is_reported_with_the_configuration(
    run: Run, command: str
) -> None:
    """Such as fleet.yaml, after its content has moved to a directory."""
    fleet("infra/gpu")
    Path("infra/gpu/fleet.yaml").unlink()
    for words in (("infra/gpu",), ("-C", "infra/gpu")):
        ran = run(command, *words)
        output = ran.out + ran.err
        assert ran.code == 2
        assert "infra/gpu/fleet.yaml: error[INP001] does not exist\n" in output
        assert "correct `fleet` in " in output
        assert output.count("error[") == 1


def test_the_configuration_above_a_fleet_applies(run: Run) -> None:
    write(SOUND, "infra/gpu/fleet.yaml")
    write(f"{CONFIG}out: built\n", "infra/.gitgpu.yaml")
    assert run("build", "infra/gpu").code == 0
    assert tree("infra/built")


def test_the_working_directory_says_nothing_about_a_fleet_elsewhere(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write(SOUND, "a/fleet.yaml")
    write(f"{CONFIG}out: mine\nselect: [XXX]\n", "b/.gitgpu.yaml")
    monkeypatch.chdir("b")
    assert run("build", "../a").code == 0
    assert tree("overlays")
    assert not Path("mine").exists()


def test_the_directory_option(run: Run) -> None:
    here = Path.cwd()
    fleet("infra/gpu")
    assert run("-C", "infra/gpu", "build").code == 0
    assert tree("infra/gpu/overlays")
    assert run("build", "--check", "-C", "infra", "gpu").code == 0
    assert run("-C", "infra", "-C", "gpu", "validate").code == 0
    assert Path.cwd() == here
    for above in ((), ("-C", "infra")):
        missing = run(*above, "-C", "nowhere", "build")
        assert (missing.code, "cannot enter 'nowhere'" in missing.err, Path.cwd()) == (2, True, here)


def test_the_configuration_option(run: Run) -> None:
    fleet("infra/gpu")
    write(f"{CONFIG}fleet: [gpu/fleet.yaml]\nout: other\n", "infra/other.yaml")
    assert run("build", "--config", "infra/other.yaml").code == 0
    assert tree("infra/other")
    assert not Path("infra/gpu/overlays").exists()
    assert run("--config", "infra/other.yaml", "build", "infra/gpu", "--check").code == 0
    missing = run("build", "--config", "nope.yaml")
    assert missing.code == 2
    assert "nope.yaml: error[INP001]" in missing.out


def test_the_directory_of_a_configuration_means_its_fleet(run: Run) -> None:
    fleet("infra/gpu", config=f"{STARTER}catalog: [rows]\n")
    write("kind: Deployment\n", "infra/gpu/apps/app.yaml")
    write("name: x\n", "infra/gpu/rows/skus/x.yaml")
    assert "apps/app.yaml" not in run("validate", "infra/gpu").out
    assert "rows/skus/x.yaml" in run("validate", "infra/gpu").out  # as a catalog row, not as part of the spec
    assert "SHP" not in run("validate", "infra/gpu").out


@pytest.mark.parametrize("out", ["overlays", "build/out"])
def test_the_output_is_never_part_of_the_spec(run: Run, out: str) -> None:
    fleet("infra/gpu", config=f"{CONFIG}out: {out}\n")
    assert run("build", "infra/gpu").code == 0
    for command in (("validate",), ("build", "--check"), ("plan",), ("simulate",)):
        again = run(*command, "infra/gpu")
        assert again.code == 0, again
        assert "SHP" not in again.out + again.err


def test_output_with_another_name_is_not_part_of_the_spec_either(run: Run) -> None:
    write(SOUND, "infra/gpu/fleet.yaml")
    assert run("build", "infra/gpu", "--out", "infra/gpu/generated").code == 0
    assert run("validate", "infra/gpu").code == 0
    only = run("validate", "infra/gpu/generated")
    assert only.code == 2
    assert "INP004" in only.out


def test_two_fleets_have_two_configurations(run: Run) -> None:
    fleet("a")
    fleet("b", many("c2"), STARTER.replace("overlays", "out"))
    ran = run("build", "a", "b")
    assert ran.code == 1
    assert "error[CFG002]" in ran.out
    assert "a/.gitgpu.yaml" in ran.out
    assert "b/.gitgpu.yaml" in ran.out
    assert not Path("a/overlays").exists()
    assert run("build", "a").code == run("build", "b").code == 0
    assert tree("a/overlays")
    assert tree("b/out")
    below = run("validate", ".")
    assert below.code == 1
    assert "CFG002" in below.out


@pytest.mark.parametrize("words", [(), ("infra/gpu",), ("infra",), ("infra/gpu/fleet.yaml",)])
def test_nested_configurations_that_contradict_each_other(run: Run, words: tuple[str, ...]) -> None:
    fleet("infra/gpu")
    write(f"{CONFIG}fleet: [infra/gpu]\nout: rendered\n", ".gitgpu.yaml")
    ran = run("build", *words)
    assert ran.code == 1
    [finding] = [line for line in ran.out.splitlines() if "CFG002" in line]
    assert ".gitgpu.yaml" in finding.replace("infra/gpu/.gitgpu.yaml", "", 1)
    assert "infra/gpu/.gitgpu.yaml" in finding
    assert finding.endswith("differ in out")
    assert not Path("rendered").exists()
    assert not Path("infra/gpu/overlays").exists()
    chosen = run("build", *words, "--config", "infra/gpu/.gitgpu.yaml")
    assert chosen.code == 0


def test_nested_configurations_that_agree(run: Run) -> None:
    fleet("infra/gpu")
    write(f"{CONFIG}fleet: [infra/gpu]\nout: infra/gpu/overlays\n", ".gitgpu.yaml")
    assert run("build").code == 0
    assert run("build", "infra/gpu").code == 0


def test_a_configuration_of_another_fleet_is_ignored(run: Run) -> None:
    fleet("infra/gpu")
    fleet(".", many("c2"), f"{CONFIG}fleet: [fleet.yaml, shared.yaml]\nout: root\n")
    write("apiVersion: gitgpu.dev/v1alpha1\nkind: Cluster\nmetadata: {name: c3}\n", "shared.yaml")
    assert run("build", "infra/gpu").code == 0
    fleet("apps/gpu", config=f"{CONFIG}fleet: [fleet.yaml, ../../docs.yaml]\nignore: [NPL]\n")
    write("apiVersion: gitgpu.dev/v1alpha1\nkind: Cluster\nmetadata: {name: c4}\n", "docs.yaml")
    assert "CFG002" not in run("validate", "apps/gpu").out


def test_lint_uses_the_nearest_configuration_for_each_path(run: Run) -> None:
    """A pre-commit hook passes the files of all fleets at once."""
    pool = "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: a}\nspec: {tmplate: {}}\n"
    for folder in ("a", "b", "c"):
        write(pool, f"{folder}/pool.yaml")
    write(f"{CONFIG}ignore: [CNF001]\n", "a/.gitgpu.yaml")
    write(f"{CONFIG}failOn: never\n", "b/.gitgpu.yaml")

    def reported(*words: str) -> tuple[set[str], int]:
        ran = run("lint", *words, "-o", "json")
        results = json.loads(ran.out)["results"]
        return {finding["file"] for finding in results if finding["code"] == "CNF001"}, ran.code

    files = ("a/pool.yaml", "b/pool.yaml", "c/pool.yaml")
    assert reported(*files) == ({"b/pool.yaml", "c/pool.yaml"}, 1)
    assert reported("a", "b") == ({"b/pool.yaml"}, 0)
    assert reported("c", "b") == ({"b/pool.yaml", "c/pool.yaml"}, 1)
    assert reported("--config", "a/.gitgpu.yaml", *files) == (set(), 0)


def test_paths_in_text_are_relative_to_the_current_directory(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    fleet("infra/gpu", BROKEN)
    assert run("validate", "infra/gpu").out.startswith("infra/gpu/fleet.yaml:")
    assert run("-C", "infra/gpu", "validate").out.startswith("infra/gpu/fleet.yaml:")
    monkeypatch.chdir("infra")
    assert run("validate", "gpu").out.startswith("gpu/fleet.yaml:")
    assert json.loads(run("validate", "gpu", "-o", "json").out)["results"][0]["file"] == "gpu/fleet.yaml"


@pytest.mark.parametrize(
    ("form", "place"),
    [
        ("github", r"file=infra/gpu/fleet.yaml,line="),
        ("azure", r"sourcepath=infra/gpu/fleet.yaml;linenumber="),
        ("sarif", r'"uri": "infra/gpu/fleet.yaml"'),
    ],
)
@pytest.mark.parametrize("folder", [".", "infra", "infra/gpu", "other"])
def test_paths_for_ci_systems_are_relative_to_the_root(
    run: Run, monkeypatch: pytest.MonkeyPatch, form: str, place: str, folder: str
) -> None:
    fleet("infra/gpu", BROKEN)
    Path("other").mkdir()
    whole = Path("infra/gpu").absolute()
    monkeypatch.chdir(folder)
    relative = Path(*[".."] * (0 if folder == "." else len(Path(folder).parts)), "infra/gpu")
    for words in (("validate", str(relative)), ("validate", str(whole)), ("-C", str(relative), "validate")):
        assert re.search(place, run(*words, "-o", form).out)


def test_places_in_messages_have_the_same_form(run: Run) -> None:
    fleet("infra/gpu", f"{SOUND}---\n{SOUND}")
    ran = run("-C", "infra/gpu", "validate", "-o", "github")
    assert "the first is at infra/gpu/fleet.yaml:" in ran.out


@pytest.mark.skipif(sys.platform == "win32", reason="names of files have no colon there")
def test_a_file_with_a_colon_in_its_name_is_a_file(run: Run) -> None:
    """Only a Git revision, such as main:fleet.yaml, is not a file."""
    fleet("infra/gpu", SOUND)
    write(BROKEN, "infra/gpu/broken:old.yaml")
    assert (
        "file=infra/gpu/broken%3Aold.yaml," in run("-C", "infra/gpu", "validate", "broken:old.yaml", "-o", "github").out
    )


def test_stale_files_are_shown_with_a_path_from_the_root(run: Run) -> None:
    fleet("infra/gpu")
    assert run("build", "infra/gpu").code == 0
    Path("infra/gpu/overlays/c1/kustomization.yaml").unlink()
    ran = run("-C", "infra/gpu", "build", "--check", "-o", "github")
    assert "file=infra/gpu/overlays/c1/kustomization.yaml," in ran.out


def test_allowed_files_are_relative_to_the_configuration(run: Run) -> None:
    allow = "allow: [{code: NPL010, reason: known, file: fleet.yaml}]\n"
    fleet("infra/gpu", WARNED, STARTER + allow)
    outcomes = [run(*words, "validate").out for words in ((), ("-C", "infra/gpu"))]
    assert "NPL010" not in run("validate", "infra/gpu").out + outcomes[1]


def test_quiet_still_shows_findings(run: Run) -> None:
    fleet(".", WARNED)
    loud, quiet = run("validate"), run("validate", "--quiet")
    assert quiet.out == loud.out != ""
    assert (loud.err != "", quiet.err) == (True, "")
    fleet(".")
    for words in (("build", "-q"), ("-q", "build"), ("-q", "build", "--check"), ("lint", "-q", "overlays")):
        done = run(*words)
        assert (done.code, done.out, done.err) == (0, "", "")
    assert "unknown rule" in run("-q", "rule", "show", "XXX").err


def test_the_version_has_a_short_option(run: Run) -> None:
    assert run("-V") == run("--version")
    assert run("-V").code == 0
