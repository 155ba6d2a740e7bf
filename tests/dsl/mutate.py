"""Damaged rules files: how they are made, and what must never come out when they are checked and played.

`test_mutations` makes a few hundred of them. As a script this makes as many as wanted, keeps those that went wrong and
prints figures:

    PYTHONPATH=.pkg python tests/dsl/mutate.py --count 20000 --seed 1 --keep /tmp/wrong
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import signal
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from regelwerk.dsl.automaton import automaton
from regelwerk.dsl.diagnostics import Diagnostic, RulesError, as_json, render
from regelwerk.dsl.source import Source, Span
from regelwerk.interpreter.api import Fault, Game, UsageError
from regelwerk.interpreter.loading import Checked, check_path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("games", "tests/conformance", "tests/interpreter", "docs/examples")
SECONDS = 10  # for one file
DECISIONS = 20

TOKEN = re.compile(r'"""[\s\S]*?"""|"[^"\n]*"|//[^\n]*|\w+|<=|>=|\.\.|\s+|.', re.S)
WORD = re.compile(r"[^\W\d]\w*$")
INVISIBLE = ("\0", "\x07", "\x1b", "\r", "\ufeff", "\u200b", "\u202e", "\x85", "\u2028", "\t", "\x0c")
CHARACTERS = "{}()[]|\"'/\\.,:;=+-*<>!&%#@?^~$_ \nabxzABX019äß€“”„…—–"


# ------------------------------------------------------------------------------------------------------------ mutations
def _pieces(text: str) -> tuple[list[str], list[int]]:
    """The tokens with the blanks between them, and the places of those that mean something."""
    pieces = TOKEN.findall(text)
    return pieces, [place for place, piece in enumerate(pieces) if not piece.isspace() and not piece.startswith("//")]


def token_deleted(generator: random.Random, text: str) -> str:
    pieces, places = _pieces(text)
    pieces[generator.choice(places)] = ""
    return "".join(pieces)


def token_repeated(generator: random.Random, text: str) -> str:
    pieces, places = _pieces(text)
    place = generator.choice(places)
    pieces[place] += " " + pieces[place]
    return "".join(pieces)


def tokens_swapped(generator: random.Random, text: str) -> str:
    pieces, places = _pieces(text)
    here = generator.randrange(len(places) - 1)
    there = here + 1 if generator.random() < 0.7 else generator.randrange(len(places))
    one, two = places[here], places[there]
    pieces[one], pieces[two] = pieces[two], pieces[one]
    return "".join(pieces)


def token_replaced(generator: random.Random, text: str) -> str:
    pieces, places = _pieces(text)
    pieces[generator.choice(places)] = pieces[generator.choice(places)]
    return "".join(pieces)


def word_replaced(generator: random.Random, text: str) -> str:
    """A word by another word of the file: such files mostly get as far as the checker."""
    pieces, places = _pieces(text)
    words = [place for place in places if WORD.match(pieces[place])]
    pieces[generator.choice(words)] = pieces[generator.choice(words)]
    return "".join(pieces)


def word_misspelt(generator: random.Random, text: str) -> str:
    pieces, places = _pieces(text)
    words = [place for place in places if WORD.match(pieces[place]) and len(pieces[place]) > 2]
    place = generator.choice(words)
    word = pieces[place]
    spot = generator.randrange(len(word) - 1)
    pieces[place] = generator.choice(
        (
            word[:spot] + word[spot + 1] + word[spot] + word[spot + 2 :],
            word[:spot] + word[spot + 1 :],
            word[: spot + 1] + word[spot:],
            word[:spot] + generator.choice("aeinrst") + word[spot + 1 :],
        )
    )
    return "".join(pieces)


def number_replaced(generator: random.Random, text: str) -> str:
    pieces, places = _pieces(text)
    numbers = [place for place in places if pieces[place].isdecimal()]
    if numbers:
        pieces[generator.choice(numbers)] = generator.choice(
            ("0", "-1", "1", "2", "999", "32767", "99999", "999999999", "(1 - 3)", "none", "yes", "1..3", "{}", "[]")
        )
    return "".join(pieces)


def tokens_copied(generator: random.Random, text: str) -> str:
    """Some tokens in a row, put elsewhere."""
    pieces, places = _pieces(text)
    first = generator.randrange(len(places))
    last = min(first + generator.randrange(1, 7), len(places) - 1)
    pieces[generator.choice(places)] += " " + "".join(pieces[places[first] : places[last] + 1]) + " "
    return "".join(pieces)


def character_deleted(generator: random.Random, text: str) -> str:
    place = generator.randrange(len(text))
    return text[:place] + text[place + 1 :]


def character_inserted(generator: random.Random, text: str) -> str:
    place = generator.randrange(len(text) + 1)
    return text[:place] + generator.choice(CHARACTERS) + text[place:]


def line_deleted(generator: random.Random, text: str) -> str:
    lines = text.split("\n")
    del lines[generator.randrange(len(lines))]
    return "\n".join(lines)


def line_repeated(generator: random.Random, text: str) -> str:
    lines = text.split("\n")
    place = generator.randrange(len(lines))
    lines.insert(place if generator.random() < 0.7 else generator.randrange(len(lines)), lines[place])
    return "\n".join(lines)


def lines_joined(generator: random.Random, text: str) -> str:
    lines = text.split("\n")
    place = generator.randrange(len(lines) - 1)
    lines[place : place + 2] = [lines[place] + generator.choice((" ", "")) + lines[place + 1].lstrip()]
    return "\n".join(lines)


def line_broken(generator: random.Random, text: str) -> str:
    places = [match.start() for match in re.finditer(r" ", text)]
    place = generator.choice(places)
    return text[:place] + "\n" + text[place + 1 :]


def bracket_dropped(generator: random.Random, text: str) -> str:
    places = [match.start() for match in re.finditer(r'[{}()\[\]|"]', text)]
    place = generator.choice(places)
    return text[:place] + text[place + 1 :]


def truncated(generator: random.Random, text: str) -> str:
    return text[: generator.randrange(len(text))]


def invisible_inserted(generator: random.Random, text: str) -> str:
    place = generator.randrange(len(text) + 1)
    return text[:place] + generator.choice(INVISIBLE) + text[place:]


Mutation = Callable[[random.Random, str], str]
OF_TOKENS: tuple[Mutation, ...] = (
    token_deleted, token_repeated, tokens_swapped, token_replaced, word_replaced, word_misspelt, number_replaced,
)  # fmt: skip
OF_TEXT: tuple[Mutation, ...] = (
    *OF_TOKENS, tokens_copied, character_deleted, character_inserted, line_deleted, line_repeated, lines_joined,
    line_broken, bracket_dropped, truncated, invisible_inserted,
)  # fmt: skip


def bytes_broken(generator: random.Random, content: bytes) -> bytes:
    """Bytes that are no UTF-8, a character cut in half, a mark of another encoding, other line ends."""
    place = generator.randrange(len(content) + 1)
    kind = generator.randrange(6)
    if kind == 0:
        return content[:place] + bytes([generator.randrange(128, 256)]) + content[place:]
    if kind == 1:
        return content[:place] + bytes([content[place - 1] ^ (1 << generator.randrange(8))]) + content[place + 1 :]
    if kind == 2:
        return b"\xef\xbb\xbf" + content
    if kind == 3:
        return content.replace(b"\n", generator.choice((b"\r\n", b"\r", b"\n\r", b"\x85")))
    if kind == 4:
        return content.decode().encode(generator.choice(("utf-16", "utf-16-le", "utf-32", "cp037")), "replace")
    return content.decode().replace("ü", "\udcfc").encode("latin-1", "replace")


def mutant(generator: random.Random, text: str) -> tuple[str, bytes]:
    """What was done, and the damaged file; mostly one mutation, sometimes some."""
    if generator.random() < 0.04:
        return "bytes_broken", bytes_broken(generator, text.encode())
    names = []
    for _ in range(generator.choice((1, 1, 1, 1, 1, 1, 1, 2, 3, 5))):
        mutation = generator.choice(OF_TEXT)
        if len(text) > 4 and len(_pieces(text)[1]) > 3 and " " in text and "\n" in text and "}" in text:
            names.append(mutation.__name__)
            text = mutation(generator, text)
    return (names[0] if len(names) == 1 else "several"), text.encode("utf-8", "surrogatepass")


# ------------------------------------------------------------------------------------------------- what must never come
INTERNAL = re.compile(
    r"Traceback|Unavailable|NotImplemented|object at 0x|<class|\w+Error\b|\bNone\b|\bTrue\b|\bFalse\b|-2147483648"
    r"|[Ll]ark|pydantic|validation error|Unexpected(?:Token|Characters|Input|EOF)|__\w*|Token\("
    r"|\b[A-Z][a-z]+(?:Symbol|Type|Expression|Statement|Declaration|Node)\b"
)


def _terminals() -> frozenset[str]:
    tables = automaton()
    named = {"NAME", "INT", "STRING", "DECIMAL", "ROW", "DRAWING", "CMP", "UNIT", "CITE", "COMMENT"}
    return frozenset({*tables.literals.values(), *named}) - {"I"}


_CAPITALS = re.compile(r"\$?\b[A-Z][A-Z_]+\b")


@dataclass
class Examined:
    """What came of one damaged file. wrong: what must not be."""

    errors: list[Diagnostic] = field(default_factory=list)
    warnings: int = 0
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0
    clean: bool = False
    shown: str = ""


def _said(each: Diagnostic, text: str, sources: dict[str, Source]) -> Iterator[str]:
    """What is wrong with a finding."""
    terminals = _terminals()
    for said in (each.message, each.help, *(label.text for label in each.labels)):
        if said is None:
            continue
        if not said.strip():
            yield "says nothing"
        if "\n" in said or not said.isprintable():
            yield f"is not one printable line: {said!r}"
        found = INTERNAL.search(said)
        if found is not None and found.group() not in text:
            yield f"speaks of {found.group()}"
        plain = re.sub(r"`[^`]*\b(?:NAME|PHASE|ZONE|ROW|TYPE)\b[^`]*`", "", said)  # these stand for something
        for match in _CAPITALS.finditer(plain):
            if match.group() in terminals and match.group() not in text:
                yield f"names the terminal {match.group()}"
    for span in (each.span, *(label.span for label in each.labels)):
        if span is not None and not _inside(span, sources):
            yield f"stands outside of its file: {span}"


def _inside(span: Span, sources: dict[str, Source]) -> bool:
    source = sources.get(span.source)
    return source is not None and 0 <= span.start <= span.end <= len(source.text)


class Hang(Exception):
    """A file took too long."""


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Raise `Hang` after some time of work (where the system has alarms)."""

    def stop(*_: object) -> None:
        raise Hang(f"more than {seconds} seconds")

    if not hasattr(signal, "SIGVTALRM"):
        yield
        return
    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def examine(path: Path, seed: int = 0, *, show: bool = False) -> Examined:
    """Check a file; if it is clean, play some decisions."""
    examined = Examined()
    text = path.read_bytes().decode("utf-8-sig", "replace")
    begun = time.process_time()
    try:
        with at_most(SECONDS):
            checked = check_path(path)
            _look_at(checked, text, examined, show)
            if checked.game is not None:
                _play(checked, text, examined, seed)
    except Hang as stopped:
        examined.wrong.append(f"hangs: {stopped} {traceback.format_exc(limit=-3)}")
    except Exception:
        examined.wrong.append(traceback.format_exc(limit=-8))
    examined.seconds = time.process_time() - begun
    return examined


def _look_at(checked: Checked, text: str, examined: Examined, show: bool) -> None:
    sources = checked.sources
    seen: set[tuple[str, Span | None]] = set()
    for each in checked.diagnostics:
        rendered = render(each, sources)
        if show:
            examined.shown += rendered + "\n\n"
        assert rendered
        assert as_json(each, sources)
        examined.wrong += [f"[{each.code}] {each.message}: {what}" for what in _said(each, text, sources)]
        if each.span is not None and (each.code, each.span) in seen:
            examined.wrong.append(f"[{each.code}] {each.message}: stands twice at {each.span}")
        seen.add((each.code, each.span))
    examined.errors = [each for each in checked.diagnostics if each.severity == "error"]
    examined.warnings = len(checked.diagnostics) - len(examined.errors)
    examined.clean = checked.game is not None
    if examined.clean == bool(examined.errors):
        examined.wrong.append("a game in spite of errors" if examined.errors else "no game, and nothing says why")


def _play(checked: Checked, text: str, examined: Examined, seed: int) -> None:
    assert checked.game is not None
    generator = random.Random(seed)
    try:
        game = Game(checked.game, checked.diagnostics, checked.sources)
        state = game.new(seed=seed)
        for _ in range(DECISIONS):
            decision = state.decision
            if decision is None:
                break
            assert decision.options
            state.step(generator.choice(decision.options))
        assert state.save()
        assert state.view(game.seats[0]) is not None
    except (RulesError, UsageError, Fault) as stopped:  # said in words
        found = INTERNAL.search(str(stopped))
        if found is not None and found.group() not in text:
            examined.wrong.append(f"while playing: {stopped}")


# -------------------------------------------------------------------------------------------------------------- hosts
class Hosts:
    """The files that are damaged, copied into a folder of their own, so that variants find their bases."""

    def __init__(self, workplace: Path, more: Sequence[Path] = ()) -> None:
        self.texts: list[tuple[str, str, Path]] = []  # name, text, folder in which the damaged file is put
        found = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.rules"))]
        for path in [*found, *more]:
            inside = path.is_relative_to(ROOT)
            name = path.relative_to(ROOT).as_posix() if inside else path.name
            copy = workplace / (name if inside else f"more/{name}")
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
            self.texts.append((name, path.read_text(encoding="utf-8"), copy.parent))

    def damaged(self, generator: random.Random) -> tuple[str, str, Path]:
        """The host's name, what was done to it, and the damaged file."""
        name, text, folder = generator.choice(self.texts)
        what, content = mutant(generator, text)
        path = folder / "damaged_.rules"
        path.write_bytes(content)
        return name, what, path


# ---------------------------------------------------------------------------------------------------------- the script
@dataclass
class Figures:
    """What a run found."""

    files: int = 0
    clean: int = 0
    wrong: int = 0
    errors: Counter[int] = field(default_factory=Counter)
    by_kind: dict[str, Counter[int]] = field(default_factory=dict)
    slowest: list[tuple[float, str]] = field(default_factory=list)

    def add(self, kind: str, examined: Examined, name: str) -> None:
        """Count one file."""
        self.files += 1
        self.clean += examined.clean
        self.wrong += bool(examined.wrong)
        self.errors[len(examined.errors)] += 1
        self.by_kind.setdefault(kind, Counter())[len(examined.errors)] += 1
        self.slowest = sorted([*self.slowest, (examined.seconds, name)], reverse=True)[:5]

    def table(self) -> str:
        """The figures in words."""
        lines = [f"{self.files} files, {self.clean} without errors, {self.wrong} wrong"]
        lines.append(
            f"{'errors in a file':24}{'none':>8}{'1':>8}{'2-3':>8}{'4-9':>8}{'10+':>8}   exactly 1 of those with any"
        )
        rows: list[tuple[str, Counter[int]]] = [("all", self.errors), *sorted(self.by_kind.items())]
        for name, counts in rows:
            some = [sum(counts[n] for n in range(*bounds)) for bounds in ((0, 1), (1, 2), (2, 4), (4, 10), (10, 1000))]
            share = some[1] / max(sum(some[1:]), 1)
            lines.append(f"{name:24}" + "".join(f"{n:8}" for n in some) + f"{share:12.1%}")
        lines += [f"{seconds:.2f} s  {name}" for seconds, name in self.slowest]
        return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--count", type=int, default=2000, help="how many files (default: 2000)")
    parser.add_argument("--seed", type=int, default=1, help="the first seed; file n has seed + n (default: 1)")
    parser.add_argument("--keep", type=Path, help="a folder for the files that went wrong")
    parser.add_argument("--noisy", type=int, default=0, help="also keep files with at least so many errors")
    parser.add_argument("more", nargs="*", type=Path, help="further rules files to damage")
    args = parser.parse_args()
    figures = Figures()
    with tempfile.TemporaryDirectory(prefix="mutate-") as workplace:
        hosts = Hosts(Path(workplace), args.more)
        for seed in range(args.seed, args.seed + args.count):
            name, what, path = hosts.damaged(random.Random(seed))
            examined = examine(path, seed, show=bool(args.noisy))
            figures.add(what, examined, f"seed {seed}: {name}, {what}")
            noisy = args.noisy and what != "several" and len(examined.errors) >= args.noisy
            if args.keep and (examined.wrong or noisy):
                args.keep.mkdir(parents=True, exist_ok=True)
                kind = "wrong" if examined.wrong else "noisy"
                shutil.copyfile(path, args.keep / f"{kind}_{seed}.rules")
                said = "\n".join([f"{name} {what}", *examined.wrong, examined.shown])
                (args.keep / f"{kind}_{seed}.txt").write_text(said, encoding="utf-8", errors="backslashreplace")
            if examined.wrong:
                print(f"seed {seed}: {name}, {what}:", *examined.wrong, sep="\n  ", flush=True)
            if figures.files % 1000 == 0:
                print(figures.table(), flush=True)
    print(figures.table())
    return 1 if figures.wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
