"""Which errors of rules are about running nodes, so that an import can keep the fields that cause them.

Another value would replace the nodes. All other errors are about what the fleet would add or change, such as software,
scaling and delivery: an import never suppresses these.
"""

_SUBJECTS = ("AGP", "CLU", "DIS", "DSK", "NCL", "NET", "QTA", "SKU", "STR", "WIN")
_IMAGES = ("DRV007", "DRV008", "DRV013", "DRV015", "DRV080")
_METADATA = ("SCH002", "SCH003", "SCH004", "SCH005", "SCH006", "SCH013", "SCH014", "SCH017", "SCH021", "SCH022")
_REQUIREMENTS = ("SCH026", "SCH027", "SCH029", "SCH030")
_NEEDED = "AGP001"  # without a resourceId, node pools cannot be built


def is_of_running_nodes(code: str) -> bool:
    """Whether an error is about fields of running nodes and their cluster."""
    if code == _NEEDED:
        return False
    return code.startswith(_SUBJECTS) or code in (*_IMAGES, *_METADATA, *_REQUIREMENTS)
