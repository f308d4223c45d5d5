"""A request to a tool, answered by a process of its own: whatever happens to it, the server goes on."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import anyio
from anyio.abc import Process
from jsonschema import Draft7Validator
from jsonschema.exceptions import best_match

from gitgpu.cli.mcp.directories import history_is_outside, is_outside
from gitgpu.cli.mcp.schemas import request_schema
from gitgpu.cli.mcp.tools import FINDINGS, Tool, command_line, named_paths

PATIENCE = 300  # seconds for one answer
LARGEST = 512 * 1024  # bytes of an answer: more does not fit into what an agent can read
_SHOWN = 300  # characters of what a request contains
_LEFT_OUT = frozenset({"GITGPU_DEBUG", "_GITGPU_COMPLETE"})  # they change what a command prints


class Answer(NamedTuple):
    """The report of a command, or why there is none; `failed` if it is not what was asked for."""

    report: Mapping[str, Any] | None
    problem: str
    failed: bool


async def answer(tool: Tool, request: Mapping[str, Any], directories: Sequence[str]) -> Answer:
    """The answer to a request. Never raises for what the request or a file contains."""
    if problem := fault(tool, request, directories):
        return _refused(problem)
    module = ("-P", "-B", "-m", "gitgpu.cli.mcp.confined")  # -P: no module of the directory is ever imported
    words = [sys.executable, *module, *directories, "--", *command_line(tool, request)]
    environment = {name: value for name, value in os.environ.items() if name not in _LEFT_OUT}
    try:
        process = await anyio.open_process(
            words, stdin=subprocess.DEVNULL, stderr=None, cwd=directories[0], env=environment
        )
    except (OSError, ValueError) as error:
        return _refused(f"the tool could not be started: {error}")
    with anyio.move_on_after(PATIENCE):
        async with process:  # kills it if the request is cancelled
            output = await _read(process)
            if len(output) > LARGEST:
                process.kill()
                return _refused(f"the answer is larger than {LARGEST // 1024} KiB: {_narrower(tool)}")
            return _answer(tool, output, await process.wait())
    return _refused(f"no answer within {PATIENCE} seconds: {_narrower(tool)}")


def fault(tool: Tool, request: Mapping[str, Any], directories: Sequence[str]) -> str:
    """What is wrong with a request; "" if nothing is. Nothing outside the directories is opened or listed."""
    error = best_match(Draft7Validator(request_schema(tool)).iter_errors(dict(request)))
    if error:
        place = "".join(f"{part}: " for part in error.absolute_path)
        return _short(f"{place}{error.message}")
    for path in named_paths(tool, request):
        if (
            path == "-"
            or is_outside(os.path.join(directories[0], path), directories)
            or path.startswith(("\\\\", "//"))
        ):
            return f"{_short(path)!r} is not in the directories of this server: {', '.join(directories)}"
    against = request.get("against")
    if against and not os.path.exists(os.path.join(directories[0], against)) and history_is_outside(directories[0]):
        return "against: the objects of this repository are in another one; pass a directory"
    return ""


def _short(text: str) -> str:
    """The text without its middle if it is long: jsonschema repeats the value before it says what is wrong with it."""
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN // 2]}...{text[-_SHOWN // 2 :]}"


async def _read(process: Process) -> bytes:
    """What the process prints, and no more than one part beyond the largest answer."""
    output = bytearray()
    assert process.stdout
    async for part in process.stdout:
        output += part
        if len(output) > LARGEST:
            break
    return bytes(output)


def _answer(tool: Tool, output: bytes, status: int) -> Answer:
    try:
        report = json.loads(output)
    except ValueError:
        return _refused(f"gitgpu ended with status {status} and without a report; its messages are in the server's log")
    is_refusal = report["kind"] == "Findings" and FINDINGS not in tool.reports
    return Answer(report, "", failed=status not in (0, 1) or is_refusal)


def _narrower(tool: Tool) -> str:
    """How to ask for less."""
    names = [
        name
        for name in ("maxFindings", "select", "cluster", "pod", "node", "region", "model")
        if name in tool.parameters()
    ]
    return f"ask for less, with {' or '.join(names)}" if names else "ask for less"


def _refused(problem: str) -> Answer:
    return Answer(None, problem, failed=True)
