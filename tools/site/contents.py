"""What leads to the pages: the tables of contents of the index, and llms.txt."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tools.release import sections as sections_of
from tools.site.pages import Page, Site

_PROJECT = ("docs/architecture.md", "CONTRIBUTING.md", "CHANGELOG.md")
_MADE = {"Start": "size-explorer\n", "Project": "releases\n"}  # pages that are not in docs/
_ENTRY = re.compile(r"^- .*(?:\n  .*)*$", re.MULTILINE)
_SUMMARY = "The compiler for AKS GPU fleets: one fleet spec in, plain manifests for Flux or Argo CD out."
_TARGET = re.compile(r"\]\(([^)\s]+\.md)\)")


class Section(NamedTuple):
    """A section of the index, and the names of its pages."""

    caption: str
    pages: list[Page]


def sections(site: Site) -> Iterator[Section]:
    """The sections of docs/README.md in its order: first what starts there, last the project."""
    index = site.by_path["docs/README.md"]
    start = ("docs/tutorial.md", "docs/samples/README.md")
    yield Section("Start", [site.by_path[path] for path in start])
    above = ""
    for part in re.split(r"^(?=###? )", index.text, flags=re.MULTILINE)[1:]:
        heading = part.splitlines()[0]
        title = heading.lstrip("# ").partition(":")[0]
        above = title if heading.startswith("## ") else above
        listed = [target for entry in _ENTRY.findall(part) for target in _TARGET.findall(entry)]
        pages = [site.by_path[f"docs/{target}"] for target in dict.fromkeys(listed)]
        if pages:
            yield Section(title if title == above else f"{above}: {title.lower()}", pages)
    yield Section("Project", [site.by_path[path] for path in _PROJECT])


def contents(site: Site) -> str:
    """The tables of contents for the sidebar. They are not shown on the index itself, which lists the pages."""
    parts = []
    for section in sections(site):
        names = "\n".join(page.name.removesuffix(".md") for page in section.pages)
        more = _MADE.get(section.caption, "")
        parts.append(f"```{{toctree}}\n:hidden:\n:caption: {section.caption}\n\n{more}{names}\n```\n")
    return "\n".join(parts)


def llms(site: Site, address: str) -> str:
    """llms.txt: each page with its title and the address of its text in Markdown."""
    rules = f"The page of a rule is {address}_sources/reference/rules/CODE.md, such as AGP004.md."
    parts = [f"# gitgpu\n\n> {_SUMMARY}\n\n{rules}"]
    for section in sections(site):
        lines = "\n".join(f"- [{page.title}]({address}_sources/{page.name})" for page in section.pages)
        parts.append(f"## {section.caption}\n\n{lines}")
    return "\n\n".join(parts) + "\n"


def releases(site: Site, address: str, version: str) -> str:
    """The page with the documentation of each release. `version` is that of this site."""
    dated = [(name, date) for name, (date, _) in sections_of(site.by_path["CHANGELOG.md"].text).items() if date]
    rows = "\n".join(f"| [{name}]({address}{name}/) | {date} |" for name, date in dated)
    return (
        f"# Documentation of each release\n\nThis is the documentation of gitgpu {version}. "
        f"[The newest release]({address}) is at the root of the site, and the last ten have their own:\n\n"
        f"| Release | Date |\n| --- | --- |\n{rows}\n\n"
        "Each release also has its site as a file, `gitgpu-site.tar.gz`, which can be read without a server.\n"
    )
