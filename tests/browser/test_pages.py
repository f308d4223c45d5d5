"""Every kind of page is readable at each width, in light and dark, on paper and for a screen reader."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import HTML, ROOT, Opened

AXE = ROOT / "build" / "site-test" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = (
    "index.html",
    "tutorial.html",
    "size-explorer.html",
    "search.html?q=nvidia.com/gpu",
    "troubleshooting.html",
    "how-to/choose-a-driver-owner.html",
    "how-to/find-out-why-a-pod-is-pending.html",
    "explanation/what-an-edit-rolls.html",
    "explanation/how-it-works.html",
    "reference/spec.html",
    "reference/cli.html",
    "reference/sizes.html",
    "reference/fleet-rules.html",
    "reference/rules/DRV005.html",
    "reference/versions.html",
    "decisions/0035-a-site-by-sphinx.html",
    "changelog.html",
)
EXTERNAL = re.compile(r"<(?:script|img|iframe|source|link)\b[^>]*\b(?:src|srcset|href)=\"(?:https?:)?//[^\"]+\"[^>]*>")


@pytest.mark.parametrize("width", [320, 390, 768, 1440])
@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_as_wide_as_the_window(opened: Opened, path: str, width: int) -> None:
    page = opened(path, width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("h1").count() == 1
    # Scrolling regions are inside the page; nothing else may reach beyond it.
    assert page.evaluate("document.querySelector('article').scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_serious(opened: Opened, path: str, width: int, scheme: str) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not installed: make site-test")
    page = opened(path, width, scheme)
    page.add_script_tag(content=AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then((result) => result.violations)")
    assert [_said(violation) for violation in found if violation["impact"] in ("serious", "critical")] == []


def _said(violation: dict[str, Any]) -> str:
    nodes = [node["html"][:120] for node in violation["nodes"][:3]]
    return f"{violation['id']} ({len(violation['nodes'])}): {nodes}"


def test_a_diagram_follows_the_choice_of_light_or_dark(opened: Opened) -> None:
    page = opened("explanation/how-it-works.html")
    paper = "getComputedStyle(document.querySelector('.diagram .paper')).fill"
    body = "getComputedStyle(document.body).backgroundColor"
    colours = set()
    for _ in range(3):  # auto, light, dark
        page.locator(".theme-toggle-content button").click()
        colours.add((page.evaluate(paper), page.evaluate(body) == "rgb(255, 255, 255)"))
    assert colours == {("rgb(255, 255, 255)", True), ("rgb(22, 25, 29)", False)}


def test_a_printed_page_has_only_its_text(opened: Opened) -> None:
    page = opened("how-to/choose-a-driver-owner.html")
    page.emulate_media(media="print")
    assert not page.locator(".sidebar-drawer").is_visible()
    assert not page.locator(".related-pages").is_visible()
    assert page.locator("article .diagram").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 1440


def test_the_version_is_shown_on_each_page(opened: Opened) -> None:
    page = opened("reference/rules/DRV005.html")
    assert re.fullmatch(r"gitgpu \d+\.\d+\.\d+( \(.+\))?", page.locator(".sidebar-brand-text").inner_text())


def test_no_page_names_a_file_of_another_host() -> None:
    if not HTML.exists():
        pytest.skip("there is no build/site/html: run `make site`")
    pages = sorted(HTML.rglob("*.html"))
    assert len(pages) > 500
    named = {(page.name, tag) for page in pages for tag in EXTERNAL.findall(Path(page).read_text(encoding="utf-8"))}
    assert [tag for _, tag in named if 'rel="canonical"' not in tag] == []


def test_every_text_that_llms_txt_names_is_on_the_site() -> None:
    if not HTML.exists():
        pytest.skip("there is no build/site/html: run `make site`")
    named = re.findall(r"\]\(https://[^/]+/gitgpu/([^)]+)\)", (HTML / "llms.txt").read_text(encoding="utf-8"))
    assert len(named) > 100
    assert [path for path in named if not (HTML / path).is_file()] == []
