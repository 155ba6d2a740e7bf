"""The envelope of a document, as pydantic models: what it is, its sources, its rules, its facts."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

FORMAT = "regelwerk-game"
VERSION = 1
"""Goes up when documents change so that old readers would misread them; a new field with a default does not."""

Bounds = Annotated[tuple[int, int], Field(strict=False)]
Place = Annotated[tuple[int, int, int], Field(strict=False)]
"""Number of the source (from 0), first character, character after the last."""


class Piece(BaseModel):
    """Base of the parts of a document."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class SourceText(Piece):
    """One rules text that the game was made from; places in the rules point into it."""

    name: str = Field(min_length=1, max_length=500)
    text: str = Field(max_length=1 << 20)


def _tree(*names: str) -> Any:
    return WithJsonSchema({"trees": list(names)})  # written out by `schema`


class LibraryRules(Piece):
    """What a library gave the game, with the game's names put in."""

    name: str = Field(min_length=1, max_length=64)
    declarations: list[Annotated[Any, _tree("Declaration")]]


class Rules(Piece):
    """The syntax tree of the whole game. `variant`: the header of the variant that it is, if it is one."""

    header: Annotated[Any, _tree("GameHeader")]
    variant: Annotated[Any, _tree("VariantHeader", "null")] = None
    declarations: list[Annotated[Any, _tree("Declaration")]]
    libraries: list[LibraryRules] = []


# --------------------------------------------------------------------------------------------------------------- facts
class TypedName(Piece):
    """A parameter or a column with its type."""

    name: str
    type: str


class UnitFact(Piece):
    """What amounts are counted in: `of` is the resource or track, `one` and `many` are printed."""

    name: str
    of: str
    one: str
    many: str


class MemberFact(Piece):
    """A member of an enum, or a row of a table, with how it is printed."""

    name: str
    printed: str


class EnumFact(Piece):
    """An enum. `numbers`: the lowest and highest of the numbers among its members."""

    name: str
    members: list[MemberFact]
    numbers: Bounds | None


class ColumnFact(TypedName):
    """A column; effects may have parameters."""

    parameters: list[TypedName]


class ThingsFact(Piece):
    """A table of things."""

    name: str
    kind: Literal["cards", "tiles", "pieces", "dice", "fields", "table"]
    columns: list[ColumnFact]
    rows: list[MemberFact]


class SymbolFact(Piece):
    """Anything else that has a name. `type` of what has a value, `per` of what there is one of for each."""

    address: str
    kind: Literal[
        "constant", "option", "resource", "track", "state", "zone", "value", "effect", "action", "requirement", "cost",
        "step", "score", "award", "end", "rank", "invariant",
    ]  # fmt: skip
    type: str | None = None
    per: str | None = None
    parameters: list[TypedName] = []


class PhaseFact(Piece):
    """A phase, what drives it (outermost first), and the phases in it."""

    address: str
    printed: str
    drivers: list[Literal["turns", "loop", "for", "together", "when"]]
    phases: list[PhaseFact]


class DecisionFact(Piece):
    """A place where somebody decides (`offer`, `choose`, `alternatives`) or nature does (`random`)."""

    address: str
    kind: Literal["offer", "choose", "alternatives", "random"]
    actions: list[str]
    place: Place


class Facts(Piece):
    """For programs that read a game without checking it. Reading a document back makes no use of them."""

    players: Bounds
    seats: list[str]
    enums: list[EnumFact]
    things: list[ThingsFact]
    units: list[UnitFact]
    symbols: list[SymbolFact]
    phases: list[PhaseFact]
    decisions: list[DecisionFact]


class Document(Piece):
    """A checked game, to be read by other programs and by regelwerk itself."""

    format: Literal["regelwerk-game"]
    version: Literal[1]
    edition: Literal[1]
    name: str = Field(min_length=1, max_length=64)
    title: str = Field(max_length=500)
    hash: str = Field(pattern="^[0-9a-f]{16}$")
    sources: list[SourceText] = Field(min_length=1, max_length=64)
    rules: Rules
    facts: Facts | None = None
