"""The sources of upstream CRDs: a list with a commit and a hash for each, and the downloader."""

import hashlib
import re
from email.message import Message
from pathlib import Path
from urllib.error import HTTPError

import pytest

from gitgpu.load.validate.releases import PROJECT
from tests.catalog.test_catalog_rows import rows
from tests.helping.cases import for_each
from tests.oracles.cel import needs_crds
from tools.contracts import CONTRACTS, CRDS, KINDS, MORE, OF_RELEASES, ROOT, contract
from tools.crds import Source, definition, download, sources

BUNDLE = b"kind: A\n---\nkind: B\n---\nkind: C\n"


def source(content: bytes, file: str = "b.yaml") -> Source:
    """A source whose hash is that of this content."""
    return Source(file, "owner/name", "v1", "0" * 40, "all.yaml", hashlib.sha256(content).hexdigest())


def test_every_contract_is_listed_with_a_commit_or_known_by_release() -> None:
    listed = {crd.file.removesuffix(".yaml") for crd in sources()}
    assert set(MORE) <= listed <= set(KINDS) | set(MORE)
    files = {name: CONTRACTS / contract(name)[0] for name in set(KINDS) - listed} if OF_RELEASES.is_dir() else {}
    assert [name for name, path in files.items() if PROJECT not in path.read_text("utf-8")] == []
    assert [crd.file for crd in sources() if not re.fullmatch("[0-9a-f]{40}", crd.commit)] == []


@needs_crds
def test_the_definitions_have_the_listed_hashes() -> None:
    here = [each for each in sources() if (CRDS / each.file).exists()]
    assert len(here) > 20  # a folder that was made earlier may lack those that were listed later
    for upstream in (each for each in here if each.file.removesuffix(".yaml") not in MORE):
        content = (CRDS / upstream.file).read_bytes()
        assert definition(upstream, content) == content


@for_each("content", [BUNDLE, b"kind: A\n", b"kind: B\n", b"kind: C\n"])
def test_a_definition_is_a_file_or_a_document_of_it(content: bytes) -> None:
    assert definition(source(content), BUNDLE) == content


def test_a_definition_with_another_hash_is_not_written(tmp_path: Path) -> None:
    asked: list[str] = []

    def get(url: str) -> bytes:
        asked.append(url)
        if "missing" in url:
            raise HTTPError(url, 404, "Not Found", Message(), None)
        return BUNDLE

    gone = source(b"")._replace(path="missing.yaml", file="m.yaml")
    wanted = [source(b"kind: A\n", "a.yaml"), source(b"kind: other\n"), source(b"kind: C\n", "c.yaml"), gone]
    problems = download(wanted, tmp_path / "crds", get)
    assert [problem.partition(":")[0] for problem in problems] == ["b.yaml", "m.yaml"]
    assert {path.name: path.read_bytes() for path in (tmp_path / "crds").iterdir()} == {
        "a.yaml": b"kind: A\n",
        "c.yaml": b"kind: C\n",
    }
    at = "https://raw.githubusercontent.com/owner/name/" + "0" * 40
    assert asked == [f"{at}/all.yaml", f"{at}/missing.yaml"]


def test_a_server_that_cannot_be_reached_is_asked_once(tmp_path: Path) -> None:
    asked: list[str] = []

    def get(url: str) -> bytes:
        asked.append(url)
        raise TimeoutError("timed out")

    problems = download(sources(), tmp_path / "crds", get)
    assert problems == [f"{sources()[0].file}: timed out; the download stops here"]
    assert asked == [sources()[0].url]


@pytest.mark.parametrize("workflow", ["ci", "e2e"])
def test_the_workflows_use_the_chart_version_of_the_catalog(workflow: str) -> None:
    text = (ROOT / ".github" / "workflows" / f"{workflow}.yml").read_text("utf-8")
    assert f'KEDA: "{rows("charts")["keda"]["version"]}"' in text
    assert "timeout 300 " in text.partition("python -m tools.crds ")[0].splitlines()[-1]
