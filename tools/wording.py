"""Finds wording that gitgpu avoids in everything that a user reads: `python -m tools.wording PATH...` lists it.

It helps against slipping back into old habits; it does not replace reading a sentence aloud. Exit status: 1 if there
is any, 2 for a path that does not exist.
"""

import argparse
import ast
import io
import re
import sys
import tokenize
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import yaml

from gitgpu.examples import Role
from tools.wording_list import ALLOWED, PHRASES, TERMS

ROOT = Path(__file__).parents[1]
PLACES = (
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "action.yml", "pyproject.toml"),
    *(".github", "bench", "catalog", "docs", "gitgpu", "schemas", "site", "tools/diagrams.yaml"),
)
GENERATED = ("docs/reference/rules/", "docs/reference/fleet-rules.md", "docs/reference/object-rules.md")
COMMANDS = ROOT / "gitgpu/cli"  # click shows the docstrings of modules named `command`
RULES = ROOT / "gitgpu/rules"  # each with its examples in a YAML file
NAMES = ("contracts",)  # data without a sentence
KEYS = {
    *("before", "description", "help", "hints", "installs", "meaning", "metricName", "notes", "purpose", "reason"),
    *("remedy", "summary", "title", "use", "what"),
}  # the keys of catalog rows and schemas that hold prose
FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*(?:\n[^`\n]+)?`|\]\([^)]*\)|\]: \S+|https?://\S+")
LITERAL = re.compile(r"https?://\S+|`[^`]*`|'[^' ]*'")
HEADING = re.compile(rf"^# (?:{'|'.join(Role)}): .*(?:\n#   .*)*", re.MULTILINE)
PROSE = re.compile(r"[A-Za-z,]+ [A-Za-z]")


class Passage(NamedTuple):
    """A piece of prose, and the line of the file where it starts, counted from 1."""

    line: int
    text: str


class Slip(NamedTuple):
    """An unwanted phrase: where it is and what to write instead."""

    path: str
    line: int
    phrase: str
    instead: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.phrase!r}: {self.instead}"


def blank(match: re.Match[str]) -> str:
    """Underscores in place of code, so that phrases around it keep their positions and lines."""
    return re.sub(r"[^\n]", "_", match[0])


def of_markdown(text: str) -> Iterator[Passage]:
    """The prose of a page, without blocks, code and the targets of links."""
    yield Passage(1, CODE.sub(blank, FENCE.sub(blank, text)))


def of_lines(text: str) -> Iterator[Passage]:
    """The lines of a workflow or a TOML file that hold a sentence, comments included."""
    for number, line in enumerate(text.splitlines(), 1):
        if PROSE.search(line):
            yield Passage(number, LITERAL.sub(blank, line))


def of_data(text: str) -> Iterator[Passage]:
    """The sentences of catalog rows or schemas: the values of the keys that hold prose."""
    try:
        documents = [*yaml.compose_all(text, Loader=yaml.CSafeLoader)]
    except yaml.YAMLError:  # the input of a test of faults
        return
    for document in documents:
        for key, value in _scalars(document, ""):
            if key in KEYS:
                yield Passage(value.start_mark.line + 1, LITERAL.sub(blank, value.value))


def of_examples(text: str) -> Iterator[Passage]:
    """What the headings of a rule's examples say about them."""
    for heading in HEADING.finditer(text):
        lines = "\n".join(line.removeprefix("#") for line in heading[0].splitlines())
        yield Passage(text.count("\n", 0, heading.start()) + 1, LITERAL.sub(blank, lines))


def _scalars(node: yaml.Node, key: str) -> Iterator[tuple[str, yaml.ScalarNode]]:
    if isinstance(node, yaml.ScalarNode):
        yield key, node
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _scalars(item, key)
    elif isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            yield from _scalars(value, name.value if isinstance(name, yaml.ScalarNode) else "")


def of_python(text: str, commands: bool = False) -> Iterator[Passage]:
    """The texts of a module that may reach a user: strings of several words, without docstrings and examples."""
    nodes = _nodes(text)
    skipped = {id(inner) for node in nodes if _is_example(node) for inner in ast.walk(node)}
    skipped |= set() if commands else {id(node) for node in _docstrings(nodes)}
    skipped |= {id(piece) for node in nodes if isinstance(node, ast.JoinedStr) for piece in node.values}
    for node in nodes:
        if not isinstance(node, ast.Constant | ast.JoinedStr) or id(node) in skipped:
            continue
        if PROSE.search(words := _words(node)):
            yield Passage(node.lineno, LITERAL.sub(blank, words))


@lru_cache(1)
def _nodes(text: str) -> tuple[ast.AST, ...]:
    """Every node of a module, whose texts and whose comments are read one after the other."""
    return tuple(ast.walk(ast.parse(text)))


def _is_example(node: ast.AST) -> bool:
    if isinstance(node, ast.keyword):
        return node.arg == "sources"  # links
    return isinstance(node, ast.Constant) and "apiVersion:" in str(node.value)


def _docstrings(nodes: Iterable[ast.AST]) -> Iterator[ast.expr]:
    for node in nodes:
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            yield body[0].value


def _words(node: ast.Constant | ast.JoinedStr) -> str:
    """The text of a string, with an underscore for each value in an f-string."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return "".join(_words(piece) if isinstance(piece, ast.Constant) else "_" for piece in node.values)


def of_comments(text: str) -> Iterator[Passage]:
    """The comments and docstrings of a module."""
    after_signs = "\n".join(line.partition("#")[2] for line in text.splitlines())
    if PHRASES.any.search(after_signs) or TERMS.any.search(after_signs):  # splitting a text into tokens takes long
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield Passage(token.start[0], token.string)
    for node in _docstrings(_nodes(text)):
        if isinstance(node, ast.Constant):
            yield Passage(node.lineno, LITERAL.sub(blank, _words(node)))


READERS: Mapping[str, Callable[[str], Iterator[Passage]]] = {
    **dict.fromkeys((".yml", ".toml"), of_lines),
    **dict.fromkeys((".yaml", ".json"), of_data),
    ".md": of_markdown,
    ".py": of_python,
}


def passages(path: Path, comments: bool = False) -> Iterator[Passage]:
    """The prose of a file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield from of_python(text, path.name == "command.py" and path.is_relative_to(COMMANDS))
        if comments:
            yield from of_comments(text)
    elif path.is_relative_to(RULES):
        yield from of_examples(text)
    else:
        yield from READERS[path.suffix](text)


def slips(path: Path, comments: bool = False) -> list[Slip]:
    """Every unwanted phrase, and every term that is not spelt as upstream spells it."""
    name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.as_posix()
    unique = set()
    for passage in passages(path, comments):
        text = passage.text.replace("\n", " ")
        patterns = (pattern for phrases in (PHRASES, TERMS) if phrases.any.search(text) for pattern in phrases.each)
        for pattern, instead in patterns:
            for match in pattern.finditer(text):
                line = passage.line + passage.text.count("\n", 0, match.start())
                unique.add(Slip(name, line, " ".join(match[0].split()), instead))
    return sorted(slip for slip in unique if (slip.path, slip.phrase) not in ALLOWED)


def files(places: Sequence[Path]) -> list[Path]:
    """The files with prose in these folders and files."""
    paths: list[Path] = []
    for place in places:
        paths += sorted(place.rglob("*")) if place.is_dir() else [place]
    return [path for path in paths if path.suffix in READERS and not _is_hidden(path)]


def _is_hidden(path: Path) -> bool:
    """Whether a file holds only names, or text from elsewhere."""
    return bool({"__pycache__", *NAMES} & {*path.parts}) or any(place in path.as_posix() for place in GENERATED)


def arguments() -> argparse.ArgumentParser:
    """The parser of the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.wording", description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, help="files and folders (default: all that users read)")
    parser.add_argument(
        "--comments", action="store_true", help="also search comments and docstrings, as the test does in gitgpu/"
    )
    return parser


def main(words: Sequence[str]) -> int:
    """Prints the slips in the given paths, or everywhere. Returns 1 if there are any."""
    parser = arguments()
    options = parser.parse_args(words)
    paths = [path.resolve() for path in options.paths]
    for path in paths:
        if not path.exists():
            parser.error(f"no such file or folder: {path}")
    covered = files(paths or [ROOT / place for place in PLACES])
    found = [slip for path in covered for slip in slips(path, options.comments)]
    for slip in found:
        print(slip)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
