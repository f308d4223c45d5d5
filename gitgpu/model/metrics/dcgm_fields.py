"""Misspelled names of DCGM fields."""

from collections.abc import Collection

from gitgpu.model.catalog import Catalog
from gitgpu.spelling import nearest

_ALIKE = 0.85  # all names start alike: DCGM_FI_DEV_FOO and DCGM_FI_DEV_COUNT have 0.81


def closest_field(name: str, fields: Collection[str], catalog: Catalog) -> str:
    """The field that an unknown name probably means; "" if none is similar.

    Some names that DCGM never had are widely copied: the catalog has the field that each of them stands for.
    """
    meant = catalog.must("dcgm", "fields")["instead"].get(name)
    return meant if meant in fields else nearest(name, fields, _ALIKE)
