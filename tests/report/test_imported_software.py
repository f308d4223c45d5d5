"""The lines about software in the report of an import."""

from gitgpu.adopt.first_build.software_change import Effect, SoftwareChange
from gitgpu.report.imported_software import software_lines
from gitgpu.source import Span

STARTS = SoftwareChange("c", "DaemonSet/n/plugin", Effect.STARTS, "nothing does the same", Span("a.yaml", 1, 1))


def of_pool(name: str, avoid: str = "") -> SoftwareChange:
    """The start of the DaemonSet for one pool."""
    return STARTS._replace(
        title=f"{STARTS.title}-pool-{name}", pools=(name,), span=Span(f"{name}.yaml", 1, 1), avoid=avoid
    )


def test_the_daemon_sets_of_many_pools_have_one_line() -> None:
    changes = [of_pool("a"), STARTS._replace(pools=("x",)), of_pool("b"), of_pool("c", avoid="driver: none")]
    assert list(software_lines(changes)) == [
        "a.yaml:1:1: DaemonSet/n/plugin, one for each pool: starts on a, b: nothing does the same",
        "a.yaml:1:1: DaemonSet/n/plugin: starts on x: nothing does the same",
        "c.yaml:1:1: DaemonSet/n/plugin-pool-c: starts on c: nothing does the same; to avoid it: driver: none",
    ]
