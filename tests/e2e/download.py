"""`python -m tests.e2e.download FOLDER`: fetch the CRDs of others, each checked against its hash."""

import hashlib
import sys
import urllib.request
from pathlib import Path
from typing import NamedTuple

import yaml

LIST = Path(__file__).with_name("upstream.yaml")


class Source(NamedTuple):
    """A file of a repository on GitHub, at a commit or a tag, and the hash of what it holds."""

    file: str
    repository: str
    ref: str
    path: str
    sha256: str

    @property
    def url(self) -> str:
        """Where the bytes of the file are."""
        return f"https://raw.githubusercontent.com/{self.repository}/{self.ref}/{self.path}"


def sources() -> list[Source]:
    """Every file that the tests need and that neither a Go module nor a chart brings."""
    return [Source(**one) for one in yaml.load(LIST.read_text(encoding="utf-8"), yaml.CSafeLoader)]


def fetch(source: Source) -> bytes:
    """The file; ValueError when it is another than the one that is listed."""
    with urllib.request.urlopen(source.url, timeout=60) as response:
        content = bytes(response.read())
    found = hashlib.sha256(content).hexdigest()
    if found != source.sha256:
        raise ValueError(f"{source.url}: its SHA-256 is {found}, and not {source.sha256}")
    return content


def main(folder: Path) -> None:
    """Write every file into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for source in sources():
        (folder / source.file).write_bytes(fetch(source))
        print(source.file)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
