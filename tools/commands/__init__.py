"""One module for each subcommand of `regelwerk`.

`add_parser` describes its arguments, `run` does it and gives the exit code.
`regelwerk.tools.command_line` lists them and imports only the one that is asked for.
"""
