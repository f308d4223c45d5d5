"""Settings for all tests."""

from hypothesis import settings

# The first example of a run reads the catalog, so there is no deadline. Each run tries other examples.
settings.register_profile("gitgpu", deadline=None, max_examples=50)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile("gitgpu")
