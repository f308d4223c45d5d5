"""The example fleet in a real editor, Neovim without a screen, with the configuration of the how-to page."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.cli.lsp.conftest import EXAMPLE, ROOT

PAGE = ROOT / "docs/how-to/edit-in-an-editor.md"
SCRIPT = Path(__file__).with_name("neovim.lua")
OLDEST = (0, 11)


def neovim() -> str:
    """The program. Skips the test without a version that the page is about."""
    program = shutil.which("nvim")
    if program is None:
        pytest.skip("nvim is not installed")
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    version = re.match(r"NVIM v(\d+)\.(\d+)", said)
    if version is None or tuple(map(int, version.groups())) < OLDEST:
        pytest.skip(f"Neovim is older than {'.'.join(map(str, OLDEST))}")
    return program


def test_the_example_fleet_in_neovim(tmp_path: Path) -> None:
    program = neovim()
    (tmp_path / "fleet.yaml").write_text(EXAMPLE, "utf-8")
    [configuration] = re.findall(r"```lua\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    (tmp_path / "init.lua").write_text(configuration, "utf-8")
    (tmp_path / "home").mkdir()
    # The program of this checkout, as `gitgpu` on the PATH.
    command = tmp_path / "bin/gitgpu"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m gitgpu "$@"\n', "utf-8")
    command.chmod(0o755)
    home = {f"XDG_{name}_HOME": str(tmp_path / "home") for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    environment = {
        **os.environ,
        **home,
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "FLEET": str(tmp_path / "fleet.yaml"),
        "SHOWN": str(tmp_path / "shown.json"),
    }
    ran = [program, "--headless", "-n", "-i", "NONE", "-u", str(tmp_path / "init.lua"), "-l", str(SCRIPT)]
    run = subprocess.run(ran, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False, timeout=300)
    assert (tmp_path / "shown.json").exists(), run.stderr
    shown = json.loads((tmp_path / "shown.json").read_text("utf-8"))
    assert "timeout" not in shown, (shown, run.stderr)
    assert shown["server"] == "gitgpu"
    assert any(finding.startswith("SHP003") and "driver" in finding for finding in shown["findings"])
    assert shown["fixed"] == "  driver: managed"
    assert shown["size"].startswith("1 x T4 16 GiB, 4 vCPU, 28 GiB, $")
    assert "**GpuPool t4-lab**" in shown["hover"]
    assert "4 nodes, 4 GPUs, $" in shown["hover"]
    assert shown["renamed"] == "  pools: [laboratory]"


def test_other_configurations_of_the_page_can_be_read() -> None:
    """No other editor is here. At least, its file is valid and starts the server."""
    page = PAGE.read_text("utf-8")
    [helix] = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    server = tomllib.loads(helix)["language-server"]["gitgpu"]
    assert [server["command"], *server["args"]] == ["gitgpu", "lsp"]
    code, zed = (json.loads(block) for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL))
    assert [code["glspc.server.command"], *code["glspc.server.commandArguments"]] == ["gitgpu", "lsp"]
    binary = zed["lsp"]["yaml-language-server"]["binary"]
    assert [binary["path"], *binary["arguments"]] == ["gitgpu", "lsp"]
