"""The HTML page of a plan: what needs attention, waves, paused windows, fields."""

import re
from pathlib import Path
from typing import Any

import pytest

from gitgpu.report.comparison.planned import Planned
from gitgpu.report.comparison.timeline import pauses_text
from gitgpu.report.findings import Style
from gitgpu.report.plan_formats import render_plan
from gitgpu.schedule.budget import budget, closed_times
from gitgpu.schedule.week import stretches
from tests.compare.sides import CLASS, POOL, edited
from tests.report.comparison.test_recorded_plans import files, plan
from tests.report.simulation.test_html import check_fits, tags

WEEKDAYS = {"nodes": "0", "schedule": "0 6 * * mon-fri", "duration": "14h"}
WEEKEND = {"nodes": "0", "schedule": "0 20 * * sat", "duration": "34h"}


def replacing(budgets: list[dict[str, Any]], clusters: tuple[str, ...] = ("prod",), name: str = "<p>") -> Planned:
    """A plan that replaces the 8 nodes of a pool on each cluster."""
    pool = edited(POOL, {"metadata/name": name, "spec/disruption/budgets": budgets, "spec/limits": {"nodes": "8"}})
    before, after = ({"nodes a": pool, "nodes b": edited(CLASS, {"spec/osDiskSizeGB": size})} for size in (128, 256))
    was, now = dict[str, str](), dict[str, str]()
    for cluster in clusters:
        was |= files(cluster, before)
        now |= files(cluster, after)
    return plan(was, now)


def page(planned: Planned) -> str:
    """The page, which is well-formed and has no external resources."""
    shown = render_plan(planned, "html", Style())
    elements = tags(shown).seen
    assert not [tag for tag, _ in elements if tag in ("script", "link", "img", "iframe", "object", "p>")]
    assert not re.search(r"https?:|url\((?!#hatch\))|@import", shown)
    assert "<p>:" not in shown  # the name of the pool
    return shown


def test_the_waves_are_drawn_and_what_pauses_them() -> None:
    shown = page(replacing([{"nodes": "2"}, WEEKDAYS]))
    assert "pool &lt;p&gt;: all nodes are replaced (up to 8 nodes" in shown
    [waves] = re.findall(r"<title>4 waves, 48 min</title>(.*?)</svg>", shown)
    assert waves.count("<rect") == 4
    [week] = re.findall(r"<title>Paused (Monday .*?) \(UTC\)</title>(.*?)</svg>", shown)
    assert week[0].startswith("Monday 6:00 to 20:00, Tuesday 6:00 to 20:00, ")
    assert week[1].count('class="idle"') == 5
    assert shown.index("<h2>What needs attention") < shown.index("<h2>How nodes are replaced") < shown.index("<pre>")


def test_a_pause_over_the_end_of_the_week_is_one_pause() -> None:
    shown = page(replacing([{"nodes": "1"}, WEEKEND]))
    assert "<title>Paused Saturday 20:00 to Monday 6:00 (UTC)</title>" in shown
    assert shown.count('class="idle"') == 2  # at both ends of the picture


def test_clusters_with_the_same_change_are_one_row() -> None:
    shown = page(replacing([{"nodes": "1"}], tuple(f"c-{number:03}" for number in range(200))))
    assert shown.count("<title>8 waves, 1 h 36 min</title>") == 1
    assert shown.count("and 192 more clusters") == 3  # attention, waves, section


def test_a_blocked_pool_and_a_plan_without_changes() -> None:
    blocked = page(replacing([{"nodes": "0"}]))
    assert "blocked: a budget without a schedule does not allow disruption" in blocked
    same = files("prod", {"nodes a": POOL})
    assert "<h2>No changes</h2>" in page(plan(same, same))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([WEEKDAYS], "Monday 6:00 to 20:00, Tuesday 6:00 to 20:00, Wednesday 6:00 to 20:00"),
        ([WEEKEND], "Saturday 20:00 to Monday 6:00"),
        ([{"nodes": "0", "schedule": "0 0 * * wed", "duration": "24h"}], "Wednesday 0:00 to Thursday 0:00"),
    ],
)
def test_pauses_as_text(given: list[dict[str, Any]], expected: str) -> None:
    closed = closed_times(budget(index, written) for index, written in enumerate(given))
    assert pauses_text(stretches(closed.week)).startswith(expected)


@pytest.mark.parametrize(("scheme", "widths"), [("light", (320, 768)), ("dark", (390, 1440))])
def test_nothing_is_wider_than_the_window(scheme: str, widths: tuple[int, ...], tmp_path: Path) -> None:
    clusters = tuple(f"{'c' * 60}{number:03}" for number in range(12))
    check_fits(page(replacing([{"nodes": "1"}, WEEKDAYS, WEEKEND], clusters, "p" * 63)), widths, scheme, tmp_path)


def test_old_prices_are_marked() -> None:
    planned = replacing([{"nodes": "1"}])
    assert "prices of 2026-06-18." in page(planned)
    assert "prices of 2026-06-18 (old)." in page(planned._replace(today="2030-01-01"))
    for form in ("text", "markdown"):
        assert "2026-06-18 (old)" in render_plan(planned._replace(today="2030-01-01"), form, Style())
