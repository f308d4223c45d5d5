"""The HTML page: self-contained, well-formed, accessible, and rendered in a browser."""

import html
import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.report import render
from gitgpu.report.findings import Findings, Style
from gitgpu.report.simulation.html import Basis, page
from gitgpu.report.simulation.picture import letter, picture
from gitgpu.report.simulation.price_text import prices
from gitgpu.report.simulation.view import View
from gitgpu.simulate.forecast import Node, Price, Share
from gitgpu.source import Span
from tests.simulate.worlds import A100, CLASS, H100X8, Body, deployment, forecast, pool

BROWSER = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), "")
VOID = {"meta", "br"}
FACTS = Basis("prod", "0123456789ab", False, "2026-11-22", "1.2.3")
CLUSTER: list[Body] = [
    CLASS,
    pool("a", A100, limits={"nvidia.com/gpu": "2"}),
    pool("h", H100X8),
    deployment("chat", 3),
    deployment("large", requests={"memory": "9000Gi"}),
]


@pytest.fixture(scope="module")
def shown() -> str:
    """The page of a cluster with hostile names."""
    result = forecast(*CLUSTER)
    evil = tuple(verdict._replace(name="<b>bold</b>&\"'") for verdict in result.verdicts)
    return page([result._replace(cluster="<i>c</i>", verdicts=(*result.verdicts, *evil))], FACTS)


class Tags(HTMLParser):
    """Checks that every opened tag is closed, and collects the external resources of a page."""

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


def test_the_page_is_one_file_without_external_resources(shown: str) -> None:
    elements = tags(shown).seen
    assert (
        not [tag for tag, _ in elements if tag in ("script", "link", "img", "iframe", "object", "b")]
        or "<b>a</b>" in shown
    )
    assert not any("src" in attributes for _, attributes in elements)
    assert all((attributes.get("href") or "#").startswith("#") for _, attributes in elements)
    assert not re.search(r"https?:|url\((?!#hatch\))|@import", shown)


def test_names_are_always_escaped(shown: str) -> None:
    assert "<b>bold" not in shown
    assert "&lt;b&gt;bold&lt;/b&gt;&amp;" in shown
    assert "<i>c" not in shown


def test_it_is_accessible_and_supports_dark_mode(shown: str) -> None:
    elements = tags(shown).seen
    assert ("html", {"lang": "en"}) in elements
    drawings = [attributes for tag, attributes in elements if tag == "svg" and "aria-hidden" not in attributes]
    assert drawings
    assert all(drawing["role"] == "img" for drawing in drawings)
    bars = [attributes for attributes in drawings if attributes.get("class") == "bar"]
    assert shown.count("<title>Standard_") == len(drawings) - len(bars) > 0
    assert "<title>h: a/&lt;b&gt;bold" in shown
    assert "; 3 of 8 GPUs used; on demand, $" in shown
    assert "prefers-color-scheme: dark" in shown
    assert {attributes.get("scope") for tag, attributes in elements if tag == "th"} == {"col", "row"}
    for word in ("schedulable", "unschedulable"):  # information is not conveyed by colour alone
        assert f"✓ {word}" in shown or f"✕ {word}" in shown


def test_it_has_the_facts_of_the_table(shown: str) -> None:
    assert "<dt>GPUs used at maximum replicas</dt><dd>3 of 8</dd>" in shown
    assert "9000.0Gi of memory" in shown
    assert "all.yaml:" in shown


def test_more_than_26_workloads_have_letters() -> None:
    assert [letter(number) for number in (0, 25, 26, 51, 52, 701, 702)] == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]


def test_many_equal_nodes_are_one_card() -> None:
    node = Node("p", A100, False, ("eastus-1",), 1, 1, 1, 3.6, 3.6, (Share(0, 1, 1),))
    few, many = (picture([node] * count, {0: "a/w"}) for count in (3, 300))
    assert few.count('class="size"') == 3
    assert many.count('class="size"') == 1
    assert "NC24ads A100 v4 \N{MULTIPLICATION SIGN} 300" in many
    assert "300 nodes, each Standard_NC24ads_A100_v4, zone eastus-1: 1 of a/w; 1 of 1 GPUs used" in many


def test_gpus_that_azure_does_not_count_are_not_shown_as_none() -> None:
    node = Node("p", "Standard_NV4ads_V710_v5", False, ("eastus-1",), 0, 0, 0, 0.3, 0.3, ())
    shown = picture([node], {})
    assert "<small>1 node</small>" in shown
    assert "zone eastus-1: no pod; on demand" in shown


def test_a_card_is_as_wide_as_its_text() -> None:
    long = "Standard_NC144ds_xl_RTXPRO6000BSE_v6"
    nodes = [Node("p", long, False, (), 2, 2, 8, 3.6, 3.6, (Share(0, 8, 8),))] * 300
    drawn = picture(nodes, {0: "a/w"})
    (width,) = {int(digits) for digits in re.findall(r'<svg role="img" width="(\d+)"', drawn)}
    assert "NC144ds xl RTXPRO6000BSE v6 \N{MULTIPLICATION SIGN} 300" in drawn
    assert width >= 24 + 8.3 * len("NC144ds xl RTXPRO6000BSE v6 x 300 2 GPUs")


def test_an_upper_bound_is_named_in_words() -> None:
    assert prices(Price(0.66, 0.66), Price(2.63, 2.63)) == ["$0.66 &ndash; $2.63", "$482 &ndash; $1,920"]
    assert prices(Price(None, 1.5), Price(None, 60.7)) == ["up to $60.70 (from $1.50)", "up to $44,311 (from $1,095)"]
    assert prices(Price(1.5, 1.5), Price(None, 60.7))[0] == "up to $60.70 (from $1.50)"
    assert prices(Price(None, 60.7), Price(None, 60.7))[0] == "up to $60.70"
    assert prices(Price(None, 3.0), Price(None, 2.0))[0] == "up to $3.00 &rarr; $2.00"
    assert prices(Price(3.0, 3.0), Price(None, 2.0))[0] == "up to $3.00 &rarr; $2.00"
    assert prices(Price(None, 2.0), Price(3.0, 3.0))[0] == "up to $2.00 &ndash; $3.00"
    assert prices(Price(2.0, 2.0), Price(None, None))[0] == "$2.00 &ndash; unknown"
    assert prices(Price(None, None), Price(None, None))[0] == "unknown"
    spot = Node("p", A100, True, (), 1, 1, 1, None, 3.6, (Share(0, 1, 1),))
    assert "up to $3.60/h" in picture([spot], {0: "a/w"})
    assert "price unknown" in picture([spot._replace(maximum=None)], {0: "a/w"})


def test_a_page_names_its_inputs() -> None:
    facts = Basis("<prod>", "0123456789ab", False, "2026-11-22", "1.2.3")
    shown = page([forecast(*CLUSTER)], facts)
    for text in (
        "fleet <b>&lt;prod&gt;</b>",
        "<code>0123456789ab</code></li>",
        "catalog: 2026-11-22",
        "gitgpu 1.2.3",
    ):
        assert text in shown
    assert "<title>gitgpu simulate &lt;prod&gt;</title>" in shown
    assert "with uncommitted changes" in page([], facts._replace(changed=True))
    assert "commit" not in page([], facts._replace(commit=""))


def test_different_clusters_have_an_index_and_empty_ones_are_listed_once() -> None:
    result = forecast(*CLUSTER)
    empty = forecast(CLASS, pool("a", A100))._replace(skipped=3, notes=("quiet",))
    clusters = [result._replace(cluster=f"c-{number}", notes=(f"note {number}",)) for number in range(3)]
    shown = page([*clusters, empty._replace(cluster="idle"), empty._replace(cluster="also-idle")], FACTS)
    links = [attributes["href"] for tag, attributes in tags(shown).seen if tag == "a"]
    ids = [attributes["id"] for tag, attributes in tags(shown).seen if tag == "section" and "id" in attributes]
    assert links == [f"#{name}" for name in ids]
    assert len(links) == 3
    assert "<h2>No simulated workload requests a GPU</h2>\n<h3>idle, also-idle" in shown
    assert shown.count("3 workloads without a GPU skipped.") == 1
    assert "<nav" not in page([result, empty], FACTS)


def test_clusters_with_the_same_result_are_one_section() -> None:
    result = forecast(*CLUSTER)
    clusters = [result._replace(cluster=f"c-{number:04}") for number in range(1000)]
    shown = page(clusters, FACTS)
    assert shown.count('class="size"') == page([result], FACTS).count('class="size"')
    assert "c-0007 and 992 more clusters <small>eastus</small> <small>1,000 clusters, the same on each" in shown
    [nodes] = re.findall(r"<dt>nodes</dt><dd>(\d+)</dd>", page([result], FACTS))[:1]
    assert f"<dt>nodes</dt><dd>{int(nodes) * 1000:,}</dd>" in shown  # the fleet is all of them
    assert len(shown) < 2 * len(page([result], FACTS))


def test_a_workload_has_one_letter_on_every_cluster() -> None:
    first = forecast(CLASS, pool("a", A100), deployment("beta"), deployment("gamma"))
    second = forecast(CLASS, pool("a", A100), deployment("alpha"), deployment("gamma"))._replace(cluster="second")
    shown = page([first, second], FACTS)
    keys = re.findall(r'<span class="key  k(\d)">([A-Z])</span> a/(\w+)', shown)
    assert set(keys) == {("0", "A", "beta"), ("1", "B", "gamma"), ("2", "C", "alpha")}


def test_the_first_screen_says_what_needs_attention_what_it_costs_and_what_is_idle() -> None:
    shown = page([forecast(*CLUSTER)], FACTS, view=View(over_budget="over budget: $9/hour", today="2030-01-01"))
    attention, fleet = shown.index("<h2>What needs attention</h2>"), shown.index("<h2>The fleet</h2>")
    assert attention < fleet < shown.index('<section id="c1"')
    urgent = re.findall(r'<li class="(\w+)">. (.*?)</li>', shown[attention:fleet])
    assert [level for level, _ in urgent] == sorted((level for level, _ in urgent), reverse=True, key=URGENCY.index)
    assert urgent[0] == ("unschedulable", "over budget: $9/hour.")
    assert urgent[1][1].startswith("a/large gets no node on all: ")
    assert "an hour for idle GPUs" in shown[fleet:]


URGENCY = ("schedulable", "uncertain", "unschedulable")


def test_nothing_that_needs_attention_is_said_too() -> None:
    shown = page([forecast(CLASS, pool("a", A100), deployment("chat", 1))._replace(priced="")], FACTS)
    assert "Nothing: every workload gets a node, and no GPU is idle at maximum replicas." in shown


def test_a_cluster_with_nodes_and_no_simulated_workload_says_so() -> None:
    result = forecast(*CLUSTER)
    nodes = tuple(node._replace(shares=()) for node in result.high)
    result = result._replace(verdicts=(), low=nodes, high=nodes, notes=("InferenceService a/b is not simulated",))
    shown = page([result], FACTS)
    assert "No simulated workload requests a GPU." in shown
    assert "InferenceService a/b is not simulated." in shown
    assert "<caption>Pools</caption>" in shown
    assert "<caption>Workloads</caption>" not in shown


@pytest.fixture(scope="module")
def crowded(shown: str) -> str:
    """A page of many clusters with long names, prices and paths."""
    result = forecast(*CLUSTER)
    long = tuple(verdict._replace(namespace="n" * 63, name="w" * 63) for verdict in result.verdicts)
    wide = result._replace(cluster="c" * 63, region="australiasoutheast", verdicts=long)
    nodes = tuple(node._replace(maximum=123456.78, price=None) for node in result.high)
    return page([wide, wide._replace(high=nodes), *[result] * 3], FACTS._replace(fleet="f" * 63, changed=True))


FRAME = '<iframe style="border: 0; width: {width}px; height: 900px" srcdoc="{page}"></iframe>'
HARNESS = """<!doctype html><body style="margin: 0">
{frames}<pre id="result"></pre><script>
addEventListener("load", () => {{
  const look = (frame) => {{
    const page = frame.contentDocument, root = page.documentElement;
    const wide = [...page.querySelectorAll("body *")].filter(
      (element) => element.getBoundingClientRect().right > root.clientWidth + 1 && element.tagName !== "CAPTION");
    const small = [...page.querySelectorAll("svg text")].filter(
      (text) => text.textContent && text.getBoundingClientRect().height < 10);
    return {{
      window: root.clientWidth, needed: root.scrollWidth, small: small.length,
      wide: wide.slice(0, 5).map((element) => element.tagName + "." + element.className),
      back: getComputedStyle(page.body).backgroundColor}};
  }};
  document.getElementById("result").textContent = JSON.stringify([...document.querySelectorAll("iframe")].map(look));
}});
</script>"""


def browse(content: str, folder: Path, *words: str) -> str:
    """The output of a headless browser for a page."""
    source = folder / "page.html"
    source.write_text(content, encoding="utf-8")
    command = [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    done = subprocess.run([*command, *words, source.as_uri()], capture_output=True, timeout=120, check=False, text=True)
    return done.stdout or done.stderr


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_window(crowded: str, scheme: str, tmp_path: Path) -> None:
    check_fits(crowded, (320, 768, 1440), scheme, tmp_path)


def check_fits(content: str, widths: Sequence[int], scheme: str, folder: Path) -> None:
    """Asserts that nothing on a page is wider than the window, or too small to read, in a light or dark scheme."""
    if not BROWSER:
        pytest.skip("no Chromium here")
    dark = ["--blink-settings=preferredColorScheme=0"] if scheme == "dark" else []
    frames = (FRAME.format(width=width, page=html.escape(content)) for width in widths)
    printed = browse(HARNESS.format(frames="\n".join(frames)), folder, "--window-size=1500,1000", *dark, "--dump-dom")
    reported = re.search(r'<pre id="result">(.+?)</pre>', printed)
    assert reported, printed[:2000]
    for width, result in zip(widths, json.loads(html.unescape(reported[1])), strict=True):
        assert result["window"] in range(width - 20, width + 1)
        assert result["needed"] <= result["window"]
        assert (width, result["wide"], result["small"]) == (width, [], 0)
        assert (result["back"] == "rgb(13, 17, 23)") == (scheme == "dark")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_draws_it(shown: str, scheme: str, tmp_path: Path) -> None:
    if not BROWSER:
        pytest.skip("no Chromium here")
    drawn = tmp_path / "page.png"
    dark = ["--blink-settings=preferredColorScheme=0"] if scheme == "dark" else []
    output = browse(shown, tmp_path, "--window-size=1200,1600", *dark, f"--screenshot={drawn}")
    assert drawn.exists(), output
    assert drawn.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert drawn.stat().st_size > 20_000  # ten times the size of an empty page


def test_a_browser_prints_it(crowded: str, tmp_path: Path) -> None:
    if not (BROWSER and shutil.which("pdftotext")):
        pytest.skip("no Chromium or no pdftotext here")
    paper = tmp_path / "page.pdf"
    output = browse(crowded, tmp_path, "--no-pdf-header-footer", f"--print-to-pdf={paper}")
    assert paper.exists(), output
    text = subprocess.run(["pdftotext", "-layout", paper, "-"], capture_output=True, check=True, text=True).stdout
    assert "A month" in text  # the last column is not cut off
    assert "At minimum replicas" in text


def test_a_picture_has_a_text_with_the_pods_on_a_node() -> None:
    result = forecast(CLASS, pool("h", H100X8), deployment("chat", 3))
    shown = picture(result.high, dict.fromkeys(range(3), "chat"))
    assert "3 of chat; 3 of 8 GPUs used" in shown


def test_a_line_that_no_encoding_can_write_is_spelled_out() -> None:
    hostile = Diagnostic("ABC001", Severity.ERROR, "odd \ud800 text", "correct it", Span("a.json", 1, 1))
    shown = render(Findings((hostile,), files=1, objects=1, sources={}), "text", Style())
    assert "odd \\ud800 text" in shown
