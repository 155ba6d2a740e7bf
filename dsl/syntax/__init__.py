"""The syntax tree: what a rules file says, piece by piece, each with its span.

One class for one form of the grammar, as frozen pydantic models. The tree keeps the author's order and spelling; names
are resolved and types found later, in `regelwerk.dsl.checker`. A node validates the kinds of its parts when it is
made, so a tree that exists is well formed.
"""
