"""regelwerk: a declarative language for the rules of board games.

The names below are loaded on first use, so that `import regelwerk` costs next to nothing.
"""

from pathlib import Path as _Path

TYPE_CHECKING = False  # type checkers take this name for true; `typing` itself need not be imported
if TYPE_CHECKING:
    from regelwerk.dsl.diagnostics import Diagnostic, RulesError
    from regelwerk.interpreter.api import Decision, Game, Option, Outcome, Refusal, Replay, State, load

__version__ = "0.1.0"
__all__ = [
    "Decision",
    "Diagnostic",
    "Game",
    "Option",
    "Outcome",
    "Refusal",
    "Replay",
    "RulesError",
    "State",
    "load",
]

_root = _Path(__file__).resolve().parents[2]
if (_root / "pyproject.toml").is_file() and (_root / "grammar.lark").is_file():
    # A checkout: the subpackages are the folders at its top. This folder comes second, for `python -m regelwerk`.
    __path__ = [str(_root), str(_Path(__file__).resolve().parent)]

if not TYPE_CHECKING:  # out of sight of type checkers, which would otherwise take any misspelt name for an export

    def __getattr__(name: str) -> object:
        """Import an exported name when it is first asked for."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        home = "dsl.diagnostics" if name in {"Diagnostic", "RulesError"} else "interpreter.api"
        value = getattr(import_module(f"{__name__}.{home}"), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        """Name the exports too, loaded or not."""
        return sorted({*globals(), *__all__})
