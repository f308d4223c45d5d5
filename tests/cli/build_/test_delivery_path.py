"""The path for Flux or Argo CD follows from the output directory, relative to the root of the repository."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.fleets import CLUSTER, FLEET, POOL, SOUND, tree, write

CONFIG = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\n"
CLOSING = "repository: https://example.com/x}}\n"
assert CLOSING in FLEET


@pytest.fixture(autouse=True)
def _repository(run: Run) -> None:
    Path(".git").rmdir()
    subprocess.run(["git", "init", "-q"], check=True)


def delivered(path: str = "") -> str:
    """A sound fleet with `delivery.path`."""
    return SOUND.replace(CLOSING, f"repository: https://example.com/x, path: {path}}}}}\n") if path else SOUND


def paths(out: str) -> set[str]:
    """The paths that Flux or Argo CD applies, without the part below the cluster."""
    texts = [content.decode() for name, content in tree(out).items() if "/sync/" in name]
    written = re.findall(r"(?m)^\s*(?:- )?path: (\S+)/c1/\w+$", "\n".join(texts))
    return {path.removeprefix("./") for path in written}


@pytest.mark.parametrize("engine", ["flux", "argocd"])
@pytest.mark.parametrize(
    ("config", "words", "out"),
    [
        ("infra/gpu/.gitgpu.yaml", ("infra/gpu",), "infra/gpu/rendered"),
        ("infra/gpu/.gitgpu.yaml", ("-C", "infra/gpu"), "infra/gpu/rendered"),
        ("infra/.gitgpu.yaml", ("infra/gpu",), "infra/rendered"),
        (".gitgpu.yaml", ("infra/gpu",), "rendered"),
    ],
)
def test_the_path_follows_from_the_output_directory(
    run: Run, config: str, words: tuple[str, ...], out: str, engine: str
) -> None:
    write(SOUND.replace("delivery: {", f"delivery: {{engine: {engine}, "), "infra/gpu/fleet.yaml")
    write(f"{CONFIG}{'fleet: [fleet.yaml]' if 'gpu' in config else 'fleet: [infra/gpu]'}\nout: rendered\n", config)
    if config == "infra/.gitgpu.yaml":
        write(f"{CONFIG}out: rendered\n", config)
    assert run("build", *words).code == 0
    assert paths(out) == {out}
    for layer in ("nodes", "controllers"):
        assert Path(out, "c1", layer).is_dir()


def test_an_output_directory_on_the_command_line_sets_the_path(run: Run) -> None:
    write(SOUND, "infra/gpu/fleet.yaml")
    assert run("build", "infra/gpu", "--out", "infra/gpu/out").code == 0
    assert paths("infra/gpu/out") == {"infra/gpu/out"}
    assert run("build", "infra/gpu").code == 0
    assert paths("overlays") == {"overlays"}


def test_an_output_directory_in_another_repository(run: Run) -> None:
    write(SOUND)
    Path("rendered").mkdir()
    subprocess.run(["git", "init", "-q", "rendered"], check=True)
    assert run("build", "--out", "rendered/prod").code == 0
    assert paths("rendered/prod") == {"prod"}


def test_without_a_repository_the_path_is_relative_to_the_configuration(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["rm", "-r", ".git"], check=True)
    write(SOUND, "infra/gpu/fleet.yaml")
    write(f"{CONFIG}fleet: [fleet.yaml]\nout: out\n", "infra/gpu/.gitgpu.yaml")
    assert run("build", "infra/gpu").code == 0
    assert paths("infra/gpu/out") == {"out"}


def test_a_checkout_in_another_directory_gives_the_same_bytes(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    built = []
    for place in ("one", "another/place"):
        write(SOUND, f"{place}/infra/fleet.yaml")
        write(f"{CONFIG}out: out\n", f"{place}/infra/.gitgpu.yaml")
        subprocess.run(["git", "init", "-q", place], check=True)
        assert run("build", f"{place}/infra").code == 0
        built.append(tree(f"{place}/infra/out"))
    assert built[0] == built[1]
    assert paths("one/infra/out") == {"infra/out"}


def test_a_moved_fleet_is_out_of_date(run: Run) -> None:
    """The path is one of the inputs of a build."""
    write(SOUND, "a/fleet.yaml")
    write(f"{CONFIG}out: out\n", "a/.gitgpu.yaml")
    assert run("build", "a").code == 0
    Path("a").rename("b")
    assert run("build", "b", "--check").code == 1
    assert run("build", "b").code == 0
    assert paths("b/out") == {"b/out"}


@pytest.mark.parametrize("said", ["overlays", "infra/overlays", "other/infra/gpu/out"])
def test_a_path_that_is_not_the_output_directory(run: Run, said: str) -> None:
    write(delivered(said), "infra/gpu/fleet.yaml")
    write(f"{CONFIG}fleet: [fleet.yaml]\nout: out\n", "infra/gpu/.gitgpu.yaml")
    ran = run("build", "infra/gpu")
    assert ran.code == 1
    assert not Path("infra/gpu/out").exists()
    [line] = [line for line in ran.out.splitlines() if "CFG003" in line]
    assert re.match(r"infra/gpu/fleet.yaml:4:\d+: error\[CFG003\]", line)
    assert f"delivery.path is {said}" in line
    assert "infra/gpu/.gitgpu.yaml:4:6" in line
    write(delivered("infra/gpu/out"), "infra/gpu/fleet.yaml")  # as the remedy says
    assert run("build", "infra/gpu").code == 0
    assert paths("infra/gpu/out") == {"infra/gpu/out"}


def test_both_places_are_relative_to_the_root_in_ci(run: Run) -> None:
    write(delivered("wrong"), "infra/gpu/fleet.yaml")
    write(f"{CONFIG}fleet: [fleet.yaml]\nout: out\n", "infra/gpu/.gitgpu.yaml")
    ran = run("-C", "infra/gpu", "validate", "-o", "github")
    assert "file=infra/gpu/fleet.yaml,line=4," in ran.out
    assert " infra/gpu/.gitgpu.yaml:4:6 " in ran.out


def test_the_path_of_one_cluster(run: Run) -> None:
    write("---\n".join((FLEET, CLUSTER.replace("spec: {", "spec: {delivery: {path: wrong}, "), POOL)))
    assert run("validate").code == 0  # there is no output directory
    assert run("build").code == 0
    write(f"{CONFIG}out: overlays\n", ".gitgpu.yaml")
    ran = run("validate")
    assert ran.code == 1
    assert "delivery.path is wrong" in ran.out


@pytest.mark.parametrize(("path", "code"), [("infra/gpu/out", 0), ("out", 0), ("gpu", 1), ("outer/about", 1)])
def test_without_a_repository_only_certain_faults_are_reported(run: Run, path: str, code: int) -> None:
    subprocess.run(["rm", "-r", ".git"], check=True)
    write(delivered(path))
    write(f"{CONFIG}out: out\n", ".gitgpu.yaml")
    assert run("validate").code == code


def test_another_directory_on_the_command_line_is_not_a_contradiction(run: Run) -> None:
    write(delivered("clusters"))
    write(f"{CONFIG}out: out\n", ".gitgpu.yaml")
    assert run("validate").code == 1
    assert run("build", "--out", "../elsewhere").code == 0
    assert paths("../elsewhere") == {"clusters"}


def test_a_directory_whose_name_is_not_utf_8_is_refused_if_it_belongs_to_the_path(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(SOUND)
    name = os.fsdecode(b"\xff")
    refused = run("build", "--out", name)
    assert (refused.code, "error[OUT006]" in refused.out, Path(name).exists()) == (1, True, False)
    assert refused.out == (
        "\\udcff: error[OUT006] refusing to build into this directory: its path is not UTF-8, so delivery.path cannot "
        "contain it\n"
        "  = help: rename the directory\n"
    )
    Path(name, ".git").mkdir(parents=True)
    monkeypatch.chdir(name)
    write(SOUND)
    assert run("build").code == 0
