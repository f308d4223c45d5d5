"""The pages in docs/ as Sphinx reads them: the same text, with links and anchors that work on the site too."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

# Pages outside docs/, and pages with another name on the site.
RENAMED = {"docs/README.md": "index.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
_BLOCK = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(\]\(|^\[[^\]]+\]: )([^)\s]+)", re.MULTILINE)
_ANCHOR = re.compile(r'^<a id="([\w-]+)"></a>$', re.MULTILINE)
_DIAGRAM = re.compile(r"^!\[([^\]]*)\]\(([^)\s]+\.svg)\)$", re.MULTILINE)
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


class Page(NamedTuple):
    """A page: its path in the repository, its path on the site, and its text in the repository."""

    path: str
    name: str
    text: str

    @property
    def title(self) -> str:
        """Its first heading, without the marks of code."""
        found = _TITLE.search(self.text)
        return found[1].replace("`", "") if found else self.name

    @property
    def is_rule(self) -> bool:
        """Whether it is the page of a rule."""
        return self.name.startswith("reference/rules/")


class Site:
    """All pages. `blob` is the address of a file of the repository, without its path."""

    def __init__(self, root: Path, pages: Iterable[Page], blob: str) -> None:
        self.root = root
        self.pages = list(pages)
        self.blob = blob

    @cached_property
    def by_path(self) -> Mapping[str, Page]:
        """The pages by their path in the repository."""
        return {page.path: page for page in self.pages}

    @cached_property
    def anchors(self) -> Mapping[str, set[str]]:
        """The anchors that a page sets itself, by its path; those of headings are not among them."""
        return {page.path: set(_ANCHOR.findall(page.text)) for page in self.pages}

    def text(self, page: Page) -> str:
        """The text of a page on the site."""
        return "".join(
            _block(part) if part.lstrip(" ").startswith("```") else self._prose(part, page)
            for part in _parts(page.text)
        )

    def _prose(self, text: str, page: Page) -> str:
        named = _ANCHOR.sub(r"(\1)=", text)
        drawn = _DIAGRAM.sub(lambda found: self._drawing(found[1], self._resolved(found[2], page)), named)
        return _LINK.sub(lambda found: found[1] + self.link(found[2], page), drawn)

    def _drawing(self, label: str, path: str) -> str:
        """A picture as part of the page: its colours follow the choice of light or dark on the site."""
        svg = (self.root / path).read_text(encoding="utf-8").strip()
        kind = Path(path).parent.name
        opened = f'<div class="picture {kind}" role="group" tabindex="0" aria-label="{label}">'
        return f"```{{raw}} html\n{opened}\n{svg}\n</div>\n```"

    def link(self, target: str, page: Page) -> str:
        """The target of a link on a page: on the site if the site has it, otherwise in the repository."""
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target) or not path:
            return target
        there = self._resolved(path, page)
        if there not in self.by_path:
            kind = "tree" if (self.root / there).is_dir() else "blob"
            return f"{self.blob.replace('/blob/', f'/{kind}/')}/{there}" + (f"#{anchor}" if anchor else "")
        if anchor in self.anchors[there]:
            return f"#{anchor}"
        name = posixpath.relpath(self.by_path[there].name, posixpath.dirname(page.name) or ".")
        return name + (f"#{anchor}" if anchor else "")

    def _resolved(self, path: str, page: Page) -> str:
        return posixpath.normpath(posixpath.join(posixpath.dirname(page.path), path))


def read(root: Path) -> Iterator[Page]:
    """The pages of the site, in order of their names."""
    for path in sorted((*root.glob("docs/**/*.md"), *(root / name for name in RENAMED if "/" not in name))):
        inside = path.relative_to(root).as_posix()
        name = RENAMED.get(inside, inside.removeprefix("docs/"))
        yield Page(inside, name.replace("README.md", "index.md"), path.read_text(encoding="utf-8"))


def anchor(heading: str) -> str:
    """The anchor of a heading, as GitHub and the site set it."""
    shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", shown.lower()).strip().replace(" ", "-")


def _block(text: str) -> str:
    """A block. GitHub draws mermaid by a script of its own; the site shows the text, which can be read."""
    return text.replace("```mermaid", "```text", 1)


def _parts(text: str) -> Iterator[str]:
    """The text in its order: prose, a block, prose."""
    end = 0
    for block in _BLOCK.finditer(text):
        yield text[end : block.start()]
        yield block[0]
        end = block.end()
    yield text[end:]
