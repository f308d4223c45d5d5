"""The group of each rule, from the lists of rules, and what its page says about it on the site."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tools.site.pages import Page, anchor

LISTS = ("docs/reference/fleet-rules.md", "docs/reference/object-rules.md")
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_ROW = re.compile(r"^\| \[([A-Z]{3}\d{3})\]\([^)]+\) \| ([^|]+) \|", re.MULTILINE)


class Group(NamedTuple):
    """A group of rules: its list, its title, and the names of its rules by their codes."""

    list: Page
    title: str
    rules: Mapping[str, str]


def groups(pages: Mapping[str, Page]) -> Iterator[Group]:
    """The groups of both lists, in order."""
    for path in LISTS:
        page = pages[path]
        parts = _HEADING.split(page.text)[1:]
        for title, text in zip(parts[::2], parts[1::2], strict=True):
            yield Group(page, title, dict(_ROW.findall(text)))


def with_group(text: str, code: str, group: Group) -> str:
    """The page of a rule with a link to its group above, and the other rules of the group below."""
    title, _, rest = text.partition("\n\n## ")
    others = "\n".join(f"- [{other} {name}]({other}.md)" for other, name in group.rules.items() if other != code)
    where = f"[{group.title}](../{group.list.path.rpartition('/')[2]}#{anchor(group.title)})"
    below = f"\n## Other rules of this group\n\n{others}\n" if others else ""
    return f"---\norphan: true\n---\n\n{title}\n\nGroup: {where}\n\n## {rest}{below}"
