"""The cyclic garbage collector rests while trees are built."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def resting_collector() -> Iterator[None]:
    """No collection inside: a tree that is still growing holds no garbage, but would be searched again and again.

    What is built inside must be bounded, as the trees of a rules file are.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
