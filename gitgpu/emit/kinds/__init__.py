"""What gitgpu can emit: one module for each kind of object, exported as EMITTER."""
