"""Pictures: tables of all pictures and their turns, made once."""

from __future__ import annotations

from regelwerk.dsl.model import expressions as x
from regelwerk.interpreter.evaluation.base import NONE_NUMBER, Closure, Compiler, Locals, compiles
from regelwerk.interpreter.layout import Image


@compiles(x.PictureSize)
def _size(c: Compiler, node: x.PictureSize) -> Closure:
    picture = c.expr(node.picture)
    found = [NONE_NUMBER]
    for each in c.program.game.pictures:
        squares = sum(1 for cell in each.cells if cell)
        found.append({"width": each.width, "height": each.height, "count": squares}[node.attribute])
    return lambda m, env: found[picture(m, env)]


@compiles(x.PictureAt)
def _at(c: Compiler, node: x.PictureAt) -> Closure:
    picture, column, row = c.expr(node.picture), c.expr(node.column), c.expr(node.row)
    pictures = [None, *c.program.game.pictures]

    def at(m: Image, env: Locals) -> int:
        found, across, down = pictures[picture(m, env)], column(m, env), row(m, env)
        if found is None or not (0 <= across < found.width and 0 <= down < found.height):
            return 0
        return int(found.cells[down * found.width + across])

    return at


@compiles(x.PictureTurned)
def _turned(c: Compiler, node: x.PictureTurned) -> Closure:
    picture, turns = c.expr(node.picture), c.expr(node.turns)
    numbers = {each: number for number, each in enumerate(c.program.game.pictures, 1)}
    after = [[0, 0, 0, 0]]
    for each in c.program.game.pictures:
        row, turned = [], each
        for _ in range(4):
            row.append(numbers[turned])
            turned = turned.turned()
        after.append(row)
    return lambda m, env: after[picture(m, env)][turns(m, env) % 4]
