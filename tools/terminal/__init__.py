"""`regelwerk play` at a terminal.

A session asks and answers (`session`). What is drawn comes from a view of the state: the table of places and counts
(`board`), squares (`grids`), hexes (`hexes`) and both as maps with coordinates (`map`). What is offered (`choices`)
and what has happened (`journal`) is put into the author's words; a card is looked up in its cells (`lookup`).
"""
