"""The client of the protocol's own SDK, talking to `gitgpu mcp` over standard input and output.

The SDK takes a second and 30 MB to import: only who runs these tests imports it.
"""

import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from anyio.from_thread import BlockingPortal, start_blocking_portal

if TYPE_CHECKING:
    from mcp import ClientSession
    from mcp_types import CallToolResult

Result = TypeVar("Result")
Request: TypeAlias = tuple[str, dict[str, Any]]  # the name of a tool, and its arguments
ROOT = Path(__file__).parents[3]


class Server(NamedTuple):
    """A running server, which takes longer to start than to answer."""

    portal: BlockingPortal
    session: "ClientSession"

    def use(self, use: Callable[["ClientSession"], Awaitable[Result]]) -> Result:
        """What `use` returns, which gets the session."""
        return self.portal.call(use, self.session)

    def calls(self, *requests: Request) -> "list[CallToolResult]":
        """The results of requests, in their order. The client checks each against the tool's schema."""

        async def use(session: "ClientSession") -> "list[CallToolResult]":
            await session.list_tools()
            return [await session.call_tool(name, request) for name, request in requests]

        return self.use(use)


@contextmanager
def serving(*directories: Path) -> Iterator[Server]:
    """A server for these directories."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(_session(directories)) as session:
        yield Server(portal, session)


@asynccontextmanager
async def _session(directories: Sequence[Path]) -> AsyncIterator["ClientSession"]:
    from mcp import ClientSession  # noqa: PLC0415
    from mcp.client.stdio import StdioServerParameters, stdio_client  # noqa: PLC0415

    words = ["-m", "gitgpu", "mcp", *map(str, directories)]
    server = StdioServerParameters(command=sys.executable, args=words, env={"PYTHONPATH": str(ROOT)})
    with open(os.devnull, "w", encoding="utf-8") as log:
        async with stdio_client(server, errlog=log) as (answers, requests), ClientSession(answers, requests) as session:
            await session.initialize()
            yield session


def text(result: "CallToolResult") -> str:
    """Everything that a result says."""
    [content] = result.content
    assert content.type == "text"
    return content.text
