"""The types of what has been decided: frozen values in which no choice is left."""
