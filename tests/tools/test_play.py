"""Scripted games at the terminal: what is typed on stdin, and what is then on the screen."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import regelwerk
from regelwerk.tools.command_line import main
from regelwerk.tools.terminal.session import write_atomically

GAMES = Path(__file__).parent / "games"
CELLAR = str(GAMES / "cellar.rules")
BOTTLES = ("Alsace", "Barolo", "Chianti", "Douro", "Eiswein", "Falerno")
BAR = "=" * 60

Play = Callable[..., tuple[int, str, str]]


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Play:
    """Plays the cellar with typed lines; gives exit code, output and errors."""
    monkeypatch.setenv("COLUMNS", "100")

    def call(typed: list[str], *words: str, game: str = CELLAR) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        code = main(["play", game, "--seed", "3", *words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def joined(text: str) -> str:
    """Text without the line breaks that a long path makes necessary."""
    return " ".join(text.split())


def hands(seed: int = 3) -> dict[str, set[str]]:
    """The bottles each seat is dealt."""
    state = regelwerk.load(CELLAR).new(2, seed)
    return {
        seat: {t.name for z in state.view(seat).zones if z.name == "hand" and z.holder == seat for t in z.things or ()}
        for seat in state.seats
    }


def after_prompts(out: str) -> list[str]:
    """What is shown after each question, from its answer on."""
    return re.split(r"^(?:Ann|Ben)> ", out, flags=re.MULTILINE)[1:]


def test_bots_play_to_the_end(play: Play) -> None:
    code, out, err = play([], "--seat", "all=random")
    assert (code, err) == (0, "")
    assert "evening 1" in out
    assert "The end" in out
    assert re.search(r"^(Ann|Ben) wins \(empty\)\.", out, re.MULTILINE)
    assert "two coins a point" in out
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) <= 100


def test_without_a_keyboard_bots_have_all_seats(play: Play) -> None:
    code, out, _ = play([])
    assert code == 0
    assert "> " not in out


def test_the_same_seed_gives_the_same_game(play: Play) -> None:
    assert play([], "--seat", "all=greedy") == play([], "--seat", "all=greedy")


def test_hidden_hands_never_appear_on_the_other_screen(play: Play) -> None:
    dealt = hands()
    _, out, _ = play(["", "sip", "", "shelve", "1", "", "board", "log", "quit", ""], "--seat", "all=human")
    screens = out.split(BAR)
    anns = "".join(s for s in screens if "Ann (you)" in s)
    bens = "".join(s for s in screens if "Ben (you)" in s)
    assert anns
    assert bens
    played = re.findall(r"Ann shelve (\w+)", bens)
    assert played
    assert not {b for b in dealt["Ann"] - dealt["Ben"] - set(played) if b in bens}
    assert not {b for b in dealt["Ben"] - dealt["Ann"] if b in anns}
    between = [s for s in screens if "Pass to" in s]
    assert between
    assert not any(bottle in s for s in between for bottle in BOTTLES)
    assert re.search(r"hand +│ 2 bottles +│ 3 bottles", bens)


def test_the_hand_over_waits_for_enter(play: Play) -> None:
    code, out, _ = play([], "--seat", "all=human")
    assert code == 1
    assert "Pass to Ann, press Enter" in out
    assert "(you)" not in out


def test_another_players_choice_is_told_only_as_far_as_it_is_seen(play: Play) -> None:
    _, out, _ = play(["", "1", "", "quit", ""], "--seat", "all=human")
    since = out.partition("Since your last decision:")[2]
    assert since.strip().startswith("Ann shelve Chianti, Low shelf")
    assert "gains 2 fame" in since


def test_a_sealed_answer_is_not_told_before_all_have_answered(play: Play) -> None:
    game = str(GAMES / "sealed.rules")
    _, out, _ = play(["", "7", "", "quit", ""], "--seat", "all=human", game=game)
    since = out.partition("Since your last decision:")[2] or out.rpartition(BAR)[2]
    assert "Ann decides" in since
    assert "17" not in since.partition("Bid")[0]


def test_the_stages_of_another_players_choice_do_not_tell_what_is_hidden(play: Play) -> None:
    game = str(GAMES / "smuggler.rules")
    _, out, _ = play(["", "1", "1", "1", "", "quit", ""], "--seat", "all=human", game=game)
    since = out.partition("Since your last decision:")[2].partition("╭")[0]
    assert since.count("Ann drop") == 1
    assert "loses 2 goods" in since
    assert "silk" not in since


def test_question_mark_names_the_clause_and_what_it_cites(play: Play) -> None:
    _, out, _ = play(["?", "quit", ""], "--seat", "Ann=human")
    shown = after_prompts(out)[0]
    assert "shelve.fine [W-3]" in shown
    assert "cellar.rules:" in shown
    assert "too cheap for High shelf" in shown


def test_question_mark_with_a_word_narrows(play: Play) -> None:
    _, out, _ = play(["? zebra", "quit", ""], "--seat", "1=human")
    assert "Nothing that is refused now has to do with “zebra”." in out


def test_question_mark_unfolds_an_action(play: Play) -> None:
    _, out, _ = play(["? shelve", "? shelve chianti high", "? shelve zebra", "? ", "quit", ""], "--seat", "Ann=human")
    best, high, none, bare = after_prompts(out)[:4]
    assert "shelve (c Chianti, at Low shelf)" in best
    assert "for Ann: possible" in best
    assert "✓ offer at `" in best
    assert "High shelf) for Ann: not possible" in high
    assert "✗ require shelve.fine" in high
    assert "to make it possible" in high
    assert "has “zebra” in it" in none
    assert "`? ACTION` unfolds an action" in bare
    assert "`? score` your points" in joined(bare)


def test_question_mark_score_tells_the_points(play: Play) -> None:
    _, out, _ = play(["? score", "quit", ""], "--seat", "Ann=human")
    assert re.search(r"Ann: -?\d+ .*if the game ended now", after_prompts(out)[0])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes here")
def test_a_pipe_is_written_into_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDWR)
    write_atomically(pipe, b"text")
    assert os.read(end, 10) == b"text"
    os.close(end)
    assert pipe.is_fifo()


def test_undo_takes_own_decisions_back(play: Play) -> None:
    _, out, _ = play(["Take a sip", "undo", "undo", "quit", ""], "--seat", "1=human")
    shown = after_prompts(out)
    assert "Ann gains 1 fame" in shown[0]
    assert "Taken back." in shown[1]
    assert re.search(r"fame +│ 0 / 30", shown[1])
    assert "There is nothing to undo" in shown[2]


def test_undo_stops_at_chance(play: Play) -> None:
    _, out, _ = play(["luck", "", "undo", "sip", "", "undo", "undo", "quit", ""], "--seat", "1=human")
    shown = after_prompts(out)
    assert "roll of luck dice" in shown[1]
    assert "cannot be undone: something was revealed since (roll of luck dice" in shown[2]
    assert "Taken back." in shown[5]
    assert "something was revealed" in shown[6]


def test_undo_stops_at_another_players_decision(play: Play) -> None:
    _, out, _ = play(["1", "undo", "quit", ""], "--seat", "1=human")
    assert "That cannot be undone: Ben has decided since." in out


def test_words_narrow_the_options(play: Play) -> None:
    _, out, _ = play(["low", "high", "", "zebra", "99", "-1", "", "quit", ""], "--seat", "1=human")
    shown = after_prompts(out)
    assert "3 of 8 options; Enter shows all." in shown[0]
    assert "Enter takes it" in shown[1]
    assert "Ann shelve Douro, High shelf (for 1 coin to borrow the ladder)" in shown[2]
    assert "No option has “zebra” in it." in shown[3]
    assert "There is no option 99" in shown[4]
    assert "No option" in shown[5] or "no option" in shown[5]


def test_forced_decisions_are_taken_unless_asked(play: Play) -> None:
    typed = ["sip", "", "sip", "", "luck", "", "falerno", ""]
    _, out, _ = play([*typed, "quit", ""], "--seat", "1=human")
    assert "Ann shelve Falerno, Low shelf" in out
    code, out, _ = play(["1"] * 3, "--seat", "1=human", game=str(GAMES / "forced.rules"))
    assert "end the turn (the only option)" in out
    code, out, _ = play(["1", ""], "--seat", "1=human", "--ask-forced", game=str(GAMES / "forced.rules"))
    assert "Enter takes it." in out
    assert code == 1


def test_info_shows_the_words_of_the_rules(play: Play) -> None:
    _, out, _ = play(["info falerno", "f shelve", "info zebra", "info", "help", "quit", ""], "--seat", "1=human")
    shown = after_prompts(out)
    assert "opened: gain 1 coin then gain 1 fame" in shown[0]
    assert "require fine: c.price >= at.least" in shown[1]
    assert "[W-1]" in shown[1]
    assert "Nothing here is called “zebra”" in shown[2]
    assert "needs a name" in shown[3]
    assert "take this option" in shown[4]


def test_record_replays_to_the_same_outcome(play: Play, tmp_path: Path) -> None:
    record = tmp_path / "game.replay"
    code, out, _ = play(["1", "luck", "", "1", "1", "1", "1", "1"], "--seat", "1=human", "--record", str(record))
    assert code == 0
    assert f"The record is in {record}." in joined(out)
    state = regelwerk.load(CELLAR).replay(record.read_text())
    assert state.outcome is not None
    winner = re.search(r"^(\w+) wins", out, re.MULTILINE)
    assert winner is not None
    assert state.outcome.winners == (winner[1],)
    assert [each.name for each in tmp_path.iterdir()] == ["game.replay"]


def test_undone_decisions_are_not_in_the_record(play: Play, tmp_path: Path) -> None:
    record = tmp_path / "game.replay"
    play(["sip", "", "undo", "2", "quit"], "--seat", "1=human", "--record", str(record))
    assert "sip" not in record.read_text()


def test_end_of_input_keeps_the_record(play: Play, tmp_path: Path) -> None:
    record = tmp_path / "game.replay"
    code, out, err = play(["1"], "--seat", "1=human", "--record", str(record))
    assert (code, err) == (1, "")
    assert "The input has ended" in out
    assert "Ann: shelve" in record.read_text()


def test_quit_offers_to_keep_the_record(play: Play, tmp_path: Path) -> None:
    record = tmp_path / "kept.replay"
    code, out, _ = play(["1", "quit", str(record)], "--seat", "1=human")
    assert code == 0
    assert "You have left the game." in out
    assert regelwerk.load(CELLAR).replay(record.read_text()).decisions >= 1


def test_interrupt_keeps_the_record(play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = tmp_path / "game.replay"

    def interrupt(self: object, decision: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("regelwerk.tools.bots.RandomBot.choose", interrupt)
    code, _, _ = play(["1"], "--seat", "1=human", "--record", str(record))
    assert code == 130
    assert "Ann: shelve" in record.read_text()


def test_save_and_load(play: Play, tmp_path: Path) -> None:
    kept, other = tmp_path / "kept", tmp_path / "other"
    other.write_text("nonsense")
    typed = [
        f"save {kept}",
        "sip",
        "",
        f"load {kept}",
        "undo",
        f"load {other}",
        f"load {tmp_path}/none",
        "save",
        "quit",
        "",
    ]
    _, out, _ = play(typed, "--seat", "1=human")
    shown = after_prompts(out)
    assert f"Kept in {kept}" in joined(shown[0])
    assert "Loaded." in shown[3]
    assert re.search(r"fame +│ 0 / 30", shown[3])
    assert "There is nothing to undo" in shown[4]
    assert "cannot be loaded: this is no saved game" in joined(shown[5])
    assert "cannot be read" in joined(shown[6])
    assert "`save` needs a path." in shown[7]


def test_load_of_another_table_is_refused(play: Play, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    play([f"save {kept}", "quit", ""], "--seat", "1=human", "--players", "3")
    _, out, _ = play([f"load {kept}", "quit", ""], "--seat", "1=human")
    assert "is a game of Ann, Ben, Cleo, but Ann, Ben sit here." in " ".join(out.split())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--seat", "Zoe=random"], "there is no seat `Zoe`"),
        (["--seat", "3=random"], "there is no seat `3`"),
        (["--seat", "1=wizard"], "`wizard` cannot play (who can: human, random, greedy)"),
        (["--seat", "human"], "write it as SEAT=WHO"),
        (["--players", "9"], "not for 9"),
        (["--option", "cards_each=77"], "`77` is not possible"),
        (["--option", "carts_each=3"], "did you mean `cards_each`?"),
        (["--delay", "-1"], "from 0 to 60 seconds"),
        (["--record", "/nowhere/at/all"], "no file can be written there"),
    ],
)
def test_wrong_words_end_with_code_2(play: Play, words: list[str], told: str) -> None:
    code, out, err = play([], *words)
    assert code == 2
    assert out == ""
    assert told in err


def test_options_reach_the_game(play: Play) -> None:
    _, out, _ = play([], "--seat", "all=random", "--option", "cards_each=2")
    assert re.search(r"hand +│ 2 bottles", out)


def test_a_fault_names_place_seed_and_command(play: Play) -> None:
    code, _, err = play([], "--seat", "all=random", game=str(GAMES / "faulty.rules"))
    assert code == 1
    assert re.search(r"faulty\.rules:\d+", err)
    assert "seed 3" in err
    assert "again: regelwerk play" in err
    assert "--seat all=random" in err


@pytest.mark.parametrize("width", [60, 80, 132])
def test_nothing_is_wider_than_the_terminal(play: Play, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    _, out, _ = play(["?", "? shelve", "? score", "help", "1", "quit", ""], "--seat", "1=human")
    assert max(map(len, out.splitlines())) <= width


def test_a_drawn_board_is_shown_as_a_grid(play: Play) -> None:
    _, out, _ = play([], "--seat", "all=random", game=str(GAMES / "three.rules"))
    assert re.search(r"│ +│ +A +│ +B +│ +C +│", out)
    assert re.search(r"│ 1 │ +│ +│ +wet +│", out)
    assert "Stone" in out


def test_a_column_that_follows_from_the_place_is_not_told_in_every_cell(play: Play) -> None:
    _, out, _ = play(["3", "quit", ""], "--seat", "1=human", game="connect_four")
    lines = [line for line in out.splitlines() if re.match(r"│ 6 │", line)]
    assert lines[0].replace("│", " ").split() == ["6"]
    assert "Red" in lines[1]


def test_players_of_an_open_game_share_the_screen(play: Play) -> None:
    _, out, _ = play(["B2", "A1", "quit", ""], "--seat", "all=human", game="tic_tac_toe")
    assert "Pass to" not in out
    assert BAR not in out
    assert " X put B2\n" in out
    assert re.search(r"│ 1 │ +O +│ +│ +│", out)


def test_a_board_without_anything_of_the_players_has_no_table_of_them(play: Play) -> None:
    _, out, _ = play([], "--seat", "all=random", game="tic_tac_toe")
    assert "▶" not in out


def test_a_shared_first_place_of_all_is_a_draw(play: Play) -> None:
    moves = ["A1", "B1", "C1", "B2", "A2", "C2", "B3", "A3", "C3"]
    _, out, _ = play(moves, "--seat", "all=human", game="tic_tac_toe")
    assert "A draw between X and O (board full)." in out


def test_moves_of_many_things_are_told_in_short(play: Play) -> None:
    _, out, _ = play([], "--seat", "all=random", "--players", "3", game="crazy_eights")
    told = joined(out)
    assert re.search(r"5 cards to hand of Ben · 5 cards to hand of Cem", told)
    assert re.search(r" and \d+ more to stock · stock is shuffled", told)
    assert "1 card to hand of Ben · 1 card" not in told


def test_an_action_is_told_even_if_it_was_the_only_one(play: Play) -> None:
    _, out, _ = play([], "--seat", "all=random", "--players", "3", game="crazy_eights")
    assert re.search(r"^ (Ann|Ben|Cem) pass$", out, re.MULTILINE)


def test_values_that_a_name_says_are_not_told_again(play: Play) -> None:
    _, out, _ = play(["quit", ""], "--seat", "1=human", "--players", "3", game="crazy_eights")
    hand = out.partition("Your hand")[2].partition("╰")[0]
    assert re.search(r"│ 6♦ +│", hand)
    assert re.search(r"│ Q♣  worth 10 +│", hand)


def test_bots_that_never_finish_are_stopped(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regelwerk.tools.terminal.session.LONGEST", 50)
    code, _, err = play([], "--seat", "all=random", game=str(GAMES / "endless.rules"))
    assert code == 1
    assert "not come to an end after 50 decisions" in err


def test_a_board_of_each_player_is_drawn_for_each(play: Play) -> None:
    _, out, _ = play(["7", "quit", ""], "--seat", "all=human", game=str(GAMES / "inns.rules"))
    assert re.search(r"Chambers of Ann +Chambers of Ben", out)
    assert re.search(r"│ 1 │ +blue +│ +red +││ 1 │ +blue +│ +red +│", out)  # the column that is in use, once
    assert re.search(r"│ 1 │ +blue +│ +red +││ 1 │ +blue +│ +red +│\n│ +│ +│ +ready +│├", out)
    assert "bare" not in out  # nothing is noted there yet


def test_the_ground_of_a_board_is_what_counts_for_its_owner(play: Play) -> None:
    _, out, _ = play(["quit", ""], "--seat", "all=human", "--option", "turned=yes", game=str(GAMES / "inns.rules"))
    assert re.search(r"│ 1 │ +blue +│ +red +││ 1 │ +red +│ +blue +│", out)


def test_boards_stand_below_each_other_where_there_is_no_room(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    for width, beside in (("80", False), ("130", True)):
        monkeypatch.setenv("COLUMNS", width)
        _, out, _ = play([""], "--seat", "all=random", "--players", "2", game="grand_austria_hotel")
        assert "Rooms of A" in out
        assert bool(re.search(r"Rooms of A +Rooms of B", out)) == beside


def test_cards_show_what_they_hold_and_do(play: Play) -> None:
    _, out, _ = play(["quit", ""], "--seat", "all=human", game=str(GAMES / "inns.rules"))
    assert re.search(r"table +│ Baker 1 wine, 1 bread; has 1 wine", out)
    assert re.search(r"queue +Monk  1 wine · gain 2 points", out)
    assert re.search(r"─ Your staff ─", out)
    assert "Cellarer  after furnish { gain 1 point }" in out


def test_what_an_earlier_value_settles_is_not_said_again_and_costs_are_added_up(play: Play) -> None:
    _, out, _ = play(["quit", ""], "--seat", "all=human", game=str(GAMES / "inns.rules"))
    assert re.search(r"\d\) again 1, B1 \(3 wine and 1 bread\)|\d\) A1, again 1, B1 \(3 wine and 1 bread\)", out)
    assert re.search(r"\) again 0 +\d+\) again 1|\) B1, again 0(?!,)", out)


def test_the_journal_says_a_settled_value_once_too(play: Play) -> None:
    _, out, _ = play(["7", "quit", ""], "--seat", "all=human", game=str(GAMES / "inns.rules"))
    assert " Ann furnish B1, again 0 " in out
