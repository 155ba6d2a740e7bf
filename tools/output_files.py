"""Files that commands write: all of it or nothing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from regelwerk.tools.arguments import UsageFailure


@contextmanager
def output_file(option: str, name: str | None) -> Iterator[Callable[[str], None]]:
    """Gives what writes the text of a file; None and `-` are the standard output.

    The file is opened at once, so that a path that cannot be written is refused before any work is done, and put in its
    place only when it is complete.
    """
    if name is None or name == "-":
        yield lambda text: print(text, end="")
        return
    path = Path(name)
    if path.is_dir():
        raise UsageFailure(f"`{option} {name}`: that is a folder")
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        file = open(part, "w", encoding="utf-8", newline="\n")  # noqa: SIM115 - closed below, before it is renamed
    except OSError as error:
        raise UsageFailure(f"`{option} {name}` cannot be written: {error.strerror or error}") from error
    try:
        with file:
            complete = False

            def write(text: str) -> None:
                nonlocal complete
                file.write(text)
                complete = True

            yield write
        if complete:
            if path.exists():
                shutil.copymode(path, part)  # who may read and write it stays
            os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


__all__ = ["output_file"]
