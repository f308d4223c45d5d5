"""Settings for all tests."""

import gc
import os

from hypothesis import settings

# The first example of a run reads the catalog, so there is no deadline. Each run tries other examples, but not in CI: a
# change is judged there by what it changes, and the same examples find nothing new.
CI = "CI" in os.environ
settings.register_profile("gitgpu", deadline=None, max_examples=30 if CI else 50, derandomize=CI)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile("gitgpu")

# The program itself runs without the garbage collector. Tests keep many objects and make few cycles, so that frequent
# collections cost time and free little.
gc.set_threshold(50_000, 20, 20)
