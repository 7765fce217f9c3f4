"""Writing: everything or nothing, whatever the disk says."""
import os
import shutil
import tempfile
from pathlib import Path


def files(folder, contents):
    """Puts {name: bytes} into a folder. All are written aside first: when that fails (disk full, no permission), the
    folder is as it was before."""
    folder = Path(folder)
    made = None if folder.exists() else next(p for p in [folder, *folder.parents] if not p.parent.exists() or p.parent.is_dir())
    aside = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=".new-", dir=folder))
        for name, data in contents.items():
            with open(aside / name, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())  # some file systems say only now that they are full
        for name in contents:
            os.replace(aside / name, folder / name)
    except OSError:
        if made is not None and aside is None:
            pass  # mkdir failed: what parents it made are empty folders, and harmless
        raise
    finally:
        if aside is not None:
            shutil.rmtree(aside, ignore_errors=True)


def one_line(error):
    """An exception as a line for the user."""
    if isinstance(error, ImportError):
        return f"{error} (./setup.sh puts it into .venv)"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error).splitlines()[0] if str(error) else type(error).__name__
