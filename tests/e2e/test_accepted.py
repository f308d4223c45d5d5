"""Every overlay of the example fleet, applied layer by layer: nothing is rejected, warned about, dropped or changed."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.e2e.client import Answer, Object, RefusedError
from tests.e2e.conftest import Cluster, Proved
from tests.e2e.fleet import clusters, identity, layers, prepare, wipe
from tests.e2e.readback import Difference, Fate, differences, is_built_in


class Applied(NamedTuple):
    """An object of a layer, and the response of the API server, or the reason for its rejection."""

    layer: str
    sent: Object
    answer: Answer | None
    refusal: str = ""


@pytest.fixture(scope="module", params=clusters())
def applied(request: pytest.FixtureRequest, cluster: Cluster, proved: Proved) -> Iterator[list[Applied]]:
    """All objects of a cluster, applied in order."""
    order = layers(request.param)
    missing = prepare(cluster.client, (body for layer in order for body in layer.objects))
    attempts = [attempt(cluster, layer.name, body) for layer in order for body in layer.objects]
    sizes = ", ".join(f"{layer.name} {len(layer.objects)}" for layer in order)
    proved(
        f"{request.param}: {len(attempts)} objects applied ({sizes}); "
        f"{sum(bool(result.refusal) for result in attempts)} refused, "
        f"{sum(len(result.answer.warnings) for result in attempts if result.answer)} warnings"
        + (f"; namespaces made by the test: {', '.join(missing)}" if missing else "")
    )
    yield attempts
    wipe(cluster.client)


def attempt(cluster: Cluster, layer: str, sent: Object) -> Applied:
    """Applies an object and keeps the result."""
    try:
        return Applied(layer, sent, cluster.client.apply(sent))
    except RefusedError as error:
        return Applied(layer, sent, None, f"{layer}/{identity(sent)}: {error}")


def of(applied: list[Applied]) -> list[tuple[Object, Difference]]:
    """Every difference between what was sent and what the API server answered."""
    return [
        (result.sent, each)
        for result in applied
        if result.answer
        for each in differences(result.sent, result.answer.body)
    ]


def difference_text(body: Object, difference: Difference) -> str:
    """A difference as text."""
    return f"{identity(body)} {difference.path}: {difference.sent!r} -> {difference.found!r}"


def test_no_object_is_rejected(applied: list[Applied]) -> None:
    assert [result.refusal for result in applied if result.refusal] == []


def test_no_object_causes_a_warning(applied: list[Applied]) -> None:
    assert [
        (identity(result.sent), result.answer.warnings)
        for result in applied
        if result.answer and result.answer.warnings
    ] == []


def test_nothing_is_dropped_or_changed(applied: list[Applied]) -> None:
    """A value that the API server does not keep is a difference that an engine sees in every run."""
    assert [difference_text(*pair) for pair in of(applied) if pair[1].fate is not Fate.ADDED] == []


def test_a_crd_adds_nothing_to_what_is_compared_whole(applied: list[Applied], proved: Proved) -> None:
    """A default of a CRD inside a list: an engine compares the list as a whole, and sees a difference in every run.

    A default next to what was sent is the server's own field; of kinds of Kubernetes engines know the defaults.
    """
    added = [(body, each) for body, each in of(applied) if each.fate is Fate.ADDED]
    count = Counter(f"{body['kind']} {each.path}" for body, each in added if not is_built_in(body["apiVersion"]))
    if count:
        proved("  defaults of CRDs: " + ", ".join(f"{path} ({n})" for path, n in sorted(count.items())))
    whole = [(body, each) for body, each in added if not is_built_in(body["apiVersion"]) and "[]" in each.path]
    assert [difference_text(*pair) for pair in whole] == []


def test_a_second_apply_changes_nothing(cluster: Cluster, applied: list[Applied]) -> None:
    """The API server would store the same object."""
    again = [(result, cluster.client.apply(result.sent, dry_run=True).body) for result in applied if result.answer]
    assert [
        identity(result.sent) for result, second in again if result.answer and differences(result.answer.body, second)
    ] == []
