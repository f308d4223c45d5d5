"""The documentation as a site: `python -m tools.site` writes what Sphinx builds from, and runs it."""
