"""Runs a command, and prints each call of gitgpu's code that leads from a layer to one above it.

    python -m tests.helping.upward_calls lint overlays --jobs 1

The layers are those of import-linter in `pyproject.toml`. A call is printed as the calling module and function, and the
module that it calls. Generators and comprehensions count as parts of the function that they are written in.
"""

import json
import sys
import tomllib
from pathlib import Path
from types import FrameType
from typing import Any

from click.testing import CliRunner

from gitgpu.cli.program import program

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
GENERATOR = 0x20  # of code: its frames are called again for each value


def layers() -> dict[str, int]:
    """The number of the layer of each folder and module of gitgpu, from the top."""
    [rows] = [
        contract["layers"]
        for contract in tomllib.loads(PROJECT.read_text("utf-8"))["tool"]["importlinter"]["contracts"]
        if contract["name"] == "imports point one way"
    ]
    return {name: number for number, row in enumerate(rows) for name in row.split(" | ")}


def module(frame: FrameType) -> str:
    """The module of gitgpu that a frame belongs to, without `gitgpu.`; "" for other code."""
    name: str = frame.f_globals.get("__name__", "")
    return name.removeprefix("gitgpu.") if name.startswith("gitgpu.") else ""


def upward_calls(words: list[str]) -> list[tuple[str, str, str]]:
    """The calls of a command, as (calling module, calling function, called module)."""
    numbers, found = layers(), set[tuple[str, str, str]]()

    def look(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or (code.co_name.startswith("<") and code.co_name != "<lambda>"):
            return
        called, caller = module(frame), frame.f_back
        while caller and not module(caller):
            caller = caller.f_back
        if not called or caller is None or (code.co_flags & GENERATOR and frame.f_lasti > 10):
            return
        calling = module(caller)
        if numbers[calling.partition(".")[0]] > numbers[called.partition(".")[0]]:
            found.add((calling, caller.f_code.co_name, called))

    command = program()
    sys.setprofile(look)
    done = CliRunner().invoke(command, words)
    sys.setprofile(None)
    assert done.exit_code == 0, done.output
    return sorted(found)


if __name__ == "__main__":
    json.dump(upward_calls(sys.argv[1:]), sys.stdout)
