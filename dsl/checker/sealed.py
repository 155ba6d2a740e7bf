"""Players who decide together: what one of them may do must not depend on what another one does (language, section 10).

All decide on the state at the start of the phase, and their actions happen one after the other later. So that every
sealed answer stays legal, requirements, domains and costs may read nothing that the action of another player writes.
"""

from __future__ import annotations

from regelwerk.dsl.checker.context import Context
from regelwerk.dsl.checker.footprints import Footprints, Key
from regelwerk.dsl.diagnostics import Label
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t


def check_together(c: Context, phases: list[g.PhaseSymbol], footprints: Footprints) -> None:
    """Report actions offered together of which one disturbs another."""
    for phase in phases:
        together = any(isinstance(each, g.TogetherDriver) for each in phase.drivers)
        if together and phase.items and isinstance(phase.items[0], t.Offer):
            _offer(c, phase.items[0], footprints)
        check_together(c, phase.phases, footprints)


def _offer(c: Context, offer: t.Offer, footprints: Footprints) -> None:
    for action in offer.actions:
        choice = footprints.choice(action)
        for other in offer.actions:
            found = footprints.deed(other).disturbs(choice)
            if found is not None:
                key, read, written = found
                whose = "their effect" if other is action else f"`{other.name}`"
                c.error(
                    "E0512",
                    f"what players may do by `{action.name}` together depends on {words(key)}, which {whose} changes "
                    "for others, too",
                    read,
                    "let the effect change what belongs to the player himself (`me`), or ask one after the other: "
                    "`for p in players acting p`",
                    (Label(written, "changed here"),),
                )
                return


def words(key: Key) -> str:
    """What is read or written, in the author's words."""
    if isinstance(key, tuple):
        word, inner = key
        name = inner if isinstance(inner, str) else getattr(inner, "name", "")
        return f"the bank's `{name}`" if word == "bank" else f"whether `{name}` has happened"
    if isinstance(key, str):
        return {"faces": "what dice show", "active": "who is on turn"}.get(key, key)
    return f"`{getattr(key, 'name', '')}`"
