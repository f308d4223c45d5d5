"""The versions that registries serve, asked through `go`, `pip`, and HTTP for the indexes of charts and for pages.

What cannot be reached is unknown, never current. A client runs through `run`, a page is read through `get`; tests pass
recorded answers instead.
"""

import hashlib
import json
import re
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from gitgpu.load.text import Text
from gitgpu.model.syntax.version import version
from gitgpu.refresh.answers.charts import charts

Run: TypeAlias = Callable[[Sequence[str]], str | None]
Get: TypeAlias = Callable[[str], bytes | None]
_RELEASE = re.compile(r"v?\d+\.\d+\.\d+")
_LONGEST = 300  # seconds
_PRE = re.compile(r"(?:a|b|rc)\d+$")
_RELEASED = re.compile(r"^## (\S+) \((\d{4}-\d\d-\d\d)\)", re.MULTILINE)
_PACKAGE = re.compile(r"\d+(?:\.\d+)+(?:(?:a|b|rc)\d+)?")


def order(name: str) -> tuple[tuple[int, ...], bool, str]:
    """Versions in their order: a pre-release such as 41.9.0b1 is before 41.9.0."""
    pre = _PRE.search(name)
    return version(name), pre is None, pre[0] if pre else ""


class Served(NamedTuple):
    """The newest version that a registry serves, without `v`, and the date of its release; "" if that is unknown.

    `since` is the date of the first release after the one that the catalog has. `refused` is a newer version that the
    registry knows, but whose content it does not serve.
    """

    version: str
    date: str = ""
    since: str = ""
    refused: str = ""


class Registries(NamedTuple):
    """How to ask: a command, whose output is None if it fails, and an address, whose content is None if it fails."""

    run: Run
    get: Get


def newest_module(module: str, known: str, named: Sequence[str], ask: Registries) -> Served | None:
    """The newest release of a Go module; None if the proxy serves none, or does not answer.

    The list of a proxy can lack versions that it serves. So `known`, which the catalog has, those that others have
    `named`, and those that would follow the newest one are asked for one by one.
    """
    listed = ask.run(("go", "list", "-m", "-versions", "-json", module))
    versions = json.loads(listed).get("Versions", []) if listed else []
    releases = {name.removeprefix("v") for name in versions if _RELEASE.fullmatch(name)}
    dates = {name: _date(module, name, ask) for name in {known, *named, _newest(releases)} - {""}}
    served = {name: date for name, date in dates.items() if date is not None}
    while served:
        newest = _newest(served)
        later = {name: _date(module, name, ask) for name in _following(newest)}
        served |= {name: date for name, date in later.items() if date is not None}
        if _newest(served) == newest:
            break
    names, refused = {*releases, *served}, ""
    while names and _is_empty(module, _newest(names), known, ask):
        refused = refused or _newest(names)
        names.discard(_newest(names))
    if not names:
        return None
    newest = _newest(names)
    after = min((name for name in names if known and order(name) > order(known)), key=order, default="")
    days = [served.get(name) or _date(module, name, ask) or "" for name in filter(None, (newest, after))]
    return Served(newest, days[0], days[-1] if after else "", refused)


def _is_empty(module: str, name: str, known: str, ask: Registries) -> bool:
    """Whether the proxy knows a version that the catalog lacks, but does not serve its content."""
    return bool(known and order(name) > order(known) and downloaded(module, name, ask) is None)


def downloaded(module: str, name: str, ask: Registries) -> Path | None:
    """The folder with the content of a version of a module; None if it is not served."""
    answer = ask.run(("go", "mod", "download", "-json", f"{module}@v{name}"))
    return Path(json.loads(answer)["Dir"]) if answer else None


def _date(module: str, name: str, ask: Registries) -> str | None:
    """The date of a version of a module; None if it is not served."""
    answer = ask.run(("go", "list", "-m", "-json", f"{module}@v{name}"))
    return str(json.loads(answer).get("Time", ""))[:10] if answer else None


def _following(name: str) -> Iterator[str]:
    """The versions that may come after one: a patch can be skipped."""
    major, minor, patch = version(name)
    yield from (f"{major}.{minor}.{patch + 1}", f"{major}.{minor}.{patch + 2}")
    yield from (f"{major}.{minor + 1}.0", f"{major}.{minor + 1}.1")


def _newest(names: Iterable[str]) -> str:
    return max(names, key=order, default="")


def newest_package(package: str, known: str, ask: Registries) -> Served | None:
    """The newest release of a Python package, pre-releases included; None if the registry does not answer.

    The registry's client tells no dates. Those of a version that the catalog lacks are read from its own change log.
    """
    listed = ask.run((sys.executable, "-m", "pip", "index", "versions", "--pre", package))
    found = _PACKAGE.findall((listed or "").partition("\n")[0].rpartition("(")[2])
    if not found or not known or order(found[0]) <= order(known):
        return Served(found[0]) if found else None
    dates = _change_log(package, found[0], ask)
    since = min((date for name, date in dates.items() if order(name) > order(known)), default="")
    return Served(found[0], dates.get(found[0], ""), since)


def _change_log(package: str, name: str, ask: Registries) -> Mapping[str, str]:
    """The dates of the releases in the change log of a wheel; empty if it cannot be downloaded, or has none."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = f"{package}=={name}"
        ask.run((sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, wanted))
        for wheel in Path(folder).glob("*.whl"):
            return release_dates(wheel)
    return {}


def release_dates(wheel: Path) -> Mapping[str, str]:
    """The dates of the releases in the change log of a wheel, the newest first."""
    with zipfile.ZipFile(wheel) as archive:
        metadata = next(path for path in archive.namelist() if path.endswith(".dist-info/METADATA"))
        return dict(_RELEASED.findall(archive.read(metadata).decode()))


def newest_chart(index: str, chart: str, known: str, ask: Registries) -> Served | None:
    """The newest release of a chart in the index of its repository; None if that cannot be read."""
    address = f"{index}/index.yaml"
    content = ask.get(address) or b""
    read, _ = charts(Text(address, content.decode(errors="replace"), address), {chart})
    published = read.releases[chart] if read else ()
    dates = {release.version.removeprefix("v"): release.created[:10] for release in published}
    released = {name: date for name, date in dates.items() if _RELEASE.fullmatch(name)}
    if not released:
        return None
    newest = _newest(released)
    since = min((date for name, date in released.items() if known and order(name) > order(known)), default="")
    return Served(newest, released[newest], since)


def page_hash(url: str, ask: Registries) -> str:
    """The SHA-256 of a page; "" if it cannot be read."""
    content = ask.get(url)
    return hashlib.sha256(content).hexdigest() if content else ""


def run(command: Sequence[str]) -> str | None:
    """The output of a command, outside of any module; None if it fails, or takes too long."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_LONGEST, cwd="/", check=False)
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
