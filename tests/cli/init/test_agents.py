"""`init --agents` tells coding agents how to use gitgpu, and changes nothing else."""

import os
import re
from errno import EROFS
from pathlib import Path

import pytest
import yaml

from gitgpu.cli.init import agents
from gitgpu.cli.init.agents import AGENTS, SECTION, SKILL
from tests.cli.conftest import Run


def test_it_is_written_only_when_asked(run: Run) -> None:
    run("init", "plain")
    assert not Path("plain", AGENTS).exists()
    ran = run("init", "asked", "--agents")
    assert {f"asked/{name}" for name in ("fleet.yaml", AGENTS, SKILL)} <= set(ran.out.split())
    assert Path("asked", AGENTS).read_text() == SECTION


def test_a_fleet_that_exists_stays(run: Run) -> None:
    Path("fleet.yaml").write_text("mine\n")
    ran = run("init", "--agents")
    assert (ran.code, ran.out.split()) == (0, [f"./{AGENTS}", f"./{SKILL}"])
    assert sorted({*os.listdir()} - {".git"}) == [".agents", AGENTS, "fleet.yaml"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("before", ["", "# Rules\n\nUse tabs.\n", "no line end", "\ufeff# Rules\n"])
def test_the_section_is_added_once_and_the_rest_keeps_its_bytes(run: Run, before: str, end: str) -> None:
    Path(".gitgpu.yaml").touch()
    kept = before.replace("\n", end).encode()
    Path(AGENTS).write_bytes(kept)
    assert run("init", "--agents").code == 0
    once = Path(AGENTS).read_bytes()
    assert once.startswith(kept)
    assert b"\r\n" not in once or not re.search(rb"(?<!\r)\n", once)
    ran = run("init", "--agents")
    assert (ran.code, ran.out, Path(AGENTS).read_bytes()) == (0, "", once)


def test_an_older_section_is_replaced_where_it_is(run: Run) -> None:
    Path(".gitgpu.yaml").touch()
    first, *_, last = SECTION.splitlines()
    Path(AGENTS).write_text(f"above\n{first}\nold\n{last}\nbelow\n")
    run("init", "--agents")
    assert Path(AGENTS).read_text() == f"above\n{SECTION}below\n"


@pytest.mark.parametrize(
    "content",
    [SECTION.splitlines()[0].encode() + b"\nmine\n", b"\xff\xfe#\0", b"caf\xe9\n", SECTION.encode() * 2],
    ids=["half", "UTF-16", "latin", "twice"],
)
def test_a_file_that_cannot_be_changed_safely_is_not(run: Run, content: bytes) -> None:
    Path(".gitgpu.yaml").touch()
    Path(AGENTS).write_bytes(content)
    ran = run("init", "--agents")
    assert (ran.code, ran.out, Path(AGENTS).read_bytes()) == (2, "", content)
    assert AGENTS in ran.err


def test_a_link_and_a_skill_that_exists_are_not_changed(run: Run) -> None:
    Path(".gitgpu.yaml").touch()
    Path(SKILL).parent.mkdir(parents=True)
    Path(SKILL).write_text("mine\n")
    assert run("init", "--agents").out.split() == [f"./{AGENTS}"]
    assert Path(SKILL).read_text() == "mine\n"
    Path(AGENTS).unlink()
    Path(AGENTS).symlink_to("/etc/passwd")
    assert run("init", "--agents").code == 2
    assert Path(AGENTS).is_symlink()


def test_a_folder_that_cannot_be_written_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the temporary file that could not be created in it."""

    def refuse(path: str, *_arguments: object) -> None:
        raise OSError(EROFS, "Read-only file system", os.path.join(os.path.dirname(path), ".gitgpu-write.tmp"))

    Path(".gitgpu.yaml").touch()
    monkeypatch.setattr(agents, "write_file", refuse)
    ran = run("init", "--agents")
    assert (ran.code, ran.err) == (2, "gitgpu: .: Read-only file system; nothing in it was changed\n")


def test_the_skill_has_the_form_that_agents_read(run: Run) -> None:
    run("init", "--agents")
    _, head, body = Path(SKILL).read_text().split("---\n", 2)
    fields = yaml.load(head, yaml.CSafeLoader)
    assert fields.keys() == {"name", "description", "compatibility"}
    assert fields["name"] == Path(SKILL).parent.name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", fields["name"])
    assert len(fields["description"]) <= 1024
    assert len(fields["compatibility"]) <= 500
    assert body.strip()
