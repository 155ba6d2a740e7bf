"""WebAssembly."""
