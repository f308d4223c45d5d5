"""The size explorer, in a browser: filters, comparison and copies, by keyboard, also from a file."""

from typing import Any

import pytest

from tests.browser.conftest import HTML, Opened

PAGE = "size-explorer.html"
FIRST, SECOND = "Standard_NC24ads_A100_v4", "Standard_NC40ads_H100_v5"


def names(page: Any) -> list[str]:
    """The sizes that the page shows."""
    return list(page.locator("#sizes tbody th code").all_inner_texts())


def count(page: Any) -> str:
    """What a screen reader is told after a change."""
    return str(page.locator("#count").inner_text())


@pytest.mark.parametrize("base", ["", f"file://{HTML}/"], ids=["server", "file"])
def test_filters_are_combined_and_the_number_is_said(opened: Opened, base: str) -> None:
    page = opened(PAGE, base=base) if base else opened(PAGE)
    before = names(page)
    assert page.locator("#count").get_attribute("aria-live") == "polite"
    page.get_by_label("GPU", exact=True).select_option("A100")
    page.get_by_label("MIG").select_option("yes")
    page.get_by_label("Price, $ an hour at most").fill("5")
    page.get_by_label("Region with a known price").select_option("westeurope")
    assert names(page) == [FIRST]
    assert count(page).startswith("1 of ")
    assert "$4.775 (2026-06-18" in page.locator("#sizes tbody tr").inner_text()
    page.get_by_role("button", name="Clear all").click()
    page.wait_for_function("document.querySelectorAll('#sizes tbody tr').length > 10")
    assert names(page) == before


def test_sizes_are_compared_and_passed_on_by_the_address(opened: Opened) -> None:
    page = opened(PAGE)
    for name in (FIRST, SECOND):
        box = page.get_by_label(f"Compare {name}")
        box.focus()
        box.press("Space")
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") == f"Compare {name}"
    heads = page.locator("#comparison thead code").all_inner_texts()
    assert heads == [FIRST, SECOND]
    assert "GPU *" in page.locator("#comparison").inner_text()
    address = page.url
    assert "compare=" in address
    page.goto("about:blank")
    page.goto(address)
    assert page.locator("#comparison thead code").all_inner_texts() == heads
    page.get_by_role("button", name="Compare others").click()
    assert not page.locator("#compared").is_visible()


def test_at_most_four_are_compared(opened: Opened) -> None:
    page = opened(PAGE)
    for name in names(page)[:4]:
        page.get_by_label(f"Compare {name}").check()
    assert page.get_by_label(f"Compare {names(page)[4]}").is_disabled()


def test_the_line_of_the_spec_is_copied(opened: Opened) -> None:
    page = opened(PAGE)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name=f"Copy sku: {FIRST}").click()
    page.get_by_text(f"Copied: sku: {FIRST}").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == f"sku: {FIRST}"


def test_an_address_with_unknown_values_shows_all_sizes(opened: Opened) -> None:
    page = opened(f"{PAGE}#gpu=%3Cscript%3E&compare=nothing,{FIRST}&sort=no")
    assert len(names(page)) > 10
    assert "1 selected" in count(page)
