"""The versions that registries serve, asked through `go`, `pip`, and HTTP for the indexes of charts and for pages.

What cannot be reached is unknown, never current. A client runs through `run`, a page is read through `get`; tests pass
recorded answers instead.
"""

import hashlib
import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import yaml

from gitgpu.model.syntax.version import version

Run: TypeAlias = Callable[[Sequence[str]], str | None]
Get: TypeAlias = Callable[[str], bytes | None]
_RELEASE = re.compile(r"v?\d+\.\d+\.\d+")
_PACKAGE = re.compile(r"\d+(?:\.\d+)+(?:(?:a|b|rc)\d+)?")


class Served(NamedTuple):
    """A version that a registry serves, without `v`, and the date of its release; "" if the registry does not say."""

    version: str
    date: str = ""


class Registries(NamedTuple):
    """How to ask: a command, whose output is None if it fails, and an address, whose content is None if it fails."""

    run: Run
    get: Get


def newest_module(module: str, known: str, ask: Registries) -> Served | None:
    """The newest release of a Go module, and its date; None if the proxy does not answer.

    The list of a proxy can lack versions that it serves, so those that would follow are asked for one by one, starting
    with `known`, which the catalog has.
    """
    listed = ask.run(("go", "list", "-m", "-versions", "-json", module))
    versions = json.loads(listed).get("Versions", []) if listed else []
    found = [name for name in versions if _RELEASE.fullmatch(name)]
    served = [_module(module, name, ask) for name in {_newest([*found, f"v{known}"])}]
    newest = next(filter(None, served), None) or (_module(module, _newest(found), ask) if found else None)
    while newest:
        later = next(filter(None, (_module(module, name, ask) for name in _following(newest.version))), None)
        if later is None:
            break
        newest = later
    return newest


def _module(module: str, name: str, ask: Registries) -> Served | None:
    answer = ask.run(("go", "list", "-m", "-json", f"{module}@{name}"))
    content = json.loads(answer) if answer else {}
    return Served(content["Version"].removeprefix("v"), content.get("Time", "")[:10]) if "Version" in content else None


def _following(name: str) -> Iterator[str]:
    """The versions that may come after one: the next minor and the next patch release."""
    major, minor, patch = map(int, name.split("."))
    yield f"v{major}.{minor + 1}.0"
    yield f"v{major}.{minor}.{patch + 1}"


def _newest(names: Iterable[str]) -> str:
    return max(names, key=lambda name: version(name) or ())


def newest_package(package: str, ask: Registries) -> Served | None:
    """The newest release of a Python package, pre-releases included; None if the registry does not answer."""
    listed = ask.run((sys.executable, "-m", "pip", "index", "versions", "--pre", package))
    found = _PACKAGE.findall((listed or "").partition("\n")[0].rpartition("(")[2])
    return Served(found[0]) if found else None


def newest_chart(index: str, chart: str, ask: Registries) -> Served | None:
    """The newest release of a chart in the index of its repository; None if that cannot be read."""
    content = ask.get(f"{index}/index.yaml")
    entries = (yaml.load(content, yaml.CSafeLoader) or {}).get("entries", {}).get(chart, []) if content else []
    released = {entry["version"]: str(entry.get("created", ""))[:10] for entry in entries}
    found = [name for name in released if _RELEASE.fullmatch(name)]
    newest = _newest(found) if found else ""
    return Served(newest.removeprefix("v"), released[newest]) if newest else None


def page_hash(url: str, ask: Registries) -> str:
    """The SHA-256 of a page; "" if it cannot be read."""
    content = ask.get(url)
    return hashlib.sha256(content).hexdigest() if content else ""


def run(command: Sequence[str]) -> str | None:
    """The output of a command, outside of any module; None if it fails or takes longer than a minute."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd="/", check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def get(url: str) -> bytes | None:
    """The content at an address; None if it cannot be read within half a minute."""
    try:
        with urllib.request.urlopen(url, timeout=30) as response:
            return bytes(response.read())
    except (OSError, ValueError):
        return None
