"""Programs that write or check files of the project. `python -m tools.NAME --help` says what each needs."""
