"""A game one can ask and turn back: `regelwerk repl`.

`session.py` runs the commands, `listing.py` writes whole states, `completion.py` completes what is typed.
"""
