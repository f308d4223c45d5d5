"""The page: whole in one file, well formed, legible to people and programs, and what a browser makes of it."""

import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from gitgpu.report.drawing import page
from gitgpu.report.picture import letter, picture
from gitgpu.simulate.explain.forecast import Node, Share
from tests.simulate.worlds import A100, CLASS, H100X8, Body, deployment, forecast, pool

BROWSER = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), "")
VOID = {"meta", "br"}
CLUSTER: list[Body] = [
    CLASS,
    pool("a", A100, limits={"nvidia.com/gpu": "2"}),
    pool("h", H100X8),
    deployment("chat", 3),
    deployment("large", requests={"memory": "9000Gi"}),
]


@pytest.fixture(scope="module")
def shown() -> str:
    """The page of a cluster whose names are hostile."""
    found = forecast(*CLUSTER)
    evil = tuple(one._replace(name="<b>bold</b>&\"'") for one in found.verdicts)
    return page([found._replace(cluster="<i>c</i>", verdicts=(*found.verdicts, *evil))])


class Tags(HTMLParser):
    """Checks that every tag that opens closes, and keeps what a page asks of others."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def tags(text: str) -> Tags:
    """The tags of a page."""
    parser = Tags()
    parser.feed(text)
    assert parser.open == []
    return parser


def test_it_is_one_file_that_asks_for_nothing_else(shown: str) -> None:
    found = tags(shown).seen
    assert (
        not [tag for tag, _ in found if tag in ("script", "link", "img", "iframe", "object", "b")]
        or "<b>a</b>" in shown
    )
    assert not any({"src", "href"} & attributes.keys() for _, attributes in found)
    assert not re.search(r"https?:|url\(|@import", shown)


def test_names_are_only_ever_text(shown: str) -> None:
    assert "<b>bold" not in shown
    assert "&lt;b&gt;bold&lt;/b&gt;&amp;" in shown
    assert "<i>c" not in shown


def test_it_can_be_read_aloud_and_in_the_dark(shown: str) -> None:
    found = tags(shown).seen
    assert ("html", {"lang": "en"}) in found
    drawings = [attributes for tag, attributes in found if tag == "svg"]
    assert drawings
    assert all(one["role"] == "img" for one in drawings)
    assert shown.count("<title>Nodes of") == len(drawings) == shown.count("<desc>")
    assert "prefers-color-scheme: dark" in shown
    assert {attributes.get("scope") for tag, attributes in found if tag == "th"} == {"col", "row"}
    for word in ("schedulable", "unschedulable"):  # colour alone says nothing
        assert f"✓ {word}" in shown or f"✕ {word}" in shown


def test_it_says_what_the_table_says(shown: str) -> None:
    assert "<dt>GPUs used at most</dt><dd>3 of 8</dd>" in shown
    assert "9000.0Gi of memory" in shown
    assert "all.yaml:" in shown


def test_letters_go_on_after_z() -> None:
    assert [letter(number) for number in (0, 25, 26, 51, 52, 701, 702)] == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]


def test_many_nodes_that_are_alike_are_one_card() -> None:
    node = Node("p", A100, False, ("eastus-1",), 1, 1, 1, 3.6, 3.6, (Share(0, 1, 1),))
    few, many = (picture([node] * count, {0: "a/w"}, "t") for count in (3, 300))
    assert few.count('class="size"') == 3
    assert many.count('class="size"') == 1
    assert "NC24ads A100 v4 \N{MULTIPLICATION SIGN} 300" in many


def test_a_card_is_as_wide_as_what_it_says() -> None:
    long = "Standard_NC144ds_xl_RTXPRO6000BSE_v6"
    nodes = [Node("p", long, False, (), 2, 2, 8, 3.6, 3.6, (Share(0, 8, 8),))] * 300
    drawn = picture(nodes, {0: "a/w"}, "t")
    (width,) = {int(one) for one in re.findall(r'<rect width="(\d+)"', drawn)}
    assert "NC144ds xl RTXPRO6000BSE v6 \N{MULTIPLICATION SIGN} 300" in drawn
    assert width >= 24 + 8.3 * len("NC144ds xl RTXPRO6000BSE v6 x 300 2 GPUs")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_draws_it(shown: str, scheme: str, tmp_path: Path) -> None:
    if not BROWSER:
        pytest.skip("no Chromium here")
    source, drawn = tmp_path / "page.html", tmp_path / "page.png"
    source.write_text(shown, encoding="utf-8")
    dark = ["--blink-settings=preferredColorScheme=0"] if scheme == "dark" else []
    words = [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1200,1600", *dark]
    words += [f"--user-data-dir={tmp_path / 'profile'}", f"--screenshot={drawn}", source.as_uri()]
    done = subprocess.run(words, capture_output=True, timeout=120, check=False, text=True)
    assert drawn.exists(), done.stderr
    assert drawn.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert drawn.stat().st_size > 20_000  # an empty page is a tenth of that
