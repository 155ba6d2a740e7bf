"""English: phrases that know their number and owner, articles, lists, and the agreement of verbs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from regelwerk.tools.rulebook.markup import plain

SHORT_OWNER = 3
"""An owner of so many words stands before what is his."""
NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


@dataclass(frozen=True)
class Phrase:
    """What a sentence speaks of. `owner` and `attribute`: it is the attribute of the owner, as `the player's coach`.
    `long`: what is his stands before it, with `of`."""

    text: str
    many: bool = False
    you: bool = False
    owner: Phrase | None = None
    attribute: str = ""
    long: bool = False

    def __str__(self) -> str:
        return self.text

    @property
    def plural(self) -> bool:
        """Whether verbs take their plural."""
        return self.many or self.you


YOU = Phrase("you", you=True)


def verb(subject: Phrase, word: str) -> str:
    """A verb in the present for a subject: `be`, `have`, `gain`."""
    if word == "be":
        return "are" if subject.plural else "is"
    if word == "have":
        return "have" if subject.plural else "has"
    return word if subject.plural else third(word)


def third(word: str) -> str:
    """`gain` as `gains`; of several words the first one."""
    first, _, rest = word.partition(" ")
    if first.endswith(("s", "x", "z", "ch", "sh", "o")):
        first += "es"
    elif first.endswith("y") and first[-2:-1] not in "aeiou":
        first = f"{first[:-1]}ies"
    else:
        first += "s"
    return f"{first} {rest}".rstrip()


def said(subject: Phrase, word: str, rest: str = "") -> str:
    """A clause: `the player has two coins`."""
    return f"{subject} {verb(subject, word)} {rest}".rstrip()


def possessive(owner: Phrase, what: str, many: bool = False) -> Phrase:
    """`your dice`, `the player's dice`, `the dice of the player to the left of the dealer`."""
    bare = plain(owner.text)
    if owner.you:
        text = f"your {what}"
    elif bare in ("they", "them"):
        text = f"their {what}"
    elif bare in ("it", "this"):
        text = f"its {what}"
    elif is_mark(owner.text) and not owner.long:
        text = f"{owner}’s {what}"
    elif owner.many and not bare.endswith("s"):
        text = f"the {what} of {owner}"
    elif (
        not owner.long
        and len(bare.split()) <= SHORT_OWNER
        and not re.search(r"[\W_]$| of |,|’s? ", bare)
        and " of " not in what
    ):
        text = f"{owner}{_apostrophe(owner)} {what}"
    else:
        text = f"the {what} of {owner}"
    return Phrase(text, many, owner=owner, attribute=what)


def is_mark(text: str) -> bool:
    """Whether a text is a mark that stands for something not yet said."""
    return len(text) == 1 and "\ue100" <= text <= "\ue7ff"


def _apostrophe(owner: Phrase) -> str:
    return "’" if owner.many and plain(owner.text).endswith("s") else "’s"


def plural(noun: str) -> str:
    """A regular plural; of several words the last one."""
    head, space, last = noun.rpartition(" ")
    if last.endswith("y") and last[-2:-1] not in ("a", "e", "i", "o", "u", ""):
        last = f"{last[:-1]}ies"
    elif last.endswith(("s", "x", "z", "ch", "sh")):
        last += "es"
    else:
        last += "s"
    return f"{head}{space}{last}"


def article(noun: str) -> str:
    """The noun with `a` or `an`."""
    bare = plain(noun)
    if bare.startswith("other "):
        return f"an{noun}"
    vowel = re.match(r"(?i)[aeiouäöü8]", bare) and not re.match(r"(?i)(uni|use|eu|one)", bare)
    return f"{'an' if vowel else 'a'} {noun}"


def the(noun: str) -> str:
    """The noun with `the`, unless it has something like that already."""
    return (
        noun
        if re.match(r"(?i)(the|a|an|your|their|its|all|every|each|no|this|that|these|those)\b", plain(noun))
        else f"the {noun}"
    )


def listed(items: Iterable[str], last: str = "and") -> str:
    """`A, B and C`."""
    words = list(items)
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def number(value: int) -> str:
    """A small number in words."""
    return NUMBERS[value] if 0 <= value < len(NUMBERS) else str(value)


def sentence(text: str) -> str:
    """A clause as a sentence: a capital letter and a full stop."""
    text = text.strip()
    if not text:
        return ""
    text = capital(text)
    return text if plain(text).endswith((".", "!", "?", ":", "?”", ".”", "!”")) else f"{text}."


def capital(text: str) -> str:
    """With a capital letter, also inside marks."""
    for place, each in enumerate(text):
        if "\ue100" <= each <= "\ue7ff":
            return text
        if each.isalnum():
            return text if _in_target(text, place) else text[:place] + each.upper() + text[place + 1 :]
        if each == "\ue000":
            middle = text.find("\ue001", place)
            return text[: middle + 1] + capital(text[middle + 1 :])
    return text


def _in_target(text: str, place: int) -> bool:
    return text.rfind("\ue000", 0, place) > text.rfind("\ue001", 0, place)


def spaced(name: str) -> str:
    """An identifier as words: `first_player`, `DevCard`."""
    text = re.sub(r"(?<=[a-zäöü])(?=[A-ZÄÖÜ])", " ", name.replace("_", " ").strip())
    return text or name


def lowered(name: str) -> str:
    """An identifier as words inside a sentence."""
    text = spaced(name)
    return text if text.isupper() and len(text) > 1 else text.lower()


def title(name: str) -> str:
    """An identifier as a heading."""
    text = spaced(name)
    return text[:1].upper() + text[1:]


__all__ = [
    "YOU",
    "Phrase",
    "article",
    "capital",
    "is_mark",
    "listed",
    "lowered",
    "number",
    "plural",
    "possessive",
    "replace",
    "said",
    "sentence",
    "spaced",
    "the",
    "third",
    "title",
    "verb",
]
