"""The fleet that the directory of an import contains already."""

from gitgpu.cli.checking import validated_texts
from gitgpu.cli.settings import fleet_settings
from gitgpu.load.read import exists
from gitgpu.load.spec.shape import API_VERSION
from gitgpu.load.spec.texts import read_spec
from gitgpu.runs.validate import CheckedFleet


def existing_fleet(folder: str) -> CheckedFleet | None:
    """The fleet in a directory, with its findings; None without one. Files that are not about a fleet are not read."""
    if not exists(folder):
        return None
    settings = fleet_settings((folder,))
    texts, _ = read_spec((folder,), settings.target)
    fleet = [text for text in texts if API_VERSION in text.content]
    return validated_texts(fleet, settings) if fleet else None
