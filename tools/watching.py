"""Watching files: tells which of them changed, by asking again and again (no service of the system is needed).

    watch = Watch(paths)
    ...
    for path in watch.changed(): ...

A file has changed if its text has: time and size say only that it is worth looking. What is written in two steps (an
editor that empties a file first) is told once it has been the same for `SETTLED` seconds.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

PAUSE = 0.3
"""So many seconds lie between two looks."""

SETTLED = 0.05
"""A file that has just been written is looked at again after so many seconds."""

LARGEST = 8 << 20
"""Of a larger file only time and size are looked at."""

Look = tuple[int, int, str]
"""What is seen of a file: time, size, a name for its text. A file that is not there looks like (0, -1, "")."""


class Watch:
    """Some files, as they were when they were last looked at."""

    def __init__(self, paths: Iterable[str | Path]) -> None:
        self._seen: dict[Path, Look] = {}
        self.follow(paths)

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files that are watched, in order."""
        return tuple(self._seen)

    def follow(self, paths: Iterable[str | Path]) -> None:
        """Watch these files from now on. What is watched already is not looked at anew, so that no change is lost."""
        before = self._seen
        wanted = dict.fromkeys(Path(os.path.abspath(path)) for path in paths)
        self._seen = {path: before[path] if path in before else _look(path, None) for path in wanted}

    def changed(self) -> tuple[Path, ...]:
        """The files whose text is not what it was when this was last asked (or when they were followed)."""
        found = []
        for path, before in self._seen.items():
            now = _look(path, before)
            if now == before:
                continue
            while True:
                time.sleep(SETTLED)
                again = _look(path, now)
                if again == now:
                    break
                now = again
            self._seen[path] = now
            if now[2] != before[2] or now[1] != before[1]:
                found.append(path)
        return tuple(found)

    def wait(self, stop: Callable[[], bool] = lambda: False, pause: float = PAUSE) -> tuple[Path, ...]:
        """Look again and again until a file has changed; empty once `stop` says so."""
        while not stop():
            found = self.changed()
            if found:
                return found
            time.sleep(pause)
        return ()

    def changes(self) -> Iterator[tuple[Path, ...]]:
        """What changed, each time something did; without end."""
        while True:
            yield self.wait()


def _look(path: Path, before: Look | None) -> Look:
    """How a file looks now; its text is read only if time or size are not what they were."""
    try:
        found = path.stat()
        if before is not None and (found.st_mtime_ns, found.st_size) == before[:2]:
            return before
        if found.st_size > LARGEST:
            return found.st_mtime_ns, found.st_size, str(found.st_mtime_ns)
        return found.st_mtime_ns, found.st_size, hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return 0, -1, ""


__all__ = ["Watch"]
