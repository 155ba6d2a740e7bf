"""What two versions of a game differ in, as text, as Markdown and as plain data."""
