"""How much room the collected tuples of a head need."""

from __future__ import annotations

from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model.types import NUMBER, ListType, Type, bound_of


def tuple_list_type(head: x.Head) -> ListType:
    """The type of a list that holds all tuples of a head, strung together."""
    product: tuple[int | Type, ...] = (len(head.binders),)
    for binder in head.binders:
        terms = bound_of(binder.source.type)
        product = (*product, *(terms[0] if terms else (1,)))
    return ListType(NUMBER, (product,))
