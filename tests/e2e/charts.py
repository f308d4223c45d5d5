"""Replacements for charts that cannot be downloaded: with the same name and version, they only output their values."""

import hashlib
import io
import json
import tarfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import NamedTuple

from tests.e2e.web import answering

TOLD = "values-of"  # prefix of the ConfigMap that a release creates
TEMPLATE = f"""\
apiVersion: v1
kind: ConfigMap
metadata: {{name: "{TOLD}-{{{{ .Release.Name }}}}", namespace: "{{{{ .Release.Namespace }}}}"}}
data: {{values: {{{{ .Values | toJson | quote }}}}}}
"""


class Chart(NamedTuple):
    """A chart, as a release asks for it."""

    name: str
    version: str


class Quiet(SimpleHTTPRequestHandler):
    """Serves the files of a folder over HTTP, without logging."""

    def log_message(self, *_: object) -> None:
        """Logs nothing."""


def package(chart: Chart) -> bytes:
    """The archive of a chart with a single template."""
    files = {
        "Chart.yaml": json.dumps({"apiVersion": "v2", "name": chart.name, "version": chart.version}),
        "templates/values.yaml": TEMPLATE,
    }
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for path, text in files.items():
            entry = tarfile.TarInfo(f"{chart.name}/{path}")
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))
    return buffer.getvalue()


def write(charts: Iterable[Chart], folder: Path) -> None:
    """A repository of charts in a folder: archives, and the index that Helm reads."""
    entries: dict[str, list[dict[str, object]]] = {}
    for chart in sorted(set(charts)):
        name, content = f"{chart.name}-{chart.version}.tgz", package(chart)
        (folder / name).write_bytes(content)
        digest = hashlib.sha256(content).hexdigest()
        entry: dict[str, object] = {
            "apiVersion": "v2",
            "name": chart.name,
            "version": chart.version,
            "urls": [name],
            "digest": digest,
        }
        entries.setdefault(chart.name, []).append(entry)
    (folder / "index.yaml").write_text(json.dumps({"apiVersion": "v1", "entries": entries}), encoding="utf-8")


@contextmanager
def chart_repository(charts: Iterable[Chart], folder: Path) -> Iterator[str]:
    """The URL of a repository with these charts, as long as the context lasts."""
    write(charts, folder)
    with answering(partial(Quiet, directory=str(folder))) as url:
        yield url
