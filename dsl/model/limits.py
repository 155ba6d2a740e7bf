"""The caps of the language (section 16) that both the checker and the interpreter keep to."""

MEMBERS = 1024
"""The members of an enum, and the rows of a table."""

COPIES = 4096
"""The copies of all things of one type."""

KEYS = 4096
"""The combinations of arguments that one question about the past tells apart."""

PARAMETERS = 8
"""The parameters of an action, an effect or a value."""

PICKS = 16
"""The different elements that are picked at a time."""

AMOUNT = 64
"""How much of an amount is picked at a time. Its ways are counted by kinds, so there are far fewer than of sets."""
