"""The kinds whose controllers create pods. A module has those of a project in `KINDS`: new modules are found."""
