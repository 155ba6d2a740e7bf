"""What all parts of the checker share: symbols by name, scopes of local names, messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from regelwerk.dsl.checker.picks import EarlierPicks, Picks
from regelwerk.dsl.diagnostics import Diagnostics, Label, nearest
from regelwerk.dsl.model import expressions as x
from regelwerk.dsl.model import game as g
from regelwerk.dsl.model.types import (
    PLAYER,
    UNKNOWN,
    EnumType,
    IntType,
    PictureType,
    PlayerType,
    RowType,
    ThingType,
    Type,
)
from regelwerk.dsl.source import Source, Span
from regelwerk.dsl.syntax.base import Citation, Declaration
from regelwerk.dsl.syntax.files import Use


@dataclass
class Scope:
    """The local names at one place, and what `me`, `it`, `self` and `chosen` are there.

    me        the expression for `me`, or None where nobody acts
    it        (slot, type) of the element under test
    own       (slot, type) of `self`
    chosen    the picks so far, where a choice can look back at them
    in_cell   a cell or computed rows: it may use all that a type has, interface or not
    actions   the addresses of named parts begin with `address`
    """

    frame: g.Frame
    names: dict[str, tuple[int, Type]] = field(default_factory=dict)
    me: x.Expr | None = None
    it: tuple[int, Type] | None = None
    own: tuple[int, Type] | None = None
    chosen: Picks | EarlierPicks | None = None
    address: str = ""
    phase: g.PhaseSymbol | None = None
    in_scenario: bool = False
    in_given: bool = False
    in_cell: bool = False
    seats: dict[str, int] = field(default_factory=dict)
    parameters: list[tuple[str, Type, int]] | None = None

    def inner(self, **changes: object) -> Scope:
        """A scope inside this one, with its own names."""
        return replace(self, names=dict(self.names), **changes)  # type: ignore[arg-type]  # fields by name

    def bind(self, name: str, kind: Type) -> int:
        """A new local name; its slot."""
        slot = self.frame.new(name, kind)
        self.names[name] = (slot, kind)
        return slot


def me_local(span: Span) -> x.Local:
    """`me` of a frame."""
    return x.Local(PLAYER, span, 0)


def citations(items: tuple[Citation, ...]) -> tuple[str, ...]:
    """The clause ids cited, ranges spelt out."""
    found: list[str] = []
    for item in items:
        head = item.text.split("..")[0]
        found.append(head)
        if item.last is not None:
            digits = len(head) - len(head.rstrip("0123456789"))
            prefix, first = head[: len(head) - digits], int(head[len(head) - digits :])
            found += [f"{prefix}{number:0{digits}d}" for number in range(first + 1, item.last + 1)]
    return tuple(found)


BUILT_IN_NAMES = ("me", "active", "players", "bank", "it", "self", "chosen")

VERBS = {"gain": ["what"], "lose": ["what"], "move": ["x"], "draw": ["x"], "roll": ["dice"]}


MAX_SUGGESTIONS = 100  # of one file: each compares a name with all others


class Context:
    """Symbols and messages of one game being checked."""

    def __init__(
        self, diagnostics: Diagnostics, sources: dict[str, Source], halved: frozenset[Span] = frozenset()
    ) -> None:
        self.diagnostics = diagnostics
        self.sources = sources
        self.halved = halved
        """Where quantities are declared that some rule adds halves to; so they are in halves themselves."""
        self.to_halve: set[Span] = set()
        """Where such quantities are found that are still taken for whole numbers."""
        self.players: tuple[int, int] = (2, 4)
        self.seats: tuple[str, ...] = ()
        self.globals: dict[str, g.Symbol] = {}
        self.attributes: dict[str, list[g.Symbol]] = {}
        self.members: dict[str, list[tuple[g.EnumSymbol | g.EntitySymbol, int]]] = {}
        self.units: dict[str, g.Unit | g.ResourceSymbol] = {}
        self.pictures: dict[g.Picture, int] = {}
        self.unit_list: list[g.Unit] = []
        self.enum_units: dict[str, list[tuple[g.EnumSymbol, int]]] = {}
        self.effects: dict[str, g.EffectSymbol] = {}
        self.actions: dict[str, g.ActionSymbol] = {}
        self.phases: dict[str, list[g.PhaseSymbol]] = {}
        self.verbs = {name: g.VerbSymbol(name, Span("", 0, 0), list(parameters)) for name, parameters in VERBS.items()}
        self.questions: list[g.HistoryQuestion] = []
        self.steps: dict[str, g.StepSymbol] = {}
        self.roles: list[g.Role] = []
        self.syntax: dict[g.Symbol, object] = {}
        self.lazy: dict[g.Symbol, Callable[[], None]] = {}
        self.in_progress: set[g.Symbol] = set()
        self.action_scopes: dict[g.ActionSymbol, Scope] = {}
        self.suggested = 0
        self.targets: dict[str, Any] | None = None
        """What rules can aim at, by address, once all is declared."""
        self.recursive: set[g.Symbol] = set()
        self.unattended: set[g.Symbol] = set()
        """Phases and steps that run where nobody acts."""
        self.library_spans: dict[str, list[tuple[Span, str]]] = {}
        self.uses: dict[str, Span] = {}
        self.ambiguous: set[str] = set()
        self.interfaces: list[g.InterfaceSymbol] = []

    def enter_libraries(self, declarations: Iterable[tuple[Declaration, str | None]], uses: Iterable[Use]) -> None:
        """Remember which text is that of libraries, and where the file says that it uses them."""
        for node, library in declarations:
            if library is not None:
                self.library_spans.setdefault(node.span.source, []).append((node.span, library))
        self.uses = {use.name.text: use.span for use in uses}

    def library_at(self, span: Span) -> str | None:
        """The library whose text this is, or None."""
        for other, library in self.library_spans.get(span.source, ()):
            if other.start <= span.start <= other.end:
                return library
        return None

    # ------------------------------------------------------------------------------------------------ messages
    def error(
        self, code: str, message: str, span: Span, help: str | None = None, labels: tuple[Label, ...] = ()
    ) -> None:
        """Report an error; in a library, also where the game uses it."""
        library = self.library_at(span) if self.library_spans else None
        if library in self.uses and not labels:
            labels = (Label(self.uses[library], "used here"),)
        self.diagnostics.error(code, message, span, help, labels)

    def unavailable(self, span: Span) -> x.Expr:
        """Stands for what was reported."""
        return x.Unavailable(UNKNOWN, span)

    def suggest(self, word: str, candidates: list[str], otherwise: str | None = None) -> str | None:
        """A remedy that names the nearest candidate."""
        self.suggested += 1
        found = nearest(word, candidates) if self.suggested <= MAX_SUGGESTIONS else None
        return f"did you mean `{found}`?" if found else otherwise

    def suggest_type(self, word: str, otherwise: str) -> str:
        """A remedy that names the nearest type of things, enum or `player`."""
        types = [name for name, each in self.globals.items() if isinstance(each, g.EntitySymbol | g.EnumSymbol)]
        return self.suggest(word, ["player", *types]) or otherwise

    # ------------------------------------------------------------------------------------------------ declaring
    def declare(self, name: str, symbol: g.Symbol, span: Span, attribute: bool = False) -> None:
        """Enter a name; a second declaration is an error unless both are attributes of different types."""
        if name in BUILT_IN_NAMES:
            self.error(
                "E0201", f"`{name}` always has its own meaning and cannot be declared", span, "choose another name"
            )
            return
        other = self.globals.get(name)
        if other is None and not attribute:
            other = next(iter(self.attributes.get(name, [])), None)
        if other is not None:
            self.error(
                "E0202",
                f"`{name}` is declared twice",
                span,
                "rename one of them: a game has one name space",
                (Label(other.span, "first declared here"),),
            )
            return
        if attribute:
            for twin in self.attributes.get(name, []):
                if self.attribute_key(twin) == self.attribute_key(symbol):
                    if twin.span == symbol.span:  # a library used twice: it could be of either type
                        self.attributes[name].remove(twin)
                        self.ambiguous.add(name)
                        return
                    self.error(
                        "E0202",
                        f"`{name}` is declared twice for the same type",
                        span,
                        "rename one of them",
                        (Label(twin.span, "first declared here"),),
                    )
                    return
            self.attributes.setdefault(name, []).append(symbol)
        else:
            self.globals[name] = symbol

    @staticmethod
    def attribute_key(symbol: g.Symbol) -> Type | None:
        """The type that a declaration is an attribute of."""
        if isinstance(symbol, g.StateSymbol | g.ZoneSymbol):
            return symbol.key
        if isinstance(symbol, g.UnknownSymbol):
            return UNKNOWN
        if isinstance(symbol, g.AwardSymbol):
            return symbol.key
        if isinstance(symbol, g.ResourceSymbol | g.TrackSymbol):
            return PLAYER
        if isinstance(symbol, g.ValueSymbol):
            return symbol.parameters[0][1] if symbol.parameters else None
        return None

    def type_named(self, name: str) -> Type | None:
        """The type of that name (`player`, an enum, a type of things), by either number of its noun."""
        if name in ("player", "players"):
            return PLAYER
        symbol = self.globals.get(name)
        if isinstance(symbol, g.EnumSymbol):
            return EnumType(symbol)
        if isinstance(symbol, g.EntitySymbol):
            return ThingType(symbol)
        return None

    def size(self, kind: Type) -> int:
        """How many members a type has at most, for bounds at load; the most players, copies as far as they are
        known."""
        if isinstance(kind, PlayerType):
            return self.players[1]
        if isinstance(kind, EnumType):
            return kind.symbol.highest
        if isinstance(kind, ThingType | RowType):
            return max(1, kind.symbol.most_rows)
        if isinstance(kind, PictureType):
            return max(1, len(self.pictures))
        return 1

    def values(self, kind: Type) -> int:
        """How many different values a type has, numbers included."""
        return kind.highest - kind.lowest + 1 if isinstance(kind, IntType) else self.size(kind)

    def ensure(self, symbol: g.Symbol) -> None:
        """Check a constant or value now if that has not been done (its type is asked for)."""
        work = self.lazy.pop(symbol, None)
        if work is not None:
            work()
