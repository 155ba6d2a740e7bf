"""Set up this checkout, then run the demonstration or the tests. Needs Python alone; uses uv if it is there.

python3 tools/dev.py                   set up .venv, then play a whole game with bots
python3 tools/dev.py test [ARGUMENT..] set up if needed, then run the tests (the arguments go to pytest)
python3 tools/dev.py setup             set up only
python3 tools/dev.py run ARGUMENT..    set up if needed, then run `regelwerk ARGUMENT..`
"""

import os
import sys

if sys.version_info < (3, 11):  # noqa: UP036 - for whoever starts this file with an older Python
    sys.exit(
        "Regelwerk needs Python 3.11 or newer; this is Python %d.%d (%s).\n"  # noqa: UP031 - older Pythons read this
        "Start this file with a newer one, for example: python3.12 tools/dev.py"
        % (sys.version_info[0], sys.version_info[1], sys.executable)
    )

# A script's folder heads the search path; the modules in this one must not stand in for the standard library's.
_HERE = os.path.dirname(os.path.abspath(__file__))
if __name__ == "__main__":
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != _HERE]

import hashlib  # noqa: E402
import shutil  # noqa: E402
import subprocess  # noqa: E402
import tomllib  # noqa: E402
import venv  # noqa: E402
from pathlib import Path  # noqa: E402

ROOT = Path(_HERE).parent
ENV = ROOT / ".venv"
BIN = ENV / ("Scripts" if os.name == "nt" else "bin")
SUFFIX = ".exe" if os.name == "nt" else ""
PYTHON = BIN / f"python{SUFFIX}"
STAMP = ENV / "regelwerk-setup"
PINS = ROOT / "tools" / "pins.txt"
TEST_DEFAULTS = ["-q", "-n", "auto", "--maxprocesses", "8", "--dist", "loadgroup"]


class SetupError(Exception):
    """The set-up failed; the message says what to do."""


def main(arguments: list[str]) -> int:
    """Do what the command line says; returns the exit status."""
    command, rest = (arguments[0], arguments[1:]) if arguments else ("demo", [])
    if command in ("-h", "--help", "help"):
        print(__doc__)
        return 0
    if command not in ("demo", "test", "setup", "run") or (rest and command in ("demo", "setup")):
        print(f"tools/dev.py: cannot do {' '.join(arguments)!r}\n\n{__doc__}", file=sys.stderr)
        return 2
    try:
        set_up()
    except SetupError as problem:
        print(f"tools/dev.py: {problem}", file=sys.stderr)
        return 1
    if command == "setup":
        return 0
    if command == "test":
        return _call([str(PYTHON), "-P", "-m", "pytest", *(rest or TEST_DEFAULTS)], ROOT)
    if command == "run":
        return _call([str(BIN / f"regelwerk{SUFFIX}"), *rest])
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    demonstration: list[str] = settings["tool"]["regelwerk"]["demonstration"]
    print("$ regelwerk", *demonstration, flush=True)
    return _call([str(BIN / f"regelwerk{SUFFIX}"), *demonstration])


def set_up() -> None:
    """Make .venv and install the project (editable) and its developer tools, unless that is done already."""
    metadata = (ROOT / "pyproject.toml").read_bytes()
    content = hashlib.sha256(metadata + (PINS.read_bytes() if PINS.is_file() else b"")).hexdigest()
    place = f"{sys.version_info.major}.{sys.version_info.minor} {ROOT}"  # an environment cannot be moved
    stamp = STAMP.read_text(encoding="utf-8").split("\n") if STAMP.is_file() else ["", ""]
    if stamp == [place, content] and _works():
        return
    group: list[str] = tomllib.loads(metadata.decode())["dependency-groups"]["dev"]
    wanted = ["-e", str(ROOT), *group, *(["-c", str(PINS)] if PINS.is_file() else [])]
    uv = shutil.which("uv")
    if stamp[0] not in ("", place) or not _works():
        _say(f"making {ENV.name} for Python {sys.version_info.major}.{sys.version_info.minor}")
        _make_environment(uv)
    STAMP.unlink(missing_ok=True)
    _say(f"installing with {'uv' if uv else 'pip'}: the project and its developer tools (a minute at most)")
    if uv:
        install = [uv, "pip", "install", "-q", "--python", str(PYTHON)]
    else:
        if not _works("pip"):
            _run([str(PYTHON), "-m", "ensurepip"], "pip cannot be put into the environment")
        install = [str(PYTHON), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    _run([*install, *wanted], "the packages cannot be installed (is the package index reachable?)")
    STAMP.write_text(f"{place}\n{content}", encoding="utf-8")


def _make_environment(uv: str | None) -> None:
    if uv:
        _run([uv, "venv", "-q", "--clear", "--python", sys.executable, str(ENV)], "uv cannot make the environment")
        return
    try:
        venv.create(ENV, with_pip=True, clear=True, symlinks=os.name != "nt")
    except (OSError, subprocess.CalledProcessError) as problem:
        raise SetupError(
            f"the environment cannot be made: {problem}\n"
            "Some systems ship Python without venv: install the package python3-venv, or uv, and try again."
        ) from problem


def _works(module: str = "sys") -> bool:
    """Say whether the environment's Python runs, is of our version, and has the module."""
    probe = f"import sys, {module}; print(*sys.version_info[:2])"
    try:
        answer = subprocess.run([str(PYTHON), "-c", probe], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    return answer.stdout.split() == [str(part) for part in sys.version_info[:2]]


def _run(command: list[str], complaint: str) -> None:
    environment = {**os.environ, "UV_PYTHON_DOWNLOADS": "never"}
    status = subprocess.run(command, env=environment, check=False).returncode
    if status:
        raise SetupError(f"{complaint}; this failed with status {status}:\n  {' '.join(command)}")


def _call(command: list[str], folder: Path | None = None) -> int:
    try:
        return subprocess.call(command, cwd=folder)
    except KeyboardInterrupt:
        return 130
    except OSError as problem:
        print(f"tools/dev.py: {problem}\nRemove {ENV} and try again.", file=sys.stderr)
        return 1


def _say(text: str) -> None:
    print(f"[dev] {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
