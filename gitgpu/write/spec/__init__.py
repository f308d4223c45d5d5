"""Documents of a spec: new files of an import, and edits of files that people wrote."""
