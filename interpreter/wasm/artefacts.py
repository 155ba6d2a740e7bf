"""Machine code that is kept between runs, in the user's private cache folder.

Such a file is run as it is, so nothing but what this process could have written itself is ever loaded: the folder and
the file belong to the user and nobody else can write to them, the name is made of the module, the version of wasmtime,
its configuration and the processor, and the content begins with its own checksum. Whatever is otherwise is made anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import stat
import sys
import tempfile
from functools import cache
from pathlib import Path

from regelwerk.dsl.automaton import cache_directory

MOST = 64
"""How many artefacts are kept; those that were not used for longest go first."""
_PREFIX, _SUFFIX = "module-", ".cwasm"


@cache
def processor() -> str:
    """What machine code of this machine may depend on."""
    words = [sys.platform, platform.machine(), platform.processor()]
    with contextlib.suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        for line in file:
            name, _, value = line.partition(":")
            if name.strip() in ("flags", "Features"):
                words += sorted(value.split())
                break
    return " ".join(words)


def key_of(binary: bytes, version: str, configuration: str) -> str:
    """The name of the machine code of a module."""
    digest = hashlib.sha256()
    for part in (binary, version.encode(), configuration.encode(), processor().encode()):
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()


def _place(key: str) -> Path | None:
    directory = cache_directory()
    return None if directory is None else directory / f"{_PREFIX}{key}{_SUFFIX}"


def load(key: str) -> bytes | None:
    """The artefact of that name; None if there is none that can be trusted."""
    path = _place(key)
    if path is None:
        return None
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(handle, "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                return None
            if sys.platform != "win32" and (found.st_uid != os.getuid() or found.st_mode & 0o077):
                return None
            content = file.read()
    except OSError:
        return None
    checksum, _, payload = content.partition(b"\n")
    if hashlib.sha256(payload).hexdigest().encode() != checksum:
        return None
    with contextlib.suppress(OSError):
        os.utime(path)
    return payload


def store(key: str, payload: bytes) -> None:
    """Keep an artefact, if that is possible."""
    path = _place(key)
    if path is None:
        return
    temporary: str | None = None
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=_PREFIX)  # made with mode 0600
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(payload).hexdigest().encode() + b"\n" + payload)
        os.replace(temporary, path)
        temporary = None
        _prune(path.parent)
    except OSError:
        pass
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def _prune(directory: Path) -> None:
    ages = [(path.stat().st_mtime, path) for path in directory.glob(f"{_PREFIX}*{_SUFFIX}")]
    for _, path in sorted(ages, reverse=True)[MOST:]:
        path.unlink(missing_ok=True)


__all__ = ["MOST", "key_of", "load", "processor", "store"]
