"""The recorded states of clusters, and what must be said about each."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from gitgpu.diagnose.diagnosis import Diagnosis
from gitgpu.load.text import Text
from gitgpu.model.catalog import Catalog, catalog
from gitgpu.runs.diagnose import of_dump
from tests.diagnose.recording.situations import SITUATIONS

ROOT = Path(__file__).parents[2]
BY_HAND = (ROOT / "docs/samples/diagnose", Path(__file__).parent / "states")
RECORDED, REPORTED = Path(__file__).parent / "recorded", Path(__file__).parent / "reported"


class Expected(NamedTuple):
    """The verdict on each subject, texts that the answer has, and texts that it must not have.

    `unread` is how many objects cannot be read.
    """

    verdicts: Mapping[str, str]
    says: tuple[str, ...]
    never: tuple[str, ...]
    unread: int = 0


@cache
def facts() -> Catalog:
    """The catalog of this release."""
    return catalog(())


@cache
def expected() -> Mapping[str, Expected]:
    """What must be said about each state, by its name."""
    by_hand: dict[str, Expected] = {}
    for file in ("expected.yaml", "reported.yaml"):
        for name, entry in yaml.load((Path(__file__).parent / file).read_text(), yaml.CSafeLoader).items():
            lists = tuple(entry["says"]), tuple(entry["never"])
            by_hand[name] = Expected(entry["verdicts"], *lists, entry.get("unread", 0))
    return {**by_hand, **{name: Expected(*situation[1:]) for name, situation in SITUATIONS.items()}}


def state_file(name: str) -> Path:
    """The file of a state."""
    [path] = [path for path in files() if path.stem == name]
    return path


@cache
def files() -> tuple[Path, ...]:
    """The files of all states."""
    return tuple(path for folder in (*BY_HAND, RECORDED, REPORTED) for path in sorted(folder.glob("*.*")))


def diagnosed(name: str) -> Diagnosis:
    """The diagnosis of a state."""
    return of_texts(state_file(name).read_text())


def of_texts(*contents: str) -> Diagnosis:
    """The diagnosis of a dump in these texts."""
    texts = [Text(f"{number}.yaml", content, f"{number}.yaml") for number, content in enumerate(contents)]
    return of_dump(texts, facts())


def verdicts(diagnosis: Diagnosis) -> dict[str, str]:
    """The verdict on each subject: `Pod ml/chat-0: limit`."""
    return {
        f"{answer.subject.kind} {answer.subject.title}": answer.cause.verdict
        for group in diagnosis.groups
        for answer in group.answers
    }


def items(name: str) -> list[dict[str, Any]]:
    """The objects of a state."""
    return list(yaml.load(state_file(name).read_text(), yaml.CSafeLoader)["items"])
