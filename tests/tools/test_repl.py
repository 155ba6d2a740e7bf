"""`regelwerk repl`: asked through a pipe, as a program would."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.tools.screens import Screen

from regelwerk.interpreter.api import Game
from regelwerk.interpreter.explaining.evaluating import Evaluator, Unanswerable
from regelwerk.interpreter.loading import check_path
from regelwerk.tools.command_line import main
from regelwerk.tools.repl.completion import Completer
from regelwerk.tools.repl.session import COMMANDS, HELP

ROOT = Path(__file__).resolve().parents[2]
MARKET = str(ROOT / "docs" / "examples" / "market.rules")

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Types lines into a game of the market; gives exit code, output and errors."""
    monkeypatch.setenv("COLUMNS", "100")

    def call(lines: list[str], *words: str, game: str = MARKET) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        code = main(["repl", game, *(words or ("--players", "2", "--seed", "3"))])
        out, err = capsys.readouterr()
        return code, out, err

    return call


def test_nothing_is_typed_and_nothing_is_printed(ask: Ask) -> None:
    assert ask([]) == (0, "", "")
    assert ask(["", "// a comment", "# another"]) == (0, "", "")


def test_the_same_is_printed_each_time(ask: Ask) -> None:
    lines = ["legal", "step 1", "view", "state", "why rest", "score", "undo", "legal"]
    assert ask(lines) == ask(lines)


def test_steps_and_undo(ask: Ask) -> None:
    code, out, err = ask(
        ["legal", "eval me.coins", "step visit own.1 bakery", "events", "undo", "eval me.coins", "legal"]
    )
    assert (code, err) == (0, "")
    first, *_, last = out.split("What do you do?")
    assert first == "Ann: "
    assert "visit own.1 bakery" in last
    assert "1 decision at game.round.placing, Ben to decide" in out
    assert "0 decisions at game.round.placing, Ann to decide" in out


def test_a_number_or_words_are_an_answer(ask: Ask) -> None:
    by_number = ask(["1"])[1]
    assert by_number.startswith("- ")
    code, out, _ = ask(["step weaver"])
    assert code == 1
    assert "could be" in out
    assert ask(["step bakers"])[0] == 0


def test_what_fails_is_said_and_counts(ask: Ask) -> None:
    for line, message in (
        ("foo", "there is no command `foo`"),
        ("setp 1", "did you mean `step`?"),
        ("step nonsense", "`nonsense` is not an option now"),
        ("step visit own.1 town_hall", "Town Hall needs 6"),
        ("step 99", "`99` is not an option now"),
        ("undo", "only 0 steps can be taken back"),
        ("undo x", "how many steps?"),
        ("seat Eva", "there is no seat `Eva` (seats: Ann, Ben)"),
        ("why visits", "did you mean `visit`?"),
        ("why", "needs the name of an action"),
        ("record", "a path is needed"),
        ("record /no/such/folder/x", "cannot be written"),
        ("legal zebra", "no option has `zebra` in it"),
        ("eval", "needs an expression"),
    ):
        code, out, err = ask([line, "eval 1 + 1"])
        assert code == 1, line
        assert message in " ".join(out.split()), (line, out)
        assert out.endswith("2\n"), out  # it goes on
        assert err == ""


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2 * 3", "7"),
        ("me is Ann", "yes"),
        ("players.count", "2"),
        ("me.dice.count is 2 and not (me.coins > 90)", "yes"),
        ("Ben.coins + Ann.coins is sum(p in players: p.coins)", "yes"),
        ("count(s in Stalls where s is free) is Stalls.count", "yes"),
        ("options.count", "12"),
        ("options(visit).count", "9"),
        ("Ann.goods", "nothing"),
        ("actor", "Ann"),
        ("over", "no"),
        ("first(s in Stalls where s.needs is 6)", "Town Hall"),
    ],
)
def test_eval(ask: Ask, expression: str, value: str) -> None:
    code, out, _ = ask([f"eval {expression}"])
    assert out.partition("\n")[0] == value
    assert code == 0


def test_eval_draws_what_is_wrong(ask: Ask) -> None:
    code, out, _ = ask(["eval me.coinz > 2"])
    assert code == 1
    assert "error[E0204]" in out
    assert "1 | me.coinz > 2" in out
    assert "  |    ^^^^^" in out
    for wrong in (
        "3 +",
        "(",
        "1 ++ 2 }",
        "me.",
        "gain 2 coins",
        '"text"',
        "{" * 60,
        "happened visit this round by",
        "x" * 70,
    ):
        code, out, err = ask([f"eval {wrong}"])
        assert code == 1, wrong
        assert "error[" in out or "fault[" in out, (wrong, out)
        assert err == ""


def test_eval_as_a_seat_hides(ask: Ask) -> None:
    cellar = str(ROOT / "tests" / "tools" / "games" / "cellar.rules")
    words = ("--players", "2", "--seed", "3")
    told = ask(["eval Ann.hand"], *words, game=cellar)[1]
    assert "Chianti" in told
    assert ask(["eval as Ann: me.hand"], *words, game=cellar)[1].startswith(told.split("\n")[0])
    assert ask(["eval as Ben: Ann.hand"], *words, game=cellar)[1].startswith("hidden")
    assert ask(["eval as Ben: Ann.hand.count is 3 and Ann.hand.first.price > 0"], *words, game=cellar)[1].startswith(
        "hidden"
    )


def test_eval_leaves_the_game_as_it_is(ask: Ask) -> None:
    asked = ask(
        ["eval happened visit by anyone this game", "eval count(s in Stalls where s is free)", "step 1", "state"]
    )
    assert asked[1].endswith(ask(["step 1", "state"])[1])


def test_a_record_is_gone_into(ask: Ask, tmp_path: Path) -> None:
    path = tmp_path / "a.replay"
    assert ask(["1", "1", "1", f"record {path}"])[0] == 0
    assert ask(["eval over"], "--replay", str(path))[0] == 0
    code, out, _ = ask(["undo", "legal"], "--replay", str(path), "--at", "2")
    assert code == 1
    assert "Ben: What do you do?" in out
    assert ask([], "--replay", str(path), "--players", "2")[0] == 2
    assert ask([], "--at", "2")[0] == 2


def test_the_help_names_all_commands() -> None:
    named = {line.split()[0] for line in HELP.split("\n")} | {"save", "quit"}
    assert set(COMMANDS) <= named


def test_completion(ask: Ask) -> None:
    words = {"": ("why", "what"), "why ": ("visit",)}
    completer = Completer(lambda before: words[before], lambda: ("why", 0))
    assert [completer("w", 0), completer("w", 1), completer("w", 2)] == ["what", "why", None]


def test_the_page_shows_what_is_printed(ask: Ask) -> None:
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    command, shown = page.partition("$ printf '")[2].split("--seed 3\n", 1)
    code, out, _ = ask(command.partition("'")[0].split("\\n"))
    assert code == 0
    assert out == shown.partition("```")[0]


def test_the_front_page_shows_what_is_printed(ask: Ask) -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    command, shown = page.partition("$ printf '")[2].split("docs/examples/pig.rules\n", 1)
    game = str(ROOT / "docs" / "examples" / "pig.rules")
    code, out, _ = ask(command.partition("'")[0].removesuffix("\\n").split("\\n"), "--seed", "0", game=game)
    assert code == 0
    assert out == shown.partition("```")[0]


def test_names_are_completed() -> None:
    checked = check_path(MARKET, False)
    assert checked.game is not None
    game = Game(checked.game, checked.diagnostics, checked.sources)
    evaluator = Evaluator(checked, game)
    assert {"coins", "Stalls", "visit", "me", "free"} <= set(evaluator.names())
    with pytest.raises(Unanswerable):
        evaluator.evaluate(game.new(2, 1), "nonsense")


def test_ctrl_c_goes_on(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the prompt the line is given up, in the middle of a command the command; both times the next line is asked."""

    def pressed(*_: object) -> str:
        raise KeyboardInterrupt

    typed: list[Callable[[], str]] = [pressed, lambda: "legal", lambda: "eval 20 + 1", lambda: "quit"]
    lines = iter(typed)
    monkeypatch.setattr("regelwerk.tools.commands.repl._ask", lambda repl, typed: lambda: next(lines)())
    monkeypatch.setattr("regelwerk.tools.repl.session.Repl._legal", pressed)
    code, out, _ = ask([])
    assert out == "\ninterrupted\n21\n"
    assert code == 0


def test_at_a_terminal() -> None:
    """There is a prompt, the end of input leaves, and the exit code is 0."""
    screen = Screen("repl", MARKET, "--seed", "3")
    screen.until("Ann> ")
    screen.type("eval 20 + 1\n")
    screen.until("21")
    screen.until("Ann> ")
    screen.type("foo\n")
    screen.until("there is no command")
    screen.until("Ann> ")
    screen.type("\x04")
    assert screen.end() == 0
    assert b"Traceback" not in screen.all
