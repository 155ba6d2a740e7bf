"""`triggers owner_chooses`: an owner says in which order his live rules on one event happen.

He is asked as long as two of them are live of which the order matters; otherwise they happen in the order of
declaration. Copies of one card are alike: there is nothing to choose between them.
"""

from __future__ import annotations

from collections.abc import Callable

from regelwerk.interpreter import ir
from regelwerk.interpreter.decisions import Raw, Site
from regelwerk.interpreter.evaluation.base import Compiler, Locals
from regelwerk.interpreter.evaluation.roles import decode, guards, locals_for
from regelwerk.interpreter.frames import CompiledBlock
from regelwerk.interpreter.layout import Image


class OrderSite(Site):
    """A place where an owner chooses which of his rules is next. The way of an option is the rule's code."""

    def __init__(self, c: Compiler, end: ir.OrderEnd, proc: str) -> None:
        self.end = end
        self.number = end.number
        self.node = end
        self.address = proc
        self.said = None
        self.actions = []
        self.choice = None
        self.roles = [role for role, _ in end.roles]
        self._guards = [guards(c, role) for role in self.roles]
        self.actor = lambda m, env: decode(env[end.list_slot][env[end.index_slot]])[1]
        self.whole = self.options = self._options

    def _options(self, m: Image, env: Locals) -> list[Raw]:
        end = self.end
        assert isinstance(end, ir.OrderEnd)
        coming = env[end.list_slot][env[end.index_slot] :]
        owner = decode(coming[0])[1]
        arguments = [env[slot] for slot in end.argument_slots]
        live: dict[int, int] = {}
        for code in coming:
            which, holder, copy = decode(code)
            role = self.roles[which]
            if holder != owner or role.row is None:
                break
            inner = locals_for(role, holder, arguments, copy)
            if which not in live and all(test(m, inner) for test in self._guards[which]):
                live[which] = code
        matters = any(self.roles[a] in self.roles[b].unordered for a in live for b in live if a < b)
        return [(code, ()) for code in live.values()] if matters else []

    def role_name(self, code: int) -> tuple[str, str]:
        """The id and the printed name of a rule that can be chosen; rules of one cell are numbered."""
        which = decode(code)[0]
        role = self.roles[which]
        assert role.row is not None
        twins = [k for k, each in enumerate(self.roles) if each.name == role.name]
        number = f".{twins.index(which) + 1}" if len(twins) > 1 else ""
        rows = [k for k, each in enumerate(self.roles) if each.row is role.row]
        which_one = f" ({rows.index(which) + 1})" if len(rows) > 1 else ""
        return f"{role.name}{number}", f"{role.row.printed}{which_one}"


def take_order(end: ir.OrderEnd, body: CompiledBlock) -> Callable[[Image, Locals, Raw], tuple[CompiledBlock, None]]:
    """What an answer does: the chosen rule is the next of the list."""
    source, index = end.list_slot, end.index_slot

    def take(m: Image, env: Locals, option: Raw) -> tuple[CompiledBlock, None]:
        done, coming = env[source][: env[index]], list(env[source][env[index] :])
        coming.remove(option[0])
        env[source] = (*done, option[0], *coming)
        return body, None

    return take
