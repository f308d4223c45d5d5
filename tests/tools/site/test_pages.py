"""Pages of the site are those of docs/, with links that work in both places."""

import re
from pathlib import Path

import pytest

from tools.site.contents import contents, llms, releases, sections
from tools.site.pages import Page, Site, anchor, read
from tools.site.rules import groups, with_group

ROOT = Path(__file__).parents[3]
BLOB = "https://github.com/me/gitgpu/blob/v1.0.0"


def site(tmp_path: Path, **pages: str) -> Site:
    """A site of pages in docs/: the name of an argument is the name of its file."""
    (tmp_path / "docs" / "samples").mkdir(parents=True)
    return Site(tmp_path, [Page(f"docs/{name}.md", f"{name}.md", text) for name, text in pages.items()], BLOB)


@pytest.fixture(scope="module")
def whole() -> Site:
    return Site(ROOT, read(ROOT), BLOB)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("b.md", "b.md"),
        ("b.md#how-it-works", "b.md#how-it-works"),
        ("b.md#stays", "#stays"),  # an anchor that the page sets itself
        ("#here", "#here"),
        ("https://example.com/a.md#b", "https://example.com/a.md#b"),
        ("mailto:me@example.com", "mailto:me@example.com"),
        ("samples/fleet.yaml", f"{BLOB}/docs/samples/fleet.yaml"),
        ("../README.md#start", f"{BLOB}/README.md#start"),
        ("samples", "https://github.com/me/gitgpu/tree/v1.0.0/docs/samples"),
    ],
)
def test_a_link_leads_to_the_site_or_to_the_repository(tmp_path: Path, target: str, expected: str) -> None:
    made = site(
        tmp_path, a=f"# A\n\n[x]({target}) and [y][z]\n\n[z]: {target}\n", b='# B\n\n<a id="stays"></a>\n\n## X\n'
    )
    assert made.text(made.pages[0]) == f"# A\n\n[x]({expected}) and [y][z]\n\n[z]: {expected}\n"


def test_a_link_leads_to_the_new_name_of_a_page() -> None:
    pages = [
        Page("docs/how-to/a.md", "how-to/a.md", "[x](../README.md) [y](../../CHANGELOG.md#unreleased)"),
        Page("docs/README.md", "index.md", ""),
        Page("CHANGELOG.md", "changelog.md", ""),
    ]
    made = Site(ROOT, pages, BLOB)
    assert made.text(pages[0]) == "[x](../index.md) [y](../changelog.md#unreleased)"


def test_blocks_stay_as_they_are(tmp_path: Path) -> None:
    text = '# A\n\n- x\n\n  ```md\n  [x](../y.md)\n  ```\n\n```html\n<a id="b"></a>\n```\n'
    made = site(tmp_path, a=text)
    assert made.text(made.pages[0]) == text


def test_an_own_anchor_becomes_a_target(tmp_path: Path) -> None:
    made = site(tmp_path, a='# A\n\n<a id="no-gpu"></a>\n\n### `no GPU`\n')
    assert made.text(made.pages[0]) == "# A\n\n(no-gpu)=\n\n### `no GPU`\n"


def test_a_picture_is_part_of_the_page(tmp_path: Path) -> None:
    made = site(tmp_path, a="# A\n\n![Two boxes](pictures/diagrams/two.svg)\n")
    (tmp_path / "docs/pictures/diagrams").mkdir(parents=True)
    (tmp_path / "docs/pictures/diagrams/two.svg").write_text("<svg>2</svg>\n", encoding="utf-8")
    opened = '<div class="picture diagrams" role="group" tabindex="0" aria-label="Two boxes">'
    assert f"```{{raw}} html\n{opened}\n<svg>2</svg>\n</div>\n```" in made.text(made.pages[0])


@pytest.mark.parametrize(
    ("heading", "expected"),
    [("AKS: what it `refuses`", "aks-what-it-refuses"), ("[A](b.md) & B", "a--b"), ("x_y, 1.2", "x_y-12")],
)
def test_anchors_are_those_of_github(heading: str, expected: str) -> None:
    assert anchor(heading) == expected


def test_every_page_is_listed_once_in_the_order_of_the_index(whole: Site) -> None:
    made = [*sections(whole)]
    assert [section.caption for section in made if ":" not in section.caption] == [
        "Start",
        "Adopt",
        "Review",
        "Operate",
        "Upgrade",
        "Fix",
        "Reference",
        "Explanation",
        "Decisions",
        "Project",
    ]
    listed = [page.name for section in made for page in section.pages]
    assert sorted(listed) == sorted(page.name for page in whole.pages if not page.is_rule and page.name != "index.md")
    assert len(listed) == len({*listed})
    assert "\n:caption: Fix\n\ntroubleshooting\n" in contents(whole)


def test_every_rule_has_a_group_and_its_page_names_it(whole: Site) -> None:
    made = [*groups(whole.by_path)]
    rules = {code: group for group in made for code in group.rules}
    assert rules.keys() == {Path(page.name).stem for page in whole.pages if page.is_rule}
    page = whole.by_path["docs/reference/rules/AUT003.md"]
    text = with_group(page.text, "AUT003", rules["AUT003"])
    assert text.startswith("---\norphan: true\n---\n")
    assert (
        "\n\nGroup: [AKS Automatic: what it refuses, and what it does itself](../fleet-rules.md#aks-automatic-" in text
    )
    others = text.partition("## Other rules of this group")[2]
    assert "- [AUT001 pods-below-baseline-of-automatic](AUT001.md)\n" in others
    assert "AUT003" not in others
    assert page.text.partition("\n\n## ")[2] in text


def test_llms_txt_lists_every_page_with_its_title(whole: Site) -> None:
    text = llms(whole, "https://example.com/gitgpu/")
    assert text.startswith("# gitgpu\n\n> ")
    assert "- [Troubleshooting](https://example.com/gitgpu/_sources/troubleshooting.md)\n" in text
    assert len(re.findall(r"^- \[", text, re.MULTILINE)) == sum(len(section.pages) for section in sections(whole))


def test_the_releases_are_those_of_the_changelog_that_have_a_date(whole: Site) -> None:
    text = releases(whole, "https://example.com/gitgpu/", "9.9.9 (main)")
    assert "This is the documentation of gitgpu 9.9.9 (main)." in text
    assert re.search(
        r"^\| \[0\.1\.0\]\(https://example\.com/gitgpu/0\.1\.0/\) \| 20\d\d-\d\d-\d\d \|$", text, re.MULTILINE
    )
    assert "Unreleased" not in text
