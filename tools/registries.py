"""The versions that registries serve, asked through `go`, `pip`, and HTTP for the indexes of charts and for pages.

What cannot be reached is unknown, never current. A client runs through `run`, a page is read through `get`; tests pass
recorded answers instead.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from http.client import HTTPException
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from gitgpu.access import list_at, mapping_at, text_at
from gitgpu.load.text import Text
from gitgpu.model.syntax.version import version
from gitgpu.refresh.answers.charts import charts

Run: TypeAlias = Callable[[Sequence[str]], str | None]
Get: TypeAlias = Callable[[str], bytes | None]
_RELEASE = re.compile(r"v?\d+\.\d+\.\d+")
_LONGEST = 300  # seconds
_LARGEST = 200 * 10**6  # bytes of an answer
_PRE = re.compile(r"(?:a|b|rc)\d+$")
_RELEASED = re.compile(r"^## (\S+) \((\d{4}-\d\d-\d\d)\)", re.MULTILINE)
_RAW = re.compile(r"https://raw\.githubusercontent\.com/(?P<repository>[^/]+/[^/]+)/(?P<branch>[^/]+)/(?P<path>.+)")
_PACKAGE = re.compile(r"\d+(?:\.\d+)+(?:(?:a|b|rc)\d+)?")


def order(name: str) -> tuple[tuple[int, ...], bool, str]:
    """Versions in their order: a pre-release such as 41.9.0b1 is before 41.9.0."""
    pre = _PRE.search(name)
    return version(name), pre is None, pre[0] if pre else ""


class Served(NamedTuple):
    """The newest version that a registry serves, without `v`, and the date of its release; "" if that is unknown.

    `since` is the date of the first release after the one that the catalog has. `refused` is a newer version that the
    registry knows, but whose content it does not serve. `by` says who answered if it was not the registry, and `day`
    is the date of a copy that did: nothing is known about later days.
    """

    version: str
    date: str = ""
    since: str = ""
    refused: str = ""
    by: str = ""
    day: str = ""


class Page(NamedTuple):
    """The SHA-256 of a page, "" if it cannot be read, and the date of the copy that has it, "" for the page itself."""

    sha256: str = ""
    day: str = ""


class Registries(NamedTuple):
    """How to ask: a command, whose output is None if it fails, and an address, whose content is None if it fails.

    `clones` is a folder with copies of repositories, such as `NVIDIA+gpu-operator/repo`, for what does not answer.
    """

    run: Run
    get: Get
    clones: Path | None = None


def newest_module(module: str, known: str, named: Sequence[str], ask: Registries) -> Served | None:
    """The newest release of a Go module; None if the proxy serves none, or does not answer.

    The list of a proxy can lack versions that it serves. So `known`, which the catalog has, those that others have
    `named`, and those that would follow the newest one are asked for one by one.
    """
    listed = ask.run(("go", "list", "-m", "-versions", "-json", module))
    versions = list_at(_answer(listed), "Versions")
    releases = {name.removeprefix("v") for name in map(str, versions) if _RELEASE.fullmatch(name)}
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
    folder = text_at(_answer(answer), "Dir")
    return Path(folder) if folder else None


def _date(module: str, name: str, ask: Registries) -> str | None:
    """The date of a version of a module; None if it is not served."""
    answer = ask.run(("go", "list", "-m", "-json", f"{module}@v{name}"))
    read = _answer(answer)
    return _day(text_at(read, "Time")) if text_at(read, "Version") else None


def _day(text: str) -> str:
    """The day of a time; "" if it is none."""
    try:
        return date.fromisoformat(text[:10]).isoformat()
    except ValueError:
        return ""


def _answer(text: str | None) -> Mapping[str, Any]:
    """What a client prints as JSON; empty if it is none."""
    try:
        return mapping_at(json.loads(text or ""))
    except ValueError:
        return {}


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
    """The dates of the releases in the change log of a wheel, the newest first; empty if it cannot be read."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            metadata = next(path for path in archive.namelist() if path.endswith(".dist-info/METADATA"))
            return dict(_RELEASED.findall(archive.read(metadata).decode(errors="replace")))
    except (zipfile.BadZipFile, StopIteration):
        return {}


def newest_chart(index: str, chart: str, known: str, ask: Registries) -> Served | None:
    """The newest release of a chart in the index of its repository; None if that cannot be read."""
    address = f"{index}/index.yaml"
    content = ask.get(address) or b""
    read, _ = charts(Text(address, content.decode(errors="replace"), address), {chart})
    published = read.releases[chart] if read else ()
    dates = {release.version.removeprefix("v"): _day(release.created) for release in published}
    released = {name: date for name, date in dates.items() if _RELEASE.fullmatch(name)}
    if not released:
        return None
    newest = _newest(released)
    since = min((date for name, date in released.items() if known and order(name) > order(known)), default="")
    return Served(newest, released[newest], since)


def newest_tag(repository: str, pattern: str, known: str, ask: Registries) -> Served | None:
    """The newest release among the tags of a repository on GitHub, or else of a copy; None if neither can be read.

    The group in `pattern` is the version. An answer that lacks the version that the catalog has is not complete.
    """
    listed = ask.run(("git", "ls-remote", "--tags", "--refs", f"https://github.com/{repository}"))
    dates = {line.rpartition("refs/tags/")[2]: "" for line in (listed or "").splitlines()}
    found = _newest_of(dates, pattern, known)
    copy = _copy(repository, ask)
    if found or not copy:
        return found and found._replace(by="its tags")
    form = "--format=%(refname:strip=2) %(creatordate:short)"
    tags = ask.run(("git", "-C", str(copy), "for-each-ref", form, "refs/tags"))
    found = _newest_of(dict(line.split(" ", 1) for line in (tags or "").splitlines()), pattern, known)
    day = _last_day(copy, ask)
    return found and found._replace(by=f"a copy of {day}", day=day)


def _newest_of(dates: Mapping[str, str], pattern: str, known: str) -> Served | None:
    matches = ((re.fullmatch(pattern, tag), day) for tag, day in dates.items())
    released = {match[1]: day for match, day in matches if match and _RELEASE.fullmatch(match[1])}
    if not released or (known and order(_newest(released)) < order(known)):
        return None
    since = min((day for name, day in released.items() if known and order(name) > order(known)), default="")
    return Served(_newest(released), released[_newest(released)], since)


def _copy(repository: str, ask: Registries) -> Path | None:
    copy = ask.clones / repository.replace("/", "+") / "repo" if ask.clones else None
    return copy if copy and copy.is_dir() else None


def _last_day(copy: Path, ask: Registries) -> str:
    return (ask.run(("git", "-C", str(copy), "log", "-1", "--format=%cs")) or "").strip()


def read_page(url: str, ask: Registries) -> Page:
    """A page, which can also be read from a clone of its repository, or else from a copy."""
    content = ask.get(url)
    if content:
        return Page(hashlib.sha256(content).hexdigest())
    match = _RAW.fullmatch(url)
    if not match:
        return Page()
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        quick = ("--quiet", "--depth", "1", "--filter=blob:none", "--no-checkout", "--branch", match["branch"])
        done = ask.run(("git", "clone", *quick, f"https://github.com/{match['repository']}", str(clone)))
        if done is not None and (content := _in_clone(clone, match["path"], Path(folder), ask)):
            return Page(hashlib.sha256(content).hexdigest())
        copy = _copy(match["repository"], ask)
        content = _in_clone(copy, match["path"], Path(folder), ask) if copy else None
    return Page(hashlib.sha256(content).hexdigest(), _last_day(copy, ask)) if copy and content else Page()


def _in_clone(clone: Path, path: str, folder: Path, ask: Registries) -> bytes | None:
    """The content of a file in the newest commit of a clone; None if it is not there."""
    archive = folder / "page.tar"
    if ask.run(("git", "-C", str(clone), "archive", f"--output={archive}", "HEAD", path)) is None:
        return None
    try:
        with tarfile.open(archive) as packed:
            file = packed.extractfile(path)
            return file.read() if file else None
    except (OSError, tarfile.TarError, KeyError):
        return None


@cache
def _modules() -> tempfile.TemporaryDirectory[str]:
    """An empty cache for `go`: from that of the user, it would answer for a proxy that it cannot reach."""
    return tempfile.TemporaryDirectory()


def run(command: Sequence[str]) -> str | None:
    """The output of a command, outside of any module; None if it fails, or takes too long."""
    try:
        # git must not wait for a password.
        settings = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
        if command[0] == "go":
            flags = f"{os.environ.get('GOFLAGS', '')} -modcacherw".lstrip()
            settings |= {"GOMODCACHE": _modules().name, "GOFLAGS": flags}
        done = subprocess.run(command, capture_output=True, timeout=_LONGEST, cwd="/", check=False, env=settings)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode(errors="replace") if done.returncode == 0 else None


def get(url: str) -> bytes | None:
    """The content at an address; None if it cannot be read within half a minute."""
    try:
        with urllib.request.urlopen(url, timeout=30) as response:
            return bytes(response.read(_LARGEST))
    except (OSError, ValueError, HTTPException):
        return None
