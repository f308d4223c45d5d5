"""What the search of the site finds: rules, error messages, faults, and the sections of all other pages."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from tools.rule_pages import known
from tools.site.pages import Page, Site, anchor
from tools.site.rules import LISTS, Group, groups

_HEADING = re.compile(r"^(#{1,6}) (.+)$", re.MULTILINE)
_FAULT = re.compile(r"^\| `([A-Z]{3}\d{3})` \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
_BLOCK = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
_PRINTED = re.compile(r"^## What gitgpu prints\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
Entry = dict[str, Any]


def entries(site: Site) -> list[Entry]:
    """Everything that can be found. `kind` is rule, message, fault or page, and `at` the address from the root."""
    by_code = {code: group for group in groups(site.by_path) for code in group.rules}
    found: list[Entry] = [*_messages(), *_faults(site)]
    for page in site.pages:
        found += [_rule(page, by_code)] if page.is_rule else _sections(page)
    return found


def _messages() -> Iterator[Entry]:
    """The error messages of docs/troubleshooting.md. `whole` is the part that is always the same."""
    for symptom in known():
        where = f"{symptom.printed[0].upper()}{symptom.printed[1:]}."
        about = (where, *symptom.also, symptom.cause, symptom.remedy, *symptom.reasons, *symptom.rules)
        yield {
            "kind": "message",
            "title": symptom.text,
            "whole": symptom.text,
            "at": f"troubleshooting.html#{symptom.name}",
            "text": " ".join(about),
            "codes": list(symptom.reasons),
        }


def _faults(site: Site) -> Iterator[Entry]:
    """The codes that belong to no rule, each at the heading that it is under."""
    page = site.by_path["docs/reference/faults.md"]
    for heading, text in _under_headings(page.text):
        for code, meaning, remedy in _FAULT.findall(text):
            yield {
                "kind": "fault",
                "title": f"{code} {meaning}",
                "at": f"reference/faults.html#{anchor(heading)}",
                "text": remedy,
                "codes": [code],
            }


def _rule(page: Page, by_code: Mapping[str, Group]) -> Entry:
    code, _, name = page.title.partition(" ")
    summary, reason = (_section(page.text, heading) for heading in ("What it finds", "Why"))
    printed = _PRINTED.search(page.text)
    about = (summary, reason, printed[1] if printed else "", _section(page.text, "Symptoms"), by_code[code].title)
    return {
        "kind": "rule",
        "title": f"{code} {name}",
        "at": page.name.replace(".md", ".html"),
        "text": plain(" ".join(about)),
        "codes": [code],
    }


def _section(text: str, heading: str) -> str:
    found = re.search(rf"^## {heading}\n\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def _sections(page: Page) -> Iterator[Entry]:
    """The sections of a page, without what is found by itself: messages in Troubleshooting, rules in their lists."""
    if page.path == "docs/troubleshooting.md":
        return
    found = _under_headings(page.text)
    at = page.name.replace(".md", ".html")
    seen: Counter[str] = Counter()
    for number, (heading, text) in enumerate(islice(found, 1) if page.path in LISTS else found):
        name, here = plain(heading), anchor(heading)
        title = name if number == 0 else f"{page.title}: {name}"
        where = at if number == 0 else f"{at}#{here}" + (f"-{seen[here]}" if seen[here] else "")
        seen[here] += 1
        yield {"kind": "page", "title": title, "at": where, "text": plain(text), "codes": []}


def _under_headings(text: str) -> Iterator[tuple[str, str]]:
    """Each heading, and what is under it before the next one. A heading in a block is none."""
    blocks = [match.span() for match in _BLOCK.finditer(text)]
    heads = [found for found in _HEADING.finditer(text) if not any(a <= found.start() < b for a, b in blocks)]
    ends = [*(head.start() for head in heads[1:]), len(text)]
    for head, end in zip(heads, ends, strict=True):
        yield head[2], text[head.end() : end]


def plain(text: str) -> str:
    """The text as it is read: without comments, addresses of links, and the marks of Markdown."""
    text = re.sub(r"<!--.*?-->|^```\S*$|</?[a-z][^>]*>|^\[[^\]]+\]: \S+$", " ", text, flags=re.MULTILINE)
    text = re.sub(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])", r"\1", text)
    text = re.sub(r"^\|[-| ]+\|$|(?<!\\)\||^#+ ", " ", text, flags=re.MULTILINE)
    text = re.sub(r"\*\*|`", "", text)
    return " ".join(re.sub(r"\\([|*<])", r"\1", text).split())
