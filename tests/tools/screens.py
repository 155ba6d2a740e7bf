"""A command at a terminal of its own: what is typed, and what is on the screen."""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 60


class Screen:
    """`regelwerk` with some words, at a terminal."""

    def __init__(self, *words: str) -> None:
        paths = os.pathsep.join(filter(None, [str(ROOT / ".pkg"), os.environ.get("PYTHONPATH", "")]))
        environment = {**os.environ, "PYTHONPATH": paths, "TERM": "dumb", "COLUMNS": "90"}
        self.all = b""
        self.new = b""
        pty = pytest.importorskip("pty", reason="there is no terminal to be had here")
        self.process, self.terminal = pty.fork()
        if not self.process:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever runs the tests in the background ignores it
            os.execve(sys.executable, [sys.executable, "-m", "regelwerk", *words], environment)

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self.terminal, text.encode())

    def until(self, wanted: str) -> None:
        """Wait until this is written, behind what was waited for before."""
        end = time.monotonic() + LONGEST
        while wanted.encode() not in self.new:
            assert time.monotonic() < end, self.all.decode(errors="replace")
            if select.select([self.terminal], [], [], 1.0)[0]:
                read = os.read(self.terminal, 4096)
                self.new += read
                self.all += read
        self.new = self.new.partition(wanted.encode())[2]

    def end(self) -> int:
        """The exit code, when it has ended."""
        _, status = os.waitpid(self.process, 0)
        os.close(self.terminal)
        return os.waitstatus_to_exitcode(status)
