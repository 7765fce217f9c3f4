"""The simulator's trace (docs/trace.md), read for figures: spans of a lab's rows, operations by engine, paging by page.

    trace = traces.read(path)
    for run in trace.runs: ...          a row of the lab's table: its name and its phases
    trace.operations(run), trace.paging(run), trace.ranges()
"""
import json
from collections import namedtuple

from bad_input import BadInput

USUAL_PAGE = 4096  # bytes, where a trace tells no other
ENGINES = ("H2D copy", "compute", "D2H copy")
# A part of one phase of a row: times, and the lines between its two (exclusive).
Span = namedtuple("Span", "phase start_ns end_ns first last")
Run = namedtuple("Run", "row spans")
# Managed memory from its making to its end: the lines of its life, and the names of the rows that ran meanwhile.
Range = namedtuple("Range", "address bytes start_ns end_ns first last rows")


def engine_of(event):
    """Which of the three engines an operation keeps busy, or None."""
    if event["event"] in ("kernel", "memset"):
        return "compute"
    if event["event"] == "memcpy":
        return {"HtoD": "H2D copy", "DtoH": "D2H copy"}.get(event.get("detail"), "compute")
    if event["event"] == "prefetch":
        return {"GPU": "H2D copy", "CPU": "D2H copy"}.get(event.get("detail"))
    return None


def devices_of(events):
    """How many devices the program saw."""
    told = (event[key] + 1 for event in events for key in ("device", "from_device", "to_device") if key in event)
    return max(events[0].get("devices", 1), max(told, default=1))


def name_of(processor):
    """Processors are numbered: 0 is the host, 1 device 0, and so on."""
    return f"device {processor - 1}" if processor else "host"


def short(processor):
    return f"{processor - 1}" if processor else "host"


def processor_of(event, processor="processor", device="device"):
    return event.get(device, 0) + 1 if event.get(processor, "CPU") == "GPU" else 0


def way_of(event):
    """(from, to) of what moved bytes from one processor to another: of a migration's or a copy's event; else None.
    With several devices only."""
    if event["event"] == "Migration":
        return processor_of(event, "from", "from_device"), processor_of(event)
    if event["event"] != "memcpy":
        return None
    way = tuple(event[key] + 1 if key in event else 0 for key in ("from_device", "to_device"))
    return way if way[0] != way[1] else None


class Trace:
    def __init__(self, path, events):
        self.path, self.events = path, events
        self.head = events[0]
        self.page_bytes = self.head.get("page_bytes", USUAL_PAGE)
        self.devices = devices_of(events)
        self.runs = []
        self._find_runs()
        self.kernel = {event["number"]: (event["start_ns"], event["end_ns"]) for event in events
                       if engine_of(event) and "number" in event}

    def _find_runs(self):
        """Spans in a row that have the row's name are one run: a lab may do a row several times, at other sizes."""
        begun = None
        for line, event in enumerate(self.events):
            if event["event"] == "phase":
                begun = (event["row"], event["phase"], event["time_ns"], line)
            elif event["event"] == "phase end" and begun:
                if not self.runs or self.runs[-1].row != begun[0]:
                    self.runs.append(Run(begun[0], []))
                self.runs[-1].spans.append(Span(begun[1], begun[2], event["time_ns"], begun[3], line))
                begun = None

    def between(self, run, *kinds):
        """Events of these kinds that a run's spans hold: (span, event)."""
        for span in run.spans:
            for event in self.events[span.first + 1:span.last]:
                if event["event"] in kinds:
                    yield span, event

    def operations(self, run):
        """[(engine, start_ns, end_ns, event)] of a run, in order of their start."""
        found = [(engine_of(event), event["start_ns"], event["end_ns"], event)
                 for _, event in self.between(run, "kernel", "memset", "memcpy", "prefetch") if engine_of(event)]
        return sorted(found, key=lambda operation: (operation[1], operation[3]["number"]))

    def ranges(self, smallest):
        """Managed memory of at least so many bytes."""
        found, open_ranges = [], {}
        for line, event in enumerate(self.events):
            if event["event"] == "RangeCreate" and event["bytes"] >= smallest:
                open_ranges[event["address"]] = (event, line)
            elif event["event"] == "RangeDestroy" and event["address"] in open_ranges:
                found.append((*open_ranges.pop(event["address"]), event["time_ns"], line))
        last = max((event.get("time_ns") or event.get("end_ns") or 0 for event in self.events), default=0)
        found += [(event, line, last, len(self.events)) for event, line in open_ranges.values()]
        return [self._range(*one) for one in sorted(found, key=lambda one: one[1])]

    def _range(self, made, first, end_ns, last):
        rows = [run for run in self.runs if any(first < span.last and span.first < last for span in run.spans)]
        names = list(dict.fromkeys(run.row for run in rows))
        return Range(int(made["address"], 16), made["bytes"], made["time_ns"], end_ns, first, last, names)

    def spread(self, events):
        """[(time_ns, event)]: what a kernel or a copy moved is known, and how long that took, not when within it.
        So an operation's events are spread over its time, each by its bytes."""
        weights = {}
        for event in events:
            if event.get("operation") in self.kernel and event["event"] != "Eviction":
                weights[event["operation"]] = weights.get(event["operation"], 0) + weight(event)
        done = dict.fromkeys(weights, 0)
        for event in events:
            operation = event.get("operation")
            if operation not in weights:
                yield event["time_ns"], event
                continue
            start, end = self.kernel[operation]
            if event["event"] != "Eviction":
                done[operation] += weight(event)
            yield round(start + (end - start) * min(1, done[operation] / max(1, weights[operation]))), event


def weight(event):
    return event["bytes"] if event["event"] in ("Migration", "Populate", "MapRemote") else 0


def read(path):
    """The trace in a file. A last line that is cut short is left out: the disk was full, or the program is still on."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: no trace: {error}") from error
    events = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            event = json.loads(line)
            if not isinstance(event, dict) or not isinstance(event.get("event"), str):
                raise ValueError("no event")
        except ValueError as error:
            if number == len(lines) and number > 1:
                break
            raise BadInput(f"{path}: line {number} is no event of a trace") from error
        events.append(event)
    if not events or events[0]["event"] != "trace" or events[0].get("version") != 1:
        raise BadInput(f"{path}: no trace of version 1 (UMSIM_TRACE, docs/trace.md)")
    try:
        return Trace(path, events)
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(f"{path}: an event of the trace lacks {error}") from error
