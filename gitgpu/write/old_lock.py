"""`gitgpu.lock`, which releases up to 0.1 wrote. It is read as far as possible, until a build removes it."""

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.write.cluster_record import ClusterRecord, RecordedPool
from gitgpu.write.scope import is_inside

NAME = "gitgpu.lock"
_FILE = r'(?m)^ *"([^"\\]+)": "([0-9a-f]{64}|)",?$'  # also between the markers of a conflict


class OldLock(NamedTuple):
    """The sha256 of each file that the last build wrote, by path, and the record of each cluster."""

    files: Mapping[str, str] = {}
    records: Mapping[str, ClusterRecord] = {}


def lock_text(content: bytes) -> str:
    """The text of a file with that name, or "" if gitgpu did not write it."""
    text = content.decode("utf-8", "replace")
    return text if "lock.gitgpu.dev/" in text else ""


def read_lock(text: str) -> OldLock:
    """The content of a lock. If it is not JSON, as after a merge with conflicts, only its files."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        # Both sides of a merge conflict count: a file is ours if either build wrote it.
        body = {"files": dict(re.findall(_FILE, text))}
    if not isinstance(body, dict):
        return OldLock()
    files = {path: value for path, value in _texts(body.get("files")).items() if is_inside(path) and "/" in path}
    versions, pools = _texts(body.get("kubernetes")), _mapping(body.get("pools"))
    records = {name: ClusterRecord(versions.get(name, ""), _pools(pools.get(name))) for name in (*versions, *pools)}
    return OldLock(files, records)


def _pools(raw: Any) -> dict[str, RecordedPool]:
    pools = {}
    for name, entry in _mapping(raw).items():
        pool = _mapping(entry)
        if isinstance(pool.get("nodes"), str):
            pools[name] = RecordedPool((pool["nodes"],), pool.get("retires") is True)
    return pools


def _texts(raw: Any) -> dict[str, str]:
    return {key: value for key, value in _mapping(raw).items() if isinstance(value, str)}


def _mapping(raw: Any) -> Mapping[str, Any]:
    return raw if isinstance(raw, dict) else {}
