#!/usr/bin/env python3
"""Makes the residency viewer of a trace: one HTML file that shows where each page of managed memory was, and why it
moved.

    report/view.py TRACE.jsonl [--out FILE]

Reads what the simulator wrote with UMSIM_TRACE=TRACE.jsonl (docs/trace.md), packs its lines into columns, and puts them
into the page of report/viewer/, which does the rest: it needs nothing else, no network either (docs/viewer.md).

Exit 0: written, and its path printed as the last line; 2: bad or missing input, said in one line, nothing written; 3:
likewise, for a program without managed memory. A
trace whose last line is cut short is shown as far as it goes, with a warning.
"""
import base64
import html
import json
import os
import re
import sys
import tempfile
import zlib
from array import array
from pathlib import Path

import palette
from bad_input import BadInput, Options

USUAL_PAGE = 4096  # bytes, where a trace tells no other
BLOCK = 2 << 20  # a VA block: what the policy works in; pages are numbered by blocks that occur
PAGES = frozenset(1 << bits for bits in range(12, 17))  # that hosts have
SMALLEST_PLAIN = 64 << 10  # device and pinned allocations below are not listed
# Numbers that stand for these words in the columns; report/viewer/model.js has the same order.
KINDS = ("call", "return", "phase", "phase end", "allocation", "release", "RangeCreate", "RangeDestroy", "UnmapRemote",
         "CpuFault", "GpuFault", "Migration", "ReadDuplicate", "ReadDuplicateInvalidate", "MapRemote", "Populate",
         "Eviction", "Thrashing", "Throttling", "operation")
CAUSES = (None, "User", "Coherence", "Prefetch", "Eviction")
OPERATIONS = ("kernel", "memcpy", "memset", "prefetch", "attach", "event record", "wait for event", "host function",
              "free")
PAGING = frozenset(KINDS[KINDS.index("RangeCreate"):KINDS.index("operation")])
ENGINES = (None, "compute", "HtoD", "DtoH", "peer")
DEVICES_MOST = 8
ALL_DEVICES = 255  # whose mappings end, where a trace does not tell
COPY = 128  # beside where a migration's pages come from: they stay there, too
FOLDER = Path(__file__).resolve().parent / "viewer"


def read_lines(path, warn):
    """The trace's lines as objects. The last one may be cut short."""
    try:
        text = Path(path).read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    if not text.strip():
        raise BadInput(f"{path}: the trace is empty: run a program with UMSIM_TRACE={path}")
    lines = text.split(b"\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            event = json.loads(line)
            if not isinstance(event, dict) or not isinstance(event.get("event"), str):
                raise ValueError
        except ValueError:
            if number > 1 and number == len(lines):
                warn(f"{path}: line {number}, the last, is cut short; what stands before it is shown")
                return
            raise BadInput(f"{path}: line {number} is no event: this is no trace (UMSIM_TRACE, "
                           "docs/trace.md)") from None
        yield number, event


class Strings(dict):
    """Names by number."""

    def number(self, text):
        return self.setdefault(text, len(self))


class Trace:
    """The columns, and the tables that their numbers lead to."""

    def __init__(self):
        self.meta = {"program": None, "profile": None}
        self.strings = Strings()
        self.columns = {"dt": array("d"), "a": array("I"), "b": array("I"), "op": array("I"), "c": array("I"),
                        "kind": array("B"), "flags": array("B"), "to": array("B"), "from": array("B")}
        self.devices = 1  # of several, lines tell theirs
        self.page_bytes = USUAL_PAGE
        self.time = None
        self.start = 0
        self.operations, self.operation_index = [], {}
        self.blocks = {}  # number of a VA block in memory -> its place among those that occur
        self.regions, self.live = [], []
        self.waiting = []  # managed allocations whose range has not been made yet
        self.small = 0

    # ---- columns ----

    def put(self, kind, time, a=0, b=0, op=0, c=0, flags=0, to=0, source=0):
        if self.time is None:
            self.time = self.start = time
        columns = self.columns
        columns["kind"].append(KINDS.index(kind))
        columns["flags"].append(flags)
        columns["dt"].append(time - self.time)
        for key, value in (("a", a), ("b", b), ("op", op), ("c", min(c, 0xFFFFFFFF)), ("to", to), ("from", source)):
            columns[key].append(value)
        self.time = time

    def note(self, event):
        """What has to be known before the first line is taken: the memory that there will be, the devices, and how
        large pages are."""
        told = [event[key] + 1 for key in ("device", "from_device", "to_device") if key in event]
        self.devices = max(self.devices, event.get("devices", 1), *told)
        if event["event"] == "trace":
            self.page_bytes = event.get("page_bytes", USUAL_PAGE)
        if not 1 <= self.devices <= DEVICES_MOST or self.page_bytes not in PAGES:
            raise ValueError
        if event["event"] == "RangeCreate":
            address = int(event["address"], 16)
            self.blocks.update(dict.fromkeys(range(address // BLOCK, (address + event["bytes"] - 1) // BLOCK + 1)))

    def number_blocks(self):
        """In order of addresses, so that what stands together in memory does so in the numbering."""
        self.blocks = {block: place for place, block in enumerate(sorted(self.blocks))}

    def page(self, address):
        return self.blocks[address // BLOCK] * self.block_pages + address % BLOCK // self.page_bytes

    def pages(self, size):
        return -(-size // self.page_bytes)

    @property
    def block_pages(self):
        return BLOCK // self.page_bytes

    # ---- memory ----

    def region(self, **keys):
        self.regions.append({"begin": len(self.columns["kind"]), "end": None, **keys})
        return self.regions[-1]

    def halves(self, size):
        """With several devices, whose memory is added up, the upper and the lower 32 bits."""
        return divmod(size, 1 << 32) if self.devices > 1 else (0, size)

    def allocate(self, event):
        base, size, kind = int(event["allocation"], 16), event["bytes"], event["kind"]
        allocation = {"base": base, "bytes": size, "call": event["call"]}
        index = 0
        if kind.startswith("managed"):
            holder = [it for it in self.live if it["address"] <= base < it["address"] + it["bytes"]]
            (holder[0]["allocations"] if holder else self.waiting).append(allocation)
        elif size >= SMALLEST_PLAIN and kind in ("device", "pinned", "registered"):
            index = len(self.regions) + 1
            whose = {"device": event["device"]} if "device" in event else {}
            self.region(kind=kind, address=base, bytes=size, first=0, pages=self.pages(size), allocations=[allocation],
                        **whose)
        else:
            self.small += 1
        self.put("allocation", event["time_ns"], index, self.strings.number(kind), *self.halves(size),
                 to=device_of(event))

    def release(self, event):
        base, index = int(event["allocation"], 16), 0
        if not event["kind"].startswith("managed"):
            for at, it in enumerate(self.regions):
                if it["kind"] == event["kind"] and it["address"] == base and it["end"] is None:
                    it["end"], index = len(self.columns["kind"]), at + 1
        self.put("release", event["time_ns"], index, self.strings.number(event["kind"]), *self.halves(event["bytes"]),
                 to=device_of(event))

    def create(self, event, address, size):
        inside = [it for it in self.waiting if address <= it["base"] < address + size]
        self.waiting = [it for it in self.waiting if it not in inside]
        first, pages = self.page(address), self.pages(size)
        self.live.append(self.region(kind="managed", address=address, bytes=size, first=first, pages=pages,
                                     allocations=inside))
        self.put("RangeCreate", event["time_ns"], first, pages, 0, len(self.regions))

    def destroy(self, event, address, size):
        index = 0
        for it in [it for it in self.live if it["address"] == address]:
            it["end"] = len(self.columns["kind"])
            index = self.regions.index(it) + 1
            self.live.remove(it)
        self.put("RangeDestroy", event["time_ns"], self.page(address), self.pages(size), 0, index)

    # ---- events ----

    def operation(self, number):
        if number not in self.operation_index:
            self.operation_index[number] = len(self.operations)
            self.operations.append(None)
        return self.operation_index[number] + 1

    def paging(self, event):
        kind, address, size = event["event"], int(event["address"], 16), event["bytes"]
        if kind == "RangeCreate":
            return self.create(event, address, size)
        if kind == "RangeDestroy":
            return self.destroy(event, address, size)
        flags = (event.get("processor") == "GPU") | (event.get("access") == "write") << 1 | \
            CAUSES.index(event.get("cause")) << 2
        op = self.operation(event["operation"]) if event.get("operation") else 0
        if kind == "ReadDuplicate" and self.devices > 1:
            self.note_copies(processor_of(event), self.page(address), self.pages(size))
        source = 1 + processor_of(event, "from", "from_device") if "from" in event else 0
        to = ALL_DEVICES if kind == "UnmapRemote" and "device" not in event else processor_of(event)
        self.put(kind, event["time_ns"], self.page(address), self.pages(size), op,
                 event.get("groups", event.get("wait_ns", 0)), flags, to, source)
        return None

    def note_copies(self, to, first, count):
        """The migrations that these duplicates are from, of the same block, stand right before: they left the pages
        where they were."""
        columns, block = self.columns, first // self.block_pages
        at = len(columns["kind"]) - 1
        while at >= 0 and KINDS.index("Migration") <= columns["kind"][at] <= KINDS.index("Throttling") \
                and columns["a"][at] // self.block_pages == block:
            if columns["kind"][at] == KINDS.index("Migration") and columns["to"][at] == to \
                    and first <= columns["a"][at] < first + count:
                columns["from"][at] |= COPY
            at -= 1

    def add(self, event):
        kind = event["event"]
        if kind == "trace":
            self.meta.update(program=event.get("program"), profile=event.get("profile"))
        elif kind in ("call", "return"):
            op = self.operation(event["operation"]) if "operation" in event else 0
            self.put(kind, event["time_ns"], self.strings.number(event["name"]), 0, op, event.get("error", 0),
                     to=device_of(event))
        elif kind in ("phase", "phase end"):
            self.put(kind, event["time_ns"], self.strings.number(event["row"]),
                     self.strings.number(event["phase"] or ""))
        elif kind == "allocation":
            self.allocate(event)
        elif kind == "release":
            self.release(event)
        elif kind in PAGING:
            self.paging(event)
        elif kind in OPERATIONS:
            index = self.operation(event["number"])
            self.operations[index - 1] = [self.strings.number(kind), event["stream"], event["issue_ns"],
                                          event["start_ns"], event["end_ns"], event["bytes"],
                                          self.strings.number(event.get("detail") or ""), *self.engine(event)]
            self.put("operation", event["end_ns"], index - 1)
        # Events that came later than this program are passed over.

    def engine(self, event):
        """With several devices: which one works, in which engine, and whose memory a copy reads and writes (1 is device
        0's, 0 no device's)."""
        if self.devices == 1:
            return []
        return [event["device"], ENGINES.index(event.get("engine")),
                *(event[key] + 1 if key in event else 0 for key in ("from_device", "to_device"))]

    def has_managed_memory(self):
        """Variables of a library that nobody touched do not count."""
        touched = {KINDS.index(kind) for kind in ("CpuFault", "GpuFault", "Migration")}
        return any(it["kind"] == "managed" and any(its["call"] != "__managed__" for its in it["allocations"])
                   for it in self.regions) or not touched.isdisjoint(self.columns["kind"])

    def packed(self):
        several = self.devices > 1
        binary = b"".join(self.columns[key].tobytes() for key in (
            "dt", "a", "b", "op", "c", "kind", "flags", *(("to", "from") if several else ())))
        for it in self.regions:  # of thousands of small allocations the first few tell enough
            it["count"] = len(it["allocations"])
            it["allocations"] = it["allocations"][:4]
        return {"meta": self.meta, "kinds": KINDS, "strings": list(self.strings), "start": self.start,
                "operations": self.operations, "regions": self.regions, "small": self.small,
                "pages": len(self.blocks) * self.block_pages,
                "events": len(self.columns["kind"]), **({"devices": self.devices} if several else {}),
                **({"page_bytes": self.page_bytes} if self.page_bytes != USUAL_PAGE else {}),
                "columns": base64.b64encode(zlib.compress(binary, 6)).decode("ascii")}


def device_of(event):
    """1 is device 0, 0: not told, or none's."""
    return event["device"] + 1 if "device" in event else 0


def processor_of(event, processor="processor", device="device"):
    """0 is the host, 1 device 0."""
    return event.get(device, 0) + 1 if event.get(processor, "GPU") == "GPU" else 0


def read_trace(path, warn):
    trace = Trace()
    lines = list(read_lines(path, warn))
    for take in (trace.note, trace.add):  # first what memory there was, then what happened in it
        for number, event in lines:
            try:
                take(event)
            except (KeyError, TypeError, ValueError, OverflowError):
                raise BadInput(f"{path}: line {number}: a {event['event']} without what docs/trace.md says of "
                               "it") from None
        trace.number_blocks()
    if not trace.has_managed_memory():
        raise NoPages(f"{Path(path).stem} uses no managed memory, so no page moves by itself and there is nothing to "
                      "play: labs 5 to 9 have pages")
    trace.meta["source"] = Path(path).name
    return trace.packed()


class NoPages(BadInput):
    """The trace is right, and has nothing for the viewer."""


def title_of(meta):
    """The program's name; of a program in Python, which python3 is not, the trace's."""
    program = meta["program"] or ""
    return Path(meta["source"]).stem if not program or program.startswith("python") else program


def page_of(data):
    """The viewer with the data in it."""
    def part(name):
        return (FOLDER / name).read_text(encoding="utf-8")

    parts = {"TITLE": html.escape(title_of(data["meta"])), "STYLE": palette.CSS + part("viewer.css"),
             "MODEL": part("places.js") + part("model.js"), "EXPLAIN": part("explain.js"), "DRAW": part("draw.js"),
             "DEVICES": part("devices.js"), "PAGE": part("page.js"),
             "DATA": json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")}
    return re.sub(r"\{\{([A-Z]+)\}\}", lambda mark: parts[mark[1]], part("template.html"))


def write(path, text):
    """Whole or not at all."""
    try:
        if path.exists() and not path.is_file():  # a device, a pipe: to be written to, never replaced
            path.write_text(text, encoding="utf-8")
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
            try:
                file.write(text)
                file.flush()
            except OSError:
                os.unlink(file.name)
                raise
        os.chmod(file.name, 0o644)
        os.replace(file.name, path)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None


def main():
    parser = Options(prog="view", description="The residency viewer of a trace: one HTML file.")
    parser.add_argument("trace", metavar="TRACE.jsonl", help="what the simulator wrote with UMSIM_TRACE")
    parser.add_argument("--out", type=Path, help="the HTML file (default: the trace's name with .html)")
    arguments = parser.parse_args()
    out = arguments.out or Path(os.path.splitext(arguments.trace)[0] + ".html")
    try:
        data = read_trace(arguments.trace, lambda text: print(f"view: {text}", file=sys.stderr))
        write(out, page_of(data))
    except BadInput as problem:
        print(f"view: {problem}", file=sys.stderr)
        return 3 if isinstance(problem, NoPages) else 2
    print(out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
