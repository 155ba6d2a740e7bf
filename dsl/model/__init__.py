"""The checked model: types, typed expressions, typed statements and the resolved declarations of a game.

`regelwerk.dsl.checker` makes it from the syntax tree; `regelwerk.interpreter` turns it into a running program. Nothing
in it refers to the syntax tree any more; spans are kept for messages.
"""
