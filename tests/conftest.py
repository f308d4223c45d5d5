"""Settings for all tests."""

from hypothesis import settings

settings.register_profile("gitgpu", deadline=None)  # the first example of a run reads the catalog
settings.load_profile("gitgpu")
