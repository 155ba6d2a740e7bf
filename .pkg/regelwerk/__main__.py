"""`python -m regelwerk`: the same as the command `regelwerk`."""

from regelwerk.tools.command_line import main

if __name__ == "__main__":
    raise SystemExit(main())
