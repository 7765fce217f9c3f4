"""Writing: everything or nothing, whatever the disk says."""
import contextlib
import os
import shutil
import tempfile
from pathlib import Path


@contextlib.contextmanager
def aside(folder):
    """A new folder inside `folder` to prepare things in. It goes at the end, and so do folders that were made for it,
    when it comes to an error."""
    folder = Path(folder)
    made = [path for path in [folder, *folder.parents] if not path.exists()]  # the deepest first
    place = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        place = Path(tempfile.mkdtemp(prefix=".new-", dir=folder))
        os.chmod(place, 0o755)
        yield place
    except BaseException:
        if place is not None:
            shutil.rmtree(place, ignore_errors=True)
        for path in made:
            with contextlib.suppress(OSError):
                path.rmdir()
        raise
    shutil.rmtree(place, ignore_errors=True)


def put(place, contents):
    """Writes {name: bytes} into a folder; names may have folders."""
    for name, data in contents.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        with open(place / name, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # some file systems say only now that they are full


def publish(place, folder, replaced=()):
    """Moves all that was prepared to where it belongs: folders that are named in `replaced` as a whole, so that no file
    of an earlier run stays in them."""
    for path in sorted(place.iterdir()):
        target = Path(folder) / path.name
        if target.is_dir() and path.name in replaced:
            old = place / f".old-{path.name}"
            os.replace(target, old)
        os.replace(path, target)


def files(folder, contents):
    """Puts {name: bytes} into a folder: all, or, when that fails, none."""
    with aside(folder) as place:
        put(place, contents)
        publish(place, folder)


def one_line(error):
    """An exception as a line for the user."""
    if isinstance(error, ImportError):
        return f"{error} (./setup.sh puts it into .venv)"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error).splitlines()[0] if str(error) else type(error).__name__
