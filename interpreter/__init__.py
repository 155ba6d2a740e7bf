"""The interpreter: a checked game becomes a program over a flat state image."""
