"""Fields of the AKS API by version, read from wheels of its management SDK."""

import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.catalog.test_catalog_rows import rows
from tools.aks_api import empty, read, released, text, updated

MAPPED = """
class ManagedCluster(Resource):
    _validation = {"fqdn": {"readonly": True}, "id": {"readonly": True}}
    _attribute_map = {
        "id": {"key": "id", "type": "str"},
        "fqdn": {"key": "properties.fqdn", "type": "str"},
        "agent_pool_profiles": {"key": "properties.agentPoolProfiles", "type": "[Pool]"},
        "overrides": {"key": "properties.overrides", "type": "{Profile}"},
    }
class AgentPool(SubResource):
    _attribute_map = {
        "name": {"key": "name", "type": "str"},
        "type_properties_type": {"key": "properties.type", "type": "str"},
        "count": {"key": "properties.count", "type": "int"},
        "old": {"key": "properties.old\\\\\\\\.name", "type": "[str]"},
    }
class Pool(Model):
    _attribute_map = {"count": {"key": "count", "type": "int"}}
class Profile(Model):
    _attribute_map = {"driver": {"key": "driver", "type": "str"}}
class MaintenanceConfiguration(SubResource):
    _attribute_map = {}
"""
DECLARED = """
class ManagedCluster(TrackedResource):
    properties: Optional["_models.Properties"] = rest_field(visibility=["read", "create"])
class Properties(_Model):
    fqdn: Optional[str] = rest_field(visibility=["read"])
class AgentPool(ProxyResource):
    properties: Optional["_models.PoolProperties"] = rest_field(visibility=["read", "create"])
class PoolProperties(_Model):
    type: Optional[Union[str, "_models.AgentPoolType"]] = rest_field(visibility=["read", "create"])
    profile: Optional["_models.Profile"] = rest_field(name="gpuProfile", visibility=["read", "create"])
class Profile(_Model):
    drivers: Optional[list[Union[str, "_models.Driver"]]] = rest_field(name="drivers", visibility=["create"])
    self: Optional["_models.Profile"] = rest_field(visibility=["create"])
class MaintenanceConfiguration(ProxyResource):
    pass
"""
ENUMS = """
class AgentPoolType(str, Enum):
    SETS = "VirtualMachineScaleSets"
class Driver(str, Enum):
    INSTALL = "Install"
    NONE = "None"
"""
OLD_ENUMS = """
class AgentPoolType(str, Enum):
    SETS = "VirtualMachineScaleSets"
    AVAILABILITY = "AvailabilitySet"
"""


def wheel(folder: Path, version: str, day: str, **files: str) -> Path:
    """A wheel with these modules of models, by API version: of one version, or of several in folders of their own."""
    path = folder / f"sdk-{version}.whl"
    root = "azure/mgmt/containerservice"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            f"sdk-{version}.dist-info/METADATA", f"# Release History\n\n## {version} ({day})\n\n## 1.0 (2020-01-01)\n"
        )
        for api, models in files.items():
            below = f"{root}/{api}" if len(files) > 1 else root
            module = "_models_py3.py" if "_attribute_map" in models else "_models.py"
            archive.writestr(f"{below}/models/{module}", models)
            archive.writestr(f"{below}/models/_enums.py", OLD_ENUMS if "_attribute_map" in models else ENUMS)
            name = api.removeprefix("v").replace("_", "-")
            archive.writestr(
                f"{below}/_configuration.py", f'        api_version = kwargs.pop("api_version", "{name}")\n'
            )
    return path


@pytest.fixture
def wheels(tmp_path: Path) -> list[Path]:
    """The old one has several versions, one of which is too old; the new ones have one each."""
    several = {"v2023_01_01": MAPPED, "v2024_01_01": MAPPED, "v2024_02_02_preview": MAPPED}
    old = wheel(tmp_path, "30.0.0", "2024-04-22", **several)
    preview = wheel(tmp_path, "41.9.0b1", "2026-10-23", v2026_08_02_preview=DECLARED)
    return [preview, old, wheel(tmp_path, "41.8.0", "2026-10-19", v2026_08_01=DECLARED)]


def every_row(wheels: list[Path]) -> dict[str, dict[str, Any]]:
    """The rows that are read from these wheels alone."""
    names = ("agentPools", "maintenanceConfigurations", "managedClusters")
    return updated({name: empty(name) for name in names}, wheels, "2026-11-29")


def test_the_fields_of_both_layouts(wheels: list[Path]) -> None:
    first, second = read(wheels[1])
    assert (first.version, second.version) == ("2024-01-01", "2024-02-02-preview")
    assert first.fields["managedClusters"] == {
        "agentPoolProfiles[]": "object",
        "overrides{}": "object",
        "overrides{}.driver": "string",
    }
    assert first.fields["agentPools"] == {"count": "integer", "old.name[]": "string", "type": "string"}
    (newest,) = read(wheels[0])
    assert newest.version == "2026-08-02-preview"
    assert newest.fields["managedClusters"] == {}
    assert newest.fields["agentPools"] == {
        "gpuProfile": "object",
        "gpuProfile.drivers[]": "Driver",
        "gpuProfile.self": "object",
        "type": "AgentPoolType",
    }


def test_the_first_and_the_last_version_of_a_field(wheels: list[Path]) -> None:
    made = every_row(wheels)["agentPools"]
    assert made["versions"] == {
        "stable": ["2024-01-01", "2026-08-01"],
        "preview": ["2024-02-02-preview", "2026-08-02-preview"],
    }
    first = {"stable": "2024-01-01", "preview": "2024-02-02-preview"}
    assert made["fields"]["type"] == {"type": "AgentPoolType", **first}
    assert made["fields"]["gpuProfile"] == {"type": "object", "stable": "2026-08-01", "preview": "2026-08-02-preview"}
    assert made["fields"]["count"] == {"type": "integer", **first, "last": first}
    kinds = made["values"]["AgentPoolType"]
    assert kinds == {"VirtualMachineScaleSets": first, "AvailabilitySet": {**first, "last": first}}
    assert [url.rpartition("_")[2] for url in made["source"]] == ["41.8.0", "41.9.0b1"]
    assert yaml.load(text(made), yaml.CSafeLoader) == {**made, "asOf": None}


def test_a_field_that_comes_back(tmp_path: Path, wheels: list[Path]) -> None:
    more = wheel(tmp_path, "42.0.0", "2026-12-01", v2026_09_01=MAPPED)
    known = updated(
        {key: empty(key) for key in ("agentPools", "maintenanceConfigurations", "managedClusters")},
        wheels,
        "2026-11-29",
    )
    fields = updated(known, [more], "2026-12-02")["agentPools"]["fields"]
    first = {"stable": "2024-01-01", "preview": "2024-02-02-preview"}
    last = {"preview": "2024-02-02-preview"}
    assert fields["count"] == {"type": "integer", **first, "last": last, "without": ["2026-08-01"]}
    assert fields["gpuProfile"]["last"] == {"stable": "2026-08-01"}


def test_a_wheel_that_was_read_before_changes_nothing(wheels: list[Path]) -> None:
    known = updated(
        {key: empty(key) for key in ("agentPools", "maintenanceConfigurations", "managedClusters")},
        wheels,
        "2026-11-29",
    )
    assert updated(known, wheels, "2027-01-01") == known


def test_the_date_of_a_wheel(wheels: list[Path]) -> None:
    assert sorted(map(released, wheels)) == [
        ("30.0.0", "2024-04-22"),
        ("41.8.0", "2026-10-19"),
        ("41.9.0b1", "2026-10-23"),
    ]


def test_types_of_fields_are_those_of_json_or_enums_with_values() -> None:
    for name, made in rows("arm").items():
        types = {facts["type"] for facts in made["fields"].values()}
        assert types <= {"string", "integer", "number", "boolean", "object", *made["values"]}, name
        versions = {version for of_channel in made["versions"].values() for version in of_channel}
        named = {facts[key] for facts in made["fields"].values() for key in ("stable", "preview")}
        assert named - {None} <= versions, name
