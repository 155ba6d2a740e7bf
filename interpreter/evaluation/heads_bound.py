"""How much room the collected tuples of a head need."""

from __future__ import annotations

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model.types import NUMBER, ListType, Type, bound_of

UNBOUNDED = 1024
"""The words of the longest list in a frame."""


def tuple_list_type(head: x.Head, stride: int) -> ListType:
    """The type of a list that holds all tuples of a head, strung together; each takes `stride` words."""
    if any(binder.form != "one" for binder in head.binders):  # the fields of a record: as many as there is room for
        return ListType(NUMBER, ((UNBOUNDED,),))
    product: tuple[int | Type, ...] = (stride,)
    for binder in head.binders:
        terms = bound_of(binder.source.type)
        product = (*product, *(terms[0] if terms else (1,)))
    return ListType(NUMBER, (product,))
