"""Faults in changed objects that the API server or a rule reports: which findings, and where."""

from typing import Any

from tests.patch.fleets import compiled, patches, under

EXPORTER = {"kind": "DaemonSet", "name": "dcgm-exporter-profiling"}
ABSENT = {"kind": "DaemonSet", "name": "absent"}


def test_beside_another_error_an_error_in_a_list_within_a_list_is_reported() -> None:
    container = {"name": "dcgm-exporter", "ports": [{"containerPort": 99999}]}
    change = {"spec": {"template": {"spec": {"containers": [container]}}}}
    result = compiled(cluster=patches((EXPORTER, change), (ABSENT, {"spec": {}})))
    assert result.codes == ["POD031", "PAT001"]
    assert [finding.span.file for finding in result.findings] == ["fleet.yaml"] * 2


def test_a_place_with_a_finding_about_the_value_has_no_other_that_is_not_worse() -> None:
    toolkit = {"gpu-operator": {"toolkit": {"enabled": False}}}
    result = compiled(cluster=under("stack", {"values": toolkit}), driver="operator")
    assert result.codes == ["VAL003"]  # without STK038, which warns about the same
    nameless: Any = {"spec": {"template": {"spec": {"containers": [{}]}}}}
    assert compiled(cluster=patches((EXPORTER, nameless))).codes == ["PAT009"]  # without CNF001: missing key 'name'
