"""Variants that are put together and touch the same thing without a conflict.

Conflicts (E1108) are settled by `resolve`. What is left: two rules of two variants on one target, and a rule of one on
what the other changes, replaces or extends. Whoever puts two variants together should have looked at that.
"""

from __future__ import annotations

from regelwerk.dsl.composition.claims import WORDS, Claim, conflict, plain
from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.lints.subject import Subject
from regelwerk.dsl.source import Span
from regelwerk.dsl.syntax import files
from regelwerk.dsl.syntax import rules as r

ADDING = ("plus", "minus")


def find(s: Subject) -> None:
    """Pairs of claims of two variants that this file puts together."""
    if s.composed is None:
        return
    stack = s.composed.stack
    top = next((layer for layer in stack.layers if layer.source == s.own), None)
    if top is None or not isinstance(top.header, files.VariantHeader) or len(top.below) < 2:
        return
    under = stack.under(top)
    claims = [each for each in s.composed.claims if each.layer in under and each.what in ("rule", "replace", "change")]
    by_key: dict[tuple[str, ...], list[Claim]] = {}
    for each in claims:
        by_key.setdefault(plain(each.key), []).append(each)
    seen: set[tuple[str, str, str]] = set()
    for one in claims:
        key = plain(one.key)
        for length in range(1, len(key) + 1):
            for other in by_key.get(key[:length], ()):
                joined = any({one.layer, other.layer} <= {each, *stack.under(each)} for each in top.below)
                if stack.apart(one.layer, other.layer) and not joined and _meet(other, one):
                    first, second = sorted((one, other), key=lambda each: (each.layer.name, each.span.start))
                    pair = (first.layer.name, second.layer.name, first.address)
                    if pair not in seen:
                        seen.add(pair)
                        _report(s, top.header, first, second)


def _meet(upper: Claim, lower: Claim) -> bool:
    """Whether two claims touch one thing; the key of `upper` leads to that of `lower`."""
    if "rule" not in (upper.what, lower.what) or conflict(upper, lower):
        return False
    if upper.what == lower.what:
        return len(upper.key) == len(lower.key) and not (_adds(upper) and _adds(lower))
    return upper.what != "rule" or len(upper.key) == len(lower.key)


def _adds(claim: Claim) -> bool:
    role = getattr(claim.overlay, "role", None) or claim.item
    return isinstance(role, r.Modify) and role.change in ADDING


def _report(s: Subject, header: files.VariantHeader, first: Claim, second: Claim) -> None:
    name = next((each for each in header.companions if each.text == second.layer.name), header.name)
    s.report(
        "W0942",
        f"`{first.layer.name}` and `{second.layer.name}` both touch `{first.address}`",
        name.span,
        "look whether both together do what is meant, and say so here",
        (_label(first), _label(second)),
    )


def _label(claim: Claim) -> Label:
    span: Span = claim.span
    return Label(span, f"`{claim.address}` is {WORDS[claim.what]} here")


__all__ = ["find"]
