"""A rulebook for players, made from a checked game.

english, markup     nouns, lists, verbs; links and emphasis inside a text
naming              how declarations are called, and where their entries are
wording             who knows the forms, and how local variables are spoken of
reading, asking, computing, holding, picking, amounts, doing, deciding, running
                    the words of the forms, each module a kind
telling             long conditions and values part by part
gathering           what the chapters need of a checked file
book                the book as a tree of chapters, entries and blocks
components, playing, chapters, aid
                    what stands in it
pictures, diagram_words
                    boards, and the phase diagram in words
markdown, html      the outputs
"""
