"""Clusters that share all files are checked only once, and each has the findings."""

from tests.helping.work import lines
from tests.lint.test_lint import linted

LABELLED = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NAME, namespace: gpu, labels: {a: -wrong-}}\n"


def fleet(clusters: int, *, own: bool = False) -> dict[str, str]:
    """Clusters with the same files. With `own`, each has a different namespace for them."""
    shared = {f"shared/{at}.yaml": LABELLED.replace("NAME", f"c{at}") for at in range(30)}
    shared["shared/kustomization.yaml"] = f"resources: [{', '.join(f'{at}.yaml' for at in range(30))}]\n"
    space = "namespace: team-AT\n" if own else ""
    roots = {
        f"clusters/{at}/kustomization.yaml": f"{space.replace('AT', str(at))}resources: [../../shared]\n"
        for at in range(clusters)
    }
    return {**shared, **roots}


def test_the_work_does_not_grow_with_the_clusters() -> None:
    linted(fleet(1))  # warm-up: fills caches of the process
    few, many = (lines(lambda count=count: linted(fleet(count))) for count in (4, 16))  # type: ignore[misc]
    assert many < 2 * few  # the rest is reading the kustomizations


def test_the_findings_are_those_of_each_cluster() -> None:
    expected = {(diagnostic.code, diagnostic.span.file) for diagnostic in linted(fleet(1)).diagnostics}
    assert ("CNF004", "shared/0.yaml") in expected
    for own in (False, True):
        assert {
            (diagnostic.code, diagnostic.span.file) for diagnostic in linted(fleet(3, own=own)).diagnostics
        } >= expected
