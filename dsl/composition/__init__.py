"""Variants: a base game and the files that change it become one syntax tree, which is then checked like any game.

layers      which file builds on which, in which order they are applied
addresses   what an overlay can name, and where that stands in the tree
claims      what each overlay lays claim to; when two of them commute
changes     `replace`, `remove` and `change` on the tree
extensions  `extend` on the tree
composing   the whole of it
explaining  findings in composed text name the overlay they come from
"""
