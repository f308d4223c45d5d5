"""Sphinx builds the site from what `python -m tools.site` writes, with warnings as errors."""

import json
from pathlib import Path

HERE = Path(__file__).parent
BUILD = HERE.parent / "build" / "site"
facts = json.loads((BUILD / "facts.json").read_text(encoding="utf-8"))

project = "gitgpu"
author = "the gitgpu authors"
release = facts["version"]
version = facts["version"]
extensions = ["myst_parser"]
exclude_patterns = []
templates_path = [str(HERE / "templates")]
language = "en"

myst_enable_extensions = ["attrs_inline"]
myst_heading_anchors = 6
myst_links_external_new_tab = False

html_theme = "furo"
html_title = f"gitgpu {release}"
html_static_path = [str(HERE / "static"), str(BUILD / "static")]
html_extra_path = [str(BUILD / "extra")]
html_additional_pages = {"search": "search.html"}
html_favicon = str(HERE / "static" / "favicon.svg")
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_copy_source = True
html_show_sourcelink = False
html_sourcelink_suffix = ""
html_show_sphinx = False
html_show_copyright = False
html_baseurl = facts["address"]
html_use_index = False
html_domain_indices = False
html_permalinks_icon = "#"
html_theme_options = {"top_of_page_buttons": []}
pygments_style = "default"
pygments_dark_style = "monokai"


def setup(app):
    """The site has a search of its own (site/static/search.js), so Sphinx makes no index."""
    app.connect("builder-inited", lambda app: setattr(app.builder, "search", False))
