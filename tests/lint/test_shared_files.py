"""Clusters that share all their files have the findings of one cluster, and are not checked again."""

from tests.lint.test_lint import linted
from tests.work import lines

LABELLED = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NAME, namespace: gpu, labels: {a: -wrong-}}\n"


def fleet(clusters: int, *, own: bool = False) -> dict[str, str]:
    """Clusters that take the same files; with `own` each has its own namespace for them."""
    shared = {f"shared/{at}.yaml": LABELLED.replace("NAME", f"c{at}") for at in range(30)}
    shared["shared/kustomization.yaml"] = f"resources: [{', '.join(f'{at}.yaml' for at in range(30))}]\n"
    space = "namespace: team-AT\n" if own else ""
    roots = {
        f"clusters/{at}/kustomization.yaml": f"{space.replace('AT', str(at))}resources: [../../shared]\n"
        for at in range(clusters)
    }
    return {**shared, **roots}


def test_the_work_does_not_grow_with_the_clusters() -> None:
    linted(fleet(1))  # what is made once in a process
    few, many = (lines(lambda count=count: linted(fleet(count))) for count in (4, 16))  # type: ignore[misc]
    assert many < 2 * few  # reading the kustomizations takes the rest


def test_the_findings_are_those_of_each_cluster() -> None:
    expected = {(diagnostic.code, diagnostic.span.file) for diagnostic in linted(fleet(1)).diagnostics}
    assert ("CNF004", "shared/0.yaml") in expected
    for own in (False, True):
        assert {
            (diagnostic.code, diagnostic.span.file) for diagnostic in linted(fleet(3, own=own)).diagnostics
        } >= expected
