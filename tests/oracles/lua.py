"""Runs Lua as Argo CD runs scripts from argocd-cm: version 5.1, the object as `obj`, base and table libraries."""

from collections.abc import Mapping
from typing import Any

from lupa import lua51

# Opened in util/lua/lua.go of Argo CD, which also opens a small part of `os`; no script here needs it.
OPEN = ("_G", "table")


def health(script: str, body: Mapping[str, Any]) -> dict[str, str]:
    """The health that a script returns for an object. Raises LuaError if the script fails."""
    lua = lua51.LuaRuntime(unpack_returned_tuples=True)
    for name in [name for name, value in lua.globals().items() if lua51.lua_type(value) == "table"]:
        if name not in OPEN:
            lua.globals()[name] = None
    lua.globals().obj = lua.table_from(body, recursive=True)
    return dict(lua.execute(script))
