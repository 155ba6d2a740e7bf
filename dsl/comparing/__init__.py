"""What two versions of a game differ in, in terms of the game: by clause, not by line.

    outline      a game as a tree of named parts: phases, actions, rows, cells, clauses ...
    trees        whether two pieces of the syntax tree say the same, and if not, where they begin to differ
    comparing    the differences of two games: added, removed, renamed, moved, changed

A game is compared as it is after composition, so a variant can be compared with its base. Comments, blanks, sections,
citations, scenarios and the order of declarations that order nothing make no difference.
"""
