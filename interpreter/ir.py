"""The intermediate representation: procedures of basic blocks.

A `Proc` is a body that can suspend: a phase, an action, an effect that contains a decision or chance, a rule. Its
blocks hold statements that cannot suspend (typed statements of the checked model, or the operations below) and end in
one `End`. Between blocks nothing is kept but the image: the locals of every running proc are saved in its frame
whenever somebody has to decide. Effects without decision or chance stay structured and run as one operation.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from regelwerk.dsl.model import game as g
from regelwerk.dsl.model import statements as t
from regelwerk.dsl.model.expressions import Expr
from regelwerk.dsl.model.types import ListType, Type
from regelwerk.dsl.source import Span


@dataclass(frozen=True, slots=True)
class Laws:
    """Some of the laws of a game, by their numbers in the order of declaration."""

    awards: tuple[int, ...]
    ends: tuple[int, ...]

    def __bool__(self) -> bool:
        return bool(self.awards or self.ends)


# ----------------------------------------------------------------------------------------------------------- operations
@dataclass(eq=False, slots=True)
class Operation:
    """Base of what only the lowered form has. `span` is where it comes from."""

    span: Span


@dataclass(eq=False, slots=True)
class SetLocal(Operation):
    """A local variable gets a value."""

    slot: int
    value: Expr


@dataclass(eq=False, slots=True)
class Increment(Operation):
    """A local number grows by one."""

    slot: int


@dataclass(eq=False, slots=True)
class Append(Operation):
    """The value of a local variable is put behind a list of a type."""

    list_slot: int
    slot: int
    kind: ListType


@dataclass(eq=False, slots=True)
class NextInList(Operation):
    """`slot` becomes the element of the list in `list_slot` that `index_slot` counts to; the index grows."""

    slot: int
    list_slot: int
    index_slot: int


@dataclass(eq=False, slots=True)
class NextSeat(Operation):
    """`me_slot` becomes the player in `next_slot`, which moves on to the left neighbour."""

    me_slot: int
    next_slot: int


@dataclass(eq=False, slots=True)
class SetActive(Operation):
    """The player in a slot is on turn."""

    slot: int


@dataclass(eq=False, slots=True)
class Ran(Operation):
    """What stands at the place ran once more; only where that is counted."""


@dataclass(eq=False, slots=True)
class Enter(Operation):
    """An activation of a phase ("turn" and "action" included) begins: what it resets is reset, what it forgets
    forgotten."""

    scope: g.PhaseSymbol | str


@dataclass(eq=False, slots=True)
class Begin(Operation):
    """All options are known: start values may speak of them."""


@dataclass(eq=False, slots=True)
class CountPass(Operation):
    """One more pass of the phase that the game is capped by; `limit` is known before the game begins."""

    limit: Expr


@dataclass(eq=False, slots=True)
class Record(Operation):
    """An event happens, as far as somebody asks for it later. `slots`: where its parameters are."""

    questions: list[g.HistoryQuestion]
    slots: list[int]


@dataclass(eq=False, slots=True)
class RecordVerb(Operation):
    """A built-in event of `me` happens, as far as somebody asks for it later: about the units of the tally in
    `what_slot`, or about `things`."""

    me: Expr
    questions: list[g.HistoryQuestion]
    what_slot: int | None
    things: Expr | None


@dataclass(eq=False, slots=True)
class AskedFor(Operation):
    """How much a statement is to gain or lose goes to `asked_slot`, how much of it there will be to `what_slot`."""

    statement: t.Gain | t.Lose
    asked_slot: int
    what_slot: int


@dataclass(eq=False, slots=True)
class Perform(Operation):
    """A built-in event that is in the history already. What was really gained goes to `what_slot`; what goes over the
    end of a track to the slot of its unit."""

    statement: t.Stmt
    what_slot: int | None
    spills: list[tuple[int, int]]


@dataclass(eq=False, slots=True)
class CollectThings(Operation):
    """The things of an event, in order, go to `list_slot`."""

    things: Expr
    list_slot: int


@dataclass(eq=False, slots=True)
class PayCosts(Operation):
    """The costs of an action are paid."""

    action: g.ActionSymbol


@dataclass(eq=False, slots=True)
class CollectTuples(Operation):
    """All tuples of a head go to `list_slot`, strung together as words."""

    head: object
    list_slot: int


@dataclass(eq=False, slots=True)
class UnpackTuple(Operation):
    """The next tuple of `list_slot` goes to `slots`, by the types of its parts; the index moves behind it."""

    slots: list[int]
    types: list[Type]
    list_slot: int
    index_slot: int


@dataclass(eq=False, slots=True)
class CollectPlayers(Operation):
    """The players of `everyone`, in order, go to `list_slot`."""

    players: Expr | None
    list_slot: int


@dataclass(eq=False, slots=True)
class CollectRoles(Operation):
    """Which rules of an event of `me` are live and for whom, in order, goes to `list_slot` (coded by `roles.code`)."""

    roles: list[g.Role]
    list_slot: int
    everybody: bool
    me: Expr


@dataclass(eq=False, slots=True)
class OpenSeals(Operation):
    """Nobody has answered yet."""

    seals: Seals


@dataclass(eq=False, slots=True)
class NextUnsealed(Operation):
    """`slot` becomes the first player who has not answered yet."""

    slot: int
    seals: Seals


@dataclass(eq=False, slots=True)
class SealNothing(Operation):
    """The player in `slot` has nothing to answer."""

    slot: int
    seals: Seals


@dataclass(eq=False, slots=True)
class Learn(Operation):
    """`me` has chosen what is in a slot (of `type`, things of `entity`), and so he knows it."""

    slot: int
    me: Expr
    type: Type
    entity: g.EntitySymbol


@dataclass(eq=False, slots=True)
class TestEnd(Operation):
    """The game ends here if the end's condition holds."""

    end: g.EndSymbol


@dataclass(eq=False, slots=True)
class Settle(Operation):
    """Some awards are given anew, then some ends `at once` are tested (unless inside `as one`)."""

    laws: Laws


@dataclass(eq=False, slots=True)
class AsOneBegin(Operation):
    """Laws sleep."""


@dataclass(eq=False, slots=True)
class AsOneEnd(Operation):
    """Laws wake up."""


# ----------------------------------------------------------------------------------------------------------------- ends
@dataclass(eq=False, slots=True)
class End:
    """How a block ends."""

    span: Span


@dataclass(eq=False, slots=True)
class Jump(End):
    """Go on there."""

    target: Block


@dataclass(eq=False, slots=True)
class Branch(End):
    """Go on at `yes` or `no`. The condition is an expression, or one of the tests of the lowered form."""

    condition: Expr | MoreInList | SkippedAll | Replaced | RequirementsHold | Unsealed
    yes: Block
    no: Block


@dataclass(eq=False, slots=True)
class MoreInList:
    """Whether the index has not reached the end of the list."""

    list_slot: int
    index_slot: int


@dataclass(eq=False, slots=True)
class Unsealed:
    """Whether somebody has not answered yet."""

    seals: Seals


@dataclass(eq=False, slots=True)
class SkippedAll:
    """Whether as many seats were passed over as there are players."""

    slot: int


@dataclass(eq=False, slots=True)
class Replaced:
    """Whether a replacement holds for the event; the first in order goes to `chosen_slot` (coded as in
    `CollectRoles`)."""

    roles: list[g.Role]
    argument_slots: list[int]
    chosen_slot: int


@dataclass(eq=False, slots=True)
class RequirementsHold:
    """Whether the requirements of an effect hold."""

    requirements: list[g.RequireSymbol]
    argument_slots: list[int]


@dataclass(eq=False, slots=True)
class Call(End):
    """Run a proc, then go on."""

    proc: Proc
    arguments: list[Expr]
    then: Block


@dataclass(eq=False, slots=True)
class CallCell(End):
    """Run the effect in the cell of a thing's row (nothing if the cell is empty), then go on. `procs`: by row."""

    procs: list[Proc | None]
    column: g.ColumnSymbol
    thing: Expr
    arguments: list[Expr]
    then: Block


@dataclass(eq=False, slots=True)
class CallRole(End):
    """Run the rule that the list says next, if its guards hold, then go on."""

    roles: list[tuple[g.Role, Proc]]
    list_slot: int
    index_slot: int
    argument_slots: list[int]
    then: Block


@dataclass(eq=False, slots=True)
class OrderEnd(End):
    """The owner of the next rules of the list says which one is next; `then` runs it. No decision where it does not
    matter."""

    number: int
    roles: list[tuple[g.Role, Proc]]
    list_slot: int
    index_slot: int
    argument_slots: list[int]
    then: Block


@dataclass(eq=False, slots=True)
class CallReplacement(End):
    """Run the replacement that `chosen_slot` says, then go on."""

    roles: list[tuple[g.Role, Proc]]
    chosen_slot: int
    argument_slots: list[int]
    then: Block


@dataclass(eq=False, slots=True)
class Return(End):
    """Back to the caller."""


@dataclass(eq=False, slots=True)
class ChooseEnd(End):
    """`me` chooses a tuple of the head. `answers_slot`: where the answers so far are, if the head can be asked in
    stages."""

    number: int
    choice: t.Choose
    body: Block
    otherwise: Block
    answers_slot: int | None = None


@dataclass(eq=False, slots=True)
class OfferEnd(End):
    """`me` takes one of the actions, passes, or is done. `after`: where to go on behind each action; `answers_slot` as
    for a choice, with the number of the action first."""

    number: int
    offer: t.Offer
    procs: list[Proc]
    after: list[Block]
    otherwise: Block
    answers_slot: int | None = None


@dataclass(eq=False, slots=True)
class Seals:
    """Where the answers of players who decide together are kept: one record of `size` words for each player of the list
    in `players_slot`, in its order (`seal_records`)."""

    players_slot: int
    seals_slot: int
    size: int


@dataclass(eq=False, slots=True)
class SealEnd(End):
    """One of several players who decide together takes an action; it is sealed and happens later. `otherwise`: he has
    no option. `staged`: an action can be asked in stages."""

    number: int
    offer: t.Offer
    procs: list[Proc]
    seals: Seals
    then: Block
    otherwise: Block
    staged: bool = False


@dataclass(eq=False, slots=True)
class CallSealed(End):
    """The sealed action of the player at the cursor happens, if he took one."""

    offer: t.Offer
    procs: list[Proc]
    seals: Seals
    cursor_slot: int
    then: Block


@dataclass(eq=False, slots=True)
class AlternativesEnd(End):
    """`me` takes one of the ways that can happen and was not taken yet; `otherwise`: no, or none is left."""

    number: int
    alternatives: t.Alternatives
    ways: list[Block]
    otherwise: Block


@dataclass(eq=False, slots=True)
class RollEnd(End):
    """Nature rolls dice."""

    roll: t.Roll
    then: Block


@dataclass(eq=False, slots=True)
class DrawEnd(End):
    """One thing is drawn: the known top, or nature chooses. It goes to `drawn_slot`."""

    draw: t.Draw
    then: Block
    drawn_slot: int | None = None


@dataclass(eq=False, slots=True)
class SettleTopEnd(End):
    """Nature settles one more of the `count` top things of a pile; `then`: asked again, `done`: all are settled."""

    zone: Expr
    count: Expr
    then: Block
    done: Block


@dataclass(eq=False, slots=True)
class ShowTopEnd(End):
    """Nature settles the top of one more of the piles that show it; `then`: asked again, `done`: all are settled."""

    symbols: list[g.ZoneSymbol]
    then: Block
    done: Block


@dataclass(eq=False, slots=True)
class ShuffleStateEnd(End):
    """Nature permutes the values of a state."""

    shuffle: t.ShuffleState
    then: Block


@dataclass(eq=False, slots=True)
class RandomEnd(End):
    """Nature chooses one element."""

    pick: t.RandomPick
    body: Block
    otherwise: Block


@dataclass(eq=False, slots=True)
class OptionEnd(End):
    """Nature settles an option of the game that nobody chose."""

    option: g.OptionSymbol
    then: Block


Deciding = ChooseEnd | OfferEnd | SealEnd | AlternativesEnd | OrderEnd
"""The ends at which somebody decides."""


@dataclass(eq=False, slots=True)
class Block:
    """Operations, then an end. `index` counts the blocks of a proc."""

    index: int
    operations: list[t.Stmt | Operation] = field(default_factory=list)
    end: End | None = None


@dataclass(eq=False)
class Proc:
    """A body that can suspend. Arguments: `me` goes to slot 0, the others to `slots`."""

    name: str
    number: int
    frame: g.Frame
    slots: list[int]
    blocks: list[Block] = field(default_factory=list)
    calls: set[Proc] = field(default_factory=set)
    end: g.EndSymbol | None = None

    def block(self) -> Block:
        """A new block."""
        made = Block(len(self.blocks))
        self.blocks.append(made)
        return made
