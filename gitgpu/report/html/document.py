"""The frame of a page: one file without scripts or external resources."""

from gitgpu.report.html.markup import escape
from gitgpu.report.html.style import STYLE

# The pattern of idle parts. It has no size, but is drawn: patterns of an SVG that is not drawn have no effect.
_HATCH = (
    '<svg width="0" height="0" class="defs" aria-hidden="true"><defs><pattern id="hatch" width="6" height="6" '
    'patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" class="hatchback"/>'
    '<rect width="2" height="6" class="hatchline"/></pattern></defs></svg>\n'
)


def document(title: str, body: str) -> str:
    """A page; `title` is plain text, `body` is markup."""
    hatch = _HATCH if "<rect" in body else ""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n<title>{escape(title)}</title>\n'
        f"<style>\n{STYLE}</style>\n</head>\n<body>\n{hatch}<main>\n{body}"
        "</main>\n</body>\n</html>\n"
    )
