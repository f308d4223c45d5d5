"""The search of the site, in a browser: what people paste leads to the cause."""

import json
import re

import pytest

from tests.browser.conftest import HTML, Opened

# As clusters print them, and the anchor in docs/troubleshooting.md that explains each.
SYMPTOMS = {
    "0/3 nodes are available: 3 Insufficient nvidia.com/gpu.": "insufficient-gpu",
    "0/5 nodes are available: 5 cannot allocate all claims. still not schedulable": "cannot-allocate-claims",
    "The node was low on resource: ephemeral-storage. Threshold quantity: 10Gi": "evicted-low-on-resource",
    "Failed to initialize NVML: Driver/library version mismatch": "nvml-version-mismatch",
    "all requested instance types were unavailable during launch": "all-types-unavailable",
}


@pytest.mark.parametrize("text", SYMPTOMS)
def test_a_pasted_message_finds_its_cause_first(opened: Opened, text: str) -> None:
    page = opened("tutorial.html")
    page.locator(".sidebar-search").fill(text)
    page.locator(".sidebar-search").press("Enter")
    first = page.locator("#search-results a").first
    first.wait_for()
    assert first.get_attribute("href") == f"troubleshooting.html#{SYMPTOMS[text]}"
    assert "result" in page.locator("#search-status").inner_text()
    first.click()
    page.wait_for_url(f"**/troubleshooting.html#{SYMPTOMS[text]}")
    assert page.locator(f"[id='{SYMPTOMS[text]}']").count() == 1


@pytest.mark.parametrize(
    ("text", "code"), [("DRV005", "DRV005"), ("drv005", "DRV005"), ("node-pool-field-on-karpenter", "AGP004")]
)
def test_a_rule_is_found_by_its_code_and_its_name(opened: Opened, text: str, code: str) -> None:
    page = opened(f"search.html?q={text}")
    assert page.locator("#search-results a").first.get_attribute("href") == f"reference/rules/{code}.html"


def test_what_is_typed_is_text(opened: Opened) -> None:
    page = opened("search.html")
    page.locator("#search-text").fill('<img src=x onerror="alert(1)"> nvidia')
    page.locator("#search-results li").first.wait_for()
    assert page.locator("#search-results img").count() == 0
    page.locator("#search-text").fill("qqqqzzzz")
    page.get_by_text("Nothing found").wait_for()


def test_the_search_works_from_a_file(opened: Opened) -> None:
    page = opened("search.html?q=Insufficient nvidia.com/gpu", base=f"file://{HTML}/")
    assert page.locator("#search-results a").first.get_attribute("href") == "troubleshooting.html#insufficient-gpu"


def test_every_result_leads_to_a_heading_that_exists() -> None:
    if not HTML.exists():
        pytest.skip("there is no build/site/html: run `make site`")
    script = (HTML / "_static" / "search-data.js").read_text(encoding="utf-8")
    entries = json.loads(script.removeprefix("window.GITGPU_SEARCH = ").rstrip().removesuffix(";"))
    ids: dict[str, set[str]] = {}
    missing = []
    for path, _, anchor in (entry["at"].partition("#") for entry in entries):
        if path not in ids:
            ids[path] = {"", *re.findall(r'\bid="([^"]+)"', (HTML / path).read_text(encoding="utf-8"))}
        if anchor not in ids[path]:
            missing.append(f"{path}#{anchor}")
    assert len(entries) > 1000
    assert missing == []
