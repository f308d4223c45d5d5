"""What gitgpu says about itself: codes, rules, fields of the spec, and the JSON that it prints."""
