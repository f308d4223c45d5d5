"""The client of the protocol's own SDK, talking to `gitgpu mcp` over standard input and output."""

import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import anyio
from mcp import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult

Result = TypeVar("Result")
Request: TypeAlias = tuple[str, dict[str, Any]]  # the name of a tool, and its arguments
ROOT = Path(__file__).parents[3]


def serving(directories: Sequence[Path], use: Callable[[ClientSession], Awaitable[Result]]) -> Result:
    """What `use` returns, which gets a session with a server for these directories."""

    async def talk() -> Result:
        words = ["-m", "gitgpu", "mcp", *map(str, directories)]
        server = StdioServerParameters(command=sys.executable, args=words, env={"PYTHONPATH": str(ROOT)})
        with open(os.devnull, "w", encoding="utf-8") as log:
            async with (
                stdio_client(server, errlog=log) as (answers, requests),
                ClientSession(answers, requests) as session,
            ):
                await session.initialize()
                return await use(session)

    return anyio.run(talk)


def calls(directories: Sequence[Path], *requests: Request) -> list[CallToolResult]:
    """The results of requests to one server, in their order. The client checks each against the tool's schema."""

    async def use(session: ClientSession) -> list[CallToolResult]:
        await session.list_tools()
        return [await session.call_tool(name, request) for name, request in requests]

    return serving(directories, use)


def text(result: CallToolResult) -> str:
    """Everything that a result says."""
    [content] = result.content
    assert content.type == "text"
    return content.text
