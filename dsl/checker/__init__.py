"""The checker: a syntax tree becomes a checked game, or findings.

The order of work (`game.GameChecker`): all names are declared, enums and things first, so that types can be written;
then columns, parameters and units get their types; then every body is checked, values and constants when their type is
first asked for; at last rules are resolved and attached to what they aim at. Each step goes on after a finding, and
what was reported becomes `Unavailable`, so that all findings of a file come out of one run and none is said twice.
"""
