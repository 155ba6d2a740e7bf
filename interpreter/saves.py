"""Saved games: a JSON header that names rules, configuration and layout, then the bytes of the image."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from regelwerk.interpreter import layout as la
from regelwerk.interpreter import machine
from regelwerk.interpreter.layout import Image

if TYPE_CHECKING:
    from regelwerk.interpreter.api import Game, State

MAGIC = b"regelwerk save 1\n"


def pack(state: State) -> bytes:
    """A state as bytes."""
    head = {
        "game": state.game.name,
        "rules": state.game.hash,
        "layout": state.program.layout.hash(),
        "seats": list(state.seats),
        "options": state.chosen_options,
        "seed": state.seed,
        "recording": state.recording,
    }
    return MAGIC + json.dumps(head, sort_keys=True).encode() + b"\n" + bytes(state.image.b)


def unpack(game: Game, data: bytes) -> State:
    """A state from its bytes. Raises `UsageError` if they are damaged or of other rules."""
    from regelwerk.interpreter.api import State, UsageError

    if not data.startswith(MAGIC):
        raise UsageError("this is no saved game")
    line, separator, body = data[len(MAGIC) :].partition(b"\n")
    try:
        head = json.loads(line)
        seats, options, seed = (
            [str(s) for s in head["seats"]],
            {str(k): str(v) for k, v in head["options"].items()},
            int(head["seed"]),
        )
        recording = [tuple(str(word) for word in entry) for entry in head["recording"]]
        rules, layout = str(head["rules"]), str(head["layout"])
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UsageError("the head of this saved game is damaged") from None
    if rules != game.hash:
        raise UsageError("this saved game is of other rules (or of another version of them)")
    fresh = game.new(len(seats), seed, options, seats)
    program = fresh.program
    if not separator or layout != program.layout.hash() or len(body) != program.layout.size:
        raise UsageError("this saved game is damaged")
    image = Image(bytearray(body))
    state = State(game, program, image, seed, options)
    state.recording = recording
    if image.w[la.STATUS] not in (la.DECISION, la.CHANCE, la.OVER):
        raise UsageError("this saved game is damaged")
    try:
        stack = machine.load_frames(program, image)
        if image.w[la.STATUS] == la.DECISION:
            if not stack or not 1 <= image.w[la.ACTOR] <= program.players or not state.raw_options:
                raise ValueError
        elif image.w[la.STATUS] == la.CHANCE:
            machine.pending_chance(program, image)
    except Exception:  # damaged bytes can break anything that reads them; nothing was changed
        raise UsageError("this saved game is damaged") from None
    return state
