"""The course's key: where it is, and how it is made. umgrade reads it itself (key.c), and says what it is for.

Hidden inputs follow from 128 random bits in a file that its owner alone can read: .umlab/key in the checkout, or the
file that UMLAB_KEY names. The first `make grade-class` makes it. It goes by its path: the key itself is in no command
line, environment, record or result.
"""
import os
import secrets
import stat
from pathlib import Path

import result as results

DIGITS = 32


def path_of():
    return Path(os.environ.get("UMLAB_KEY") or results.ROOT / ".umlab/key").absolute()


def _problem(path):
    """What is wrong with a file that is there, or None. In other words than key.c's only where that says more."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            return "is no file"
        if stat.S_IMODE(status.st_mode) & 0o077:
            return "can be read by others than its owner (chmod 600), so it may be a secret no more"
        text = path.read_bytes()
    except OSError as error:
        return error.strerror
    if len(text.removesuffix(b"\n")) != DIGITS or set(text.removesuffix(b"\n")) - set(b"0123456789abcdef"):
        return f"is no key ({DIGITS} hexadecimal digits)"
    return None


def _make(path):
    """Writes a new key. Where another run has just made one, that stays."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(os.getrandom(DIGITS // 2).hex() + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.link(fresh, path)  # unlike a renaming, this replaces no key that is there by now
    except FileExistsError:
        pass
    finally:
        os.unlink(fresh)


def made():
    """The path of the key, which is there afterwards. Raises Bad where it cannot be used."""
    path = path_of()
    try:
        if not path.exists():
            _make(path)
    except OSError as error:
        raise results.Bad(f"the course's key: {path}: {error.strerror}") from error
    problem = _problem(path)
    if problem:
        raise results.Bad(f"the course's key: {path}: {problem}")
    return path
