"""`python -m tools.crds FOLDER`: downloads upstream CRDs and checks each against its SHA-256.

The tests read them from `../shared/crds`. Tests that need a missing folder are skipped.
"""

import argparse
import hashlib
import sys
import urllib.request
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.error import HTTPError

import yaml

LIST = Path(__file__).with_suffix(".yaml")


class Source(NamedTuple):
    """A definition: a file of a repository on GitHub at a commit, or one YAML document of such a file.

    `tag` is the release of the commit, or a branch. `sha256` is the hash of `file`, which holds only the definition.
    """

    file: str
    repository: str
    tag: str
    commit: str
    path: str
    sha256: str

    @property
    def url(self) -> str:
        """The address of the file upstream."""
        return f"https://raw.githubusercontent.com/{self.repository}/{self.commit}/{self.path}"


@cache
def sources() -> tuple[Source, ...]:
    """Every definition that the tests read."""
    return tuple(Source(**row) for row in yaml.load(LIST.read_text(encoding="utf-8"), yaml.CSafeLoader))


def definition(source: Source, content: bytes) -> bytes:
    """The definition in an upstream file: the whole file, or the one document whose hash is listed.

    Raises ValueError when neither has that hash.
    """
    for part in (content, *content.replace(b"\n---\n", b"\n\0").split(b"\0")):
        if hashlib.sha256(part).hexdigest() == source.sha256:
            return part
    raise ValueError(f"{source.url}: nothing in it has the SHA-256 {source.sha256}")


def download(wanted: Iterable[Source], folder: Path, get: Callable[[str], bytes]) -> list[str]:
    """Writes the definitions into the folder. Returns a problem for each that cannot be downloaded.

    A server that cannot be reached is not tried again: each attempt can take a minute.
    """
    folder.mkdir(parents=True, exist_ok=True)
    problems, files = [], cache(get)
    for source in wanted:
        try:
            (folder / source.file).write_bytes(definition(source, files(source.url)))
        except (HTTPError, ValueError) as error:
            problems.append(f"{source.file}: {error}")
        except OSError as error:
            problems.append(f"{source.file}: {error}; the download stops here")
            break
    return problems


def get(url: str) -> bytes:
    """The bytes at a URL. Raises HTTPError if the server lacks the file, another OSError if it is unreachable."""
    with urllib.request.urlopen(url, timeout=60) as response:
        return bytes(response.read())


def main(arguments: Sequence[str]) -> int:
    """Downloads every definition. Returns 1 if any is missing; the folder is then not used."""
    parser = argparse.ArgumentParser(prog="python -m tools.crds", description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder to write to; it is created if it does not exist")
    problems = download(sources(), parser.parse_args(arguments).folder, get)
    for problem in problems:
        print(problem, file=sys.stderr)
    return int(bool(problems))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
