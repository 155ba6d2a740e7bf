"""What of the rules ran in games: playing and counting, what there is to count, and how it is shown."""
