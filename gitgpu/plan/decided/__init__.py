"""The types of decisions: frozen values in which no choice is left."""
