"""Pictures of a game, in two steps: a reading of the checked game into a `diagram`, and an output of the diagram.

`phase_reading`, `rule_reading`, `economy_reading` and `board_reading` make one; `graphviz_output`, `mermaid_output` and
`board_output` write one as text, and `graphviz_engines` turns that of Graphviz into a picture with whatever is
installed.
"""
