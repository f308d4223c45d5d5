"""Lua as Argo CD runs scripts from argocd-cm: version 5.1, one object as `obj`, only the base and table libraries."""

from collections.abc import Mapping
from typing import Any

from lupa import lua51

# util/lua/lua.go of Argo CD opens these, and a library of the time that nothing here needs.
OPEN = ("_G", "table")


def health(script: str, body: Mapping[str, Any]) -> dict[str, str]:
    """What a health script says about an object. Raises LuaError when it fails, as on a value that is not there."""
    lua = lua51.LuaRuntime(unpack_returned_tuples=True)
    for name in [name for name, value in lua.globals().items() if lua51.lua_type(value) == "table"]:
        if name not in OPEN:
            lua.globals()[name] = None
    lua.globals().obj = lua.table_from(body, recursive=True)
    return dict(lua.execute(script))
