"""Rules about the fleet: one module, one rule, exported as RULE."""
