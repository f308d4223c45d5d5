"""The input that a page of results was generated from, as far as files and Git show it."""

from collections.abc import Sequence
from os.path import islink

from gitgpu import __version__
from gitgpu.load.catalog.evidence import Evidence
from gitgpu.load.git import Revision, read_revision, revision
from gitgpu.load.read import STANDARD_INPUT, read_paths
from gitgpu.report.simulation.html import Basis

SHOWN = 12  # digits of a commit hash: enough for the largest repositories


def basis(fleet: str, paths: Sequence[str], dates: Evidence) -> Basis:
    """The basis of results about the files in `paths`, without a commit if they are not all in the same repository."""
    named_paths = [path for path in paths if path != STANDARD_INPUT]
    facts = Basis(fleet, "", False, str(dates) if dates.median else "", __version__)
    commits = {revision("HEAD", path) for path in named_paths}
    commit = commits.pop() if len(commits) == 1 else None
    if not isinstance(commit, Revision):
        return facts
    committed = [_committed_files(commit, path) for path in named_paths]
    # Nothing of the fleet is committed yet.
    if not any(committed):
        return facts
    changed = committed != [_current(path) for path in named_paths]
    return facts._replace(commit=commit.commit[:SHOWN], changed=changed)


def _committed_files(commit: Revision, path: str) -> dict[str, str]:
    """The visible files of a path in a commit, by label."""
    texts, _ = read_revision(commit, path)
    return {text.label: _plain(text.content) for text in texts if not _is_hidden(text.label)}


def _current(path: str) -> dict[str, str]:
    """The current files of a path. Links are omitted, because Git records no content for them."""
    texts, _ = read_paths([path])
    return {text.label: _plain(text.content) for text in texts if not islink(text.name)}


def _is_hidden(label: str) -> bool:
    return any(part.startswith(".") for part in label.split("/"))


def _plain(content: str) -> str:
    """The content without the line ends that Git may have changed at checkout."""
    return content.replace("\r\n", "\n")
