"""A rulebook for players, made from a checked game.

english     nouns, articles, lists, agreement of verbs
markup      links and emphasis inside a text, whatever the output is
scope       how local variables are spoken of
wording     words for expressions, amounts, effects, phases and rules; every form registers its own
book        the book as a tree of chapters, entries and blocks
writing     the chapters of a game
markdown, html, aid   the outputs
"""
