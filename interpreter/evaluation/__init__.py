"""Typed expressions and statements become closures over a state image.

Every closure has the signature `f(m, env)`: `m` is the `Image`, `env` the list of local variables of the running body,
slot 0 being `me`. What reads no state and no local variable is computed once, when the program is built. Requirements
of a head are tested as early as the variables they mention are known, and those that speak of one variable alone are
tested before the loops, so that the options of an action are found without trying every combination.
"""
