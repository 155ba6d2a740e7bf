"""Why something is so: expressions evaluated again piece by piece, over a state, for somebody who may not know all.

`reasons.py` has the data, `reading.py` unfolds expressions, `actions.py` the clauses of an action, `nearest.py` finds
the smallest change, `points.py` says where points come from. All of it runs on the reference interpreter, whatever
backend plays.
"""
