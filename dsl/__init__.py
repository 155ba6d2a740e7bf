"""The language: rules text becomes a checked model."""
