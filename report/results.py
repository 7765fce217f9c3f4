"""What labs wrote (JSON, schema umlab/1): found, read, checked, and put together by lab and machine.

    groups = collect(find_files(["build/report/data"]))

Everything that is wrong with the input is a BadInput: one line that names the file.
"""
import json
import math
from collections import namedtuple
from pathlib import Path

import traces
from bad_input import BadInput

FIDELITY_SCHEMA = "umlab-report-fidelity/1"
SCHEMA = Path(__file__).resolve().parent / "schema" / "umlab-1.json"

# Where rows are from. Nothing is ever drawn from two of these without saying which is which.
Source = namedtuple("Source", "lab backend machine times")
# The results of one lab on one machine; trace (traces.Trace) and closing sentence are of one of the runs, or None.
Group = namedtuple("Group", "source rows trace closing", defaults=[None])


def find_files(arguments):
    """The JSON files that are meant: files as they stand, of a folder all."""
    files = []
    for argument in map(Path, arguments):
        if argument.is_dir():
            found = sorted(argument.glob("*.json"))
            if not found:
                raise BadInput(f"{argument}: no .json file in this folder (make report runs the labs first)")
            files += found
        elif argument.exists():
            files.append(argument)
        else:
            raise BadInput(f"{argument}: no such file")
    return files


def read_json(path):
    try:
        text = path.read_text(encoding="utf-8")
        if not text.strip():
            raise BadInput(f"{path}: empty")
        document = json.loads(text, parse_constant=lambda name: float(name))
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise BadInput(f"{path}: not readable as JSON: {error}".splitlines()[0]) from error
    return document


def validate(document, schema_path, where):
    """Raises BadInput with the first thing that is not as the schema says."""
    import jsonschema  # not at the top: setup.sh's hint comes from report.py when it is missing

    schema = json.loads(schema_path.read_text(encoding="utf-8"))
    errors = sorted(jsonschema.Draft202012Validator(schema).iter_errors(document),
                    key=lambda error: list(map(str, error.path)))
    if errors:
        place = ".".join(str(part) for part in errors[0].path)
        message = errors[0].message.splitlines()[0]
        raise BadInput(f"{where}: "
                       f"{place + ': ' if place else ''}{message if len(message) < 160 else message[:157] + '...'}")


def check_row(row, where):
    """What a schema cannot say."""
    for key, value in row.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise BadInput(f"{where}: {row['strategy']}: {key} is no finite number")
    # A row that measured nothing (an address that is looked at) may have no size.
    if not row["size_bytes"] and (row.get("bandwidth_gbs") or row.get("total_us")):
        raise BadInput(f"{where}: {row['strategy']}: size 0, but times or a bandwidth")


def machine_of(document):
    """The profile's name, or the device with its driver and CUDA version."""
    if document["backend"] == "sim":
        return document["profile"]
    device = document["device"]
    return f"{device['name']}, driver {device['driver']}, CUDA {device['cuda']}"


def read(path):
    """Returns (Source, rows, closing sentence or None) of a file."""
    document = read_json(path)
    if not isinstance(document, dict) or document.get("schema") != "umlab/1":
        raise BadInput(f"{path}: no results of a lab (schema is not umlab/1)")
    validate(document, SCHEMA, path)
    for row in document["rows"]:
        check_row(row, path)
    source = Source(document["lab"], document["backend"], machine_of(document), document["times"])
    return source, document["rows"], document.get("closing")


def separate(paths):
    """(files of labs, (document, path) of the model beside hardware, or None): a report's `data` has both."""
    labs, fidelity = [], None
    for path in paths:
        document = read_json(path)
        if isinstance(document, dict) and document.get("schema") == FIDELITY_SCHEMA:
            fidelity = (document, path)
        else:
            labs.append(path)
    if not labs and not fidelity:
        raise BadInput("no results")
    return labs, fidelity


def collect(files):
    """Groups in order of labs and machines. What a file says again about the same strategy and size replaces what was
    said before. The trace of FILE.json is FILE.jsonl beside it; of several, that of the run with the largest size
    counts, which is the one that the lab's table has."""
    rows_of, trace_of, traced, closing_of, largest = {}, {}, {}, {}, {}
    for path in files:
        source, rows, closing = read(path)
        kept = rows_of.setdefault(source, {})
        for row in rows:
            kept[row["strategy"], row["size_bytes"]] = row
        trace, size = path.with_suffix(".jsonl"), max((row["size_bytes"] for row in rows), default=0)
        if trace.exists() and size > traced.get(source, -1):
            trace_of[source], traced[source] = trace, size
        if closing and size > largest.get(source, -1):
            closing_of[source], largest[source] = closing, size
    return [Group(source, list(kept.values()), read_trace(source, trace_of.get(source)), closing_of.get(source))
            for source, kept in sorted(rows_of.items())]


def read_trace(source, path):
    """The trace of these results; one of another program or machine is an error rather than a wrong figure."""
    if path is None:
        return None
    trace = traces.read(path)
    program = str(trace.head.get("program"))  # of a lab in Python it is python3
    if (program.startswith("lab") and program != source.lab) or trace.head.get("profile") != source.machine:
        raise BadInput(f"{path}: the trace of {trace.head.get('program')} on {trace.head.get('profile')}, "
                       f"beside results of {source.lab} on {source.machine}")
    return trace


def label(source):
    """What every figure carries."""
    if source.backend == "sim":
        return f"{source.times}, profile {source.machine}"
    return f"{source.times}, {source.machine}"


def drawn(row):
    """Wrong results are in no figure: they are in the page's tables, as NO."""
    return bool(row.get("verified"))


def size_text(size, digits=4):
    """Bytes in their unit, to so many digits."""
    for unit, scale in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if size >= scale:
            return f"{float(format(size / scale, f'.{digits}g')):g} {unit}"
    return f"{size:.4g} B"


def time_text(us):
    for unit, scale in (("s", 1e6), ("ms", 1e3)):
        if us >= scale:
            return f"{us / scale:.3g} {unit}"
    return f"{us:.3g} \N{MICRO SIGN}s"
