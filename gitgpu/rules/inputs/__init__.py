"""What the fleet rules of several subjects derive from the fleet."""
