"""Which files are applied together, and the objects of a group as they are applied."""
