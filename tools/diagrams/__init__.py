"""Pictures of a game, in two steps: a reading of the checked game into a diagram, and an output of the diagram.

`phase_reading` makes a `phase_diagram`; `graphviz_output` and `mermaid_output` write one as text, and
`graphviz_engines` turns that of Graphviz into a picture with whatever is installed.
"""
