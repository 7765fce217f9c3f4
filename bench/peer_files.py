#!/usr/bin/env python3
"""Reads what other people's benchmarks wrote, so that `make bench BACKEND=cuda PEERS=DIR` can put it beside ours.

    python3 bench/peer_files.py DIR        a table of what was found; what could not be read, a line each, on stderr

    rows = peer_files.read(DIR, complain)  a list of dicts
      peer         "nvbandwidth", "BabelStream", "Comm|Scope" or "UnifiedMemoryPerf"
      test         the peer's own name for the measurement. What is not about the first GPU (and NUMA node) carries its
                   place: "device_to_device_memcpy_read_ce[0,1]", "Comm_UM_Prefetch_HostToGPU/1/0"
      bytes        what one buffer (array, matrix) held; None where the file does not say (nvbandwidth's never do)
      gbs          10^9 bytes a second, counted as the peer counts: nvbandwidth and Comm|Scope each byte once,
                   BabelStream what is read and what is written, UnifiedMemoryPerf one of its three matrices in a whole
                   turn
      ms           the time itself where that is what the peer printed (UnifiedMemoryPerf), else None
      source_file  the file's name within DIR

Files are known by what they hold, whatever their names: nvbandwidth's text and JSON (-j), BabelStream's table and
--csv, Comm|Scope's JSON and CSV (Google Benchmark's formats), UnifiedMemoryPerf's tables, with tabs or commas. Several
runs in one file are fine. Latencies are left out, and so is what is known to measure something else (DO_NOT_MEASURE).
Formats were looked up in the peers' sources and users' logs: nvbandwidth 0.5 to 0.10, BabelStream 5.0 and its
development branch, Comm|Scope 0.6, cuda-samples for CUDA 13, Google Benchmark 1.7.
"""
import csv
import json
import math
import re
import statistics
import sys
from pathlib import Path

MAX_FILE = 64 << 20  # a peer's output is some KiB; somebody's core dump in the folder is not read
UNITS = {"MB": 1e6, "GB": 1e9, "TB": 1e12, "MiB": 2.0**20, "GiB": 2.0**30, "TiB": 2.0**40,
         "MBytes": 1e6, "MiBytes": 2.0**20, "mbytes": 1e6, "mibytes": 2.0**20, "gbytes": 1e9, "gibytes": 2.0**30}
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}

# Measured on an H200: 18 us for 256 MiB, 270 times what its link can carry.
DO_NOT_MEASURE = {"Comm_UM_Demand_GPUToHost": "its time is not that of a transfer"}


class Unreadable(ValueError):
    """A file is not what it seems to be; the text says what is wrong with it."""


def number(text):
    """A positive figure; Unreadable where it is none."""
    try:
        value = float(text)
    except (TypeError, ValueError):
        raise Unreadable(f"'{text}' stands where a number is expected") from None
    if not math.isfinite(value) or value <= 0:
        raise Unreadable(f"{text} stands where a positive number is expected")
    return value


def is_zero(text):
    return str(text).strip("0.") == ""


def row(test, gbs, size=None, ms=None):
    return {"test": test, "bytes": size, "gbs": gbs, "ms": ms}


def json_documents(text):
    """The JSON objects in a text, whose other lines may be anything (warnings before and after). A broken one is
    Unreadable."""
    decoder, found, at = json.JSONDecoder(), [], 0
    for match in re.finditer(r"^\{\s*(?:$|\")", text, re.MULTILINE):
        if match.start() < at:
            continue
        try:
            document, at = decoder.raw_decode(text, match.start())
        except ValueError as why:
            raise Unreadable(f"broken JSON ({why}): was the program ended before it was done?") from None
        found.append(document)
    return found


# nvbandwidth ----------------------------------------------------------------------------------------------------------

def matrix_rows(test, matrix):
    """Rows of cells, numbers as text or "N/A". Cells other than the first carry their place."""
    rows = []
    for i, line in enumerate(matrix):
        for k, cell in enumerate(line):
            if cell == "N/A" or is_zero(cell):  # a GPU and itself
                continue
            rows.append(row(test if (i, k) == (0, 0) else f"{test}[{i},{k}]", number(cell)))
    return rows


def nvbandwidth_json(text, complain):
    rows = []
    for document in json_documents(text):
        run = document.get("nvbandwidth", {})
        for part in [run] + run.get("testcases", []):
            if "error" in part or part.get("status") == "Error":
                complain(f"nvbandwidth reports an error: {part.get('name', '')} "
                         f"{str(part.get('error', ''))[:200]}".rstrip())
            if "(GB/s)" in part.get("bandwidth_description", ""):
                rows += matrix_rows(part["name"], part["bandwidth_matrix"])
    return rows


def nvbandwidth_text(text, complain):
    rows, test, lines = [], None, iter(text.splitlines())
    for line in lines:
        started = re.match(r"\s*Running (\w+)\.\s*$", line)
        if started:
            test = started[1]
        elif test and line.rstrip().endswith("(GB/s)"):
            next(lines, None)  # the columns' numbers
            matrix = []
            for cells in map(str.split, lines):
                if not cells:
                    break
                matrix.append(cells[1:])
            if not matrix:
                complain(f"{test} has no matrix: was the program ended before it was done?")
            rows += matrix_rows(test, matrix)
            test = None
    return rows


# BabelStream ----------------------------------------------------------------------------------------------------------

def whole_size(value, unit):
    """Bytes from "268.4 MB": one digit was kept, and nearly every array is a whole number of MiB."""
    size = value * UNITS[unit]
    mib = round(size / 2**20) * 2**20
    return mib if abs(mib - size) <= 0.05 * UNITS[unit] else round(size)


def babelstream_table(text):
    rows, size, elements, unit = [], None, None, None
    for line in text.splitlines():
        if re.match(r"BabelStream\s*$", line):
            size = elements = unit = None
        elif (found := re.match(r"Number of elements: (\d+)", line)):
            elements = int(found[1])
        elif (found := re.match(r"Precision: (float|double)", line)):
            size = elements * {"float": 4, "double": 8}[found[1]] if elements else None
        elif (found := re.match(r"Array size: ([\d.]+) ([KMGTi]+B)\b", line)) and size is None:
            size = whole_size(number(found[1]), found[2])
        elif (found := re.match(r"Function\s+([MGTi]+B(?:ytes)?)/s(?:ec)?\s", line)):
            unit = UNITS[found[1]]
        elif (found := re.match(r"Bandwidth \((Gi?B)/s\):\s+(\S+)", line)):  # --triad-only
            rows.append(row("Triad", number(found[2]) * UNITS[found[1]] / 1e9, size))
        elif unit and (found := re.match(r"([A-Z]\w+)\s+([\d.]+)\s+[\d.]+\s+[\d.]+\s+[\d.]+\s*$", line)):
            rows.append(row(found[1], number(found[2]) * unit / 1e9, size))
    return rows


def babelstream_csv(text):
    rows, columns, rate = [], None, None
    for cells in csv.reader(text.splitlines()):
        if cells[:1] in (["function"], ["phase"]):
            rate = next((name for name in cells if name.endswith("_per_sec")), None)
            columns = cells if cells[0] == "function" and rate else None  # phases are host copies
        elif columns and len(cells) == len(columns):
            line = dict(zip(columns, cells))
            unit = UNITS[re.fullmatch(r"(?:max_)?(\w+)_per_sec", rate)[1]]
            rows.append(row(line["function"], number(line[rate]) * unit / 1e9,
                            int(number(line["n_elements"]) * number(line["sizeof"]))))
    return rows


def babelstream(text, _complain):
    if re.search(r"(?i)validation failed|failed validation", text):
        raise Unreadable("BabelStream found wrong results: its figures do not count")
    return babelstream_csv(text) if re.search(r"^function,num_times,", text, re.MULTILINE) else babelstream_table(text)


# Comm|Scope: Google Benchmark -----------------------------------------------------------------------------------------

def comm_scope_name(name):
    """"Comm_X/0/1/log2(N):28/manual_time" is ("Comm_X/0/1", 28); the numbers of GPU 0 and node 0 are left out."""
    words = name.split("/")
    places = [word for word in words[1:] if word.isdigit()]
    named = [word.split(":")[1] for word in words if re.fullmatch(r"log2\(N\):\d+", word)]
    log2 = named or (places[-1:] if len(places) > 1 else [])
    places = places if named else places[:-1]
    return words[0] + ("/" + "/".join(places) if any(map(int, places)) else ""), int(log2[0]) if log2 else 0


def comm_scope_row(result):
    """(test, bytes), GB/s of one of Google Benchmark's results; None where it is no bandwidth."""
    test, log2 = comm_scope_name(result["name"])
    size = int(number(result["bytes"])) if result.get("bytes") else None
    if size and log2 < 63 and abs(size - 2**log2) <= 1e-4 * size:
        size = 2**log2  # CSV has six digits
    if result.get("bytes_per_second"):
        rate = number(result["bytes_per_second"])
    elif size:
        rate = size / (number(result["real_time"]) * SECONDS[result["time_unit"]])
    else:
        return None
    return (test, size), rate / 1e9


def comm_scope_rows(results, complain):
    """`results`: dicts as in Google Benchmark's JSON. The median of repetitions; NAME_median among them leaves it as it
    is."""
    found, left_out = {}, {}
    for result in results:
        test = str(result.get("name", "")).split("/")[0]
        if not test.startswith("Comm_") or re.search(r"_(mean|stddev|cv)$", result["name"]):
            continue
        if str(result.get("error_occurred")).lower() == "true" or result.get("skipped"):
            left_out.setdefault(test, result.get("error_message") or result.get("skip_message") or "failed")
        elif test in DO_NOT_MEASURE:
            left_out.setdefault(test, DO_NOT_MEASURE[test])
        elif (one := comm_scope_row(result | {"name": result["name"].removesuffix("_median")})):
            found.setdefault(one[0], []).append(one[1])
    for test, why in left_out.items():
        complain(f"{test} is left out: {why}")
    return [row(test, statistics.median(rates), size) for (test, size), rates in found.items()]


def comm_scope_json(text, complain):
    rows = []
    for document in json_documents(text):
        rows += comm_scope_rows(document.get("benchmarks", []), complain)
    return rows


def comm_scope_csv(text, complain):
    """Lines before the header are Google Benchmark's about the machine. What failed has fewer columns than the
    header."""
    results, columns = [], None
    for cells in csv.reader(text.splitlines()):
        if cells[:1] == ["name"]:
            columns = cells
        elif columns and cells and cells[0].startswith("Comm_"):
            result = dict(zip(columns, cells))
            if len(cells) == len(columns) or result.get("error_occurred") == "true":
                results.append(result)
            else:
                complain(f"{cells[0]} has {len(cells)} columns of {len(columns)}: was the program ended before it was "
                         "done?")
    return comm_scope_rows(results, complain)


def comm_scope_console(_text, _complain):
    raise Unreadable("its table for terminals is rounded: let it write a file by --benchmark_out=FILE.json")


# UnifiedMemoryPerf ----------------------------------------------------------------------------------------------------

def unified_memory_perf(text, _complain):
    """Tables of kinds of memory by sizes. "Overall Time" gives the kind alone as the test, other parts are named behind
    it."""
    rows, part, unit, kinds = [], "Overall Time", None, None
    for line in text.splitlines():
        cells = [cell.strip() for cell in re.split(r"[\t,]", line)]
        if (found := re.match(r"(.+) For matrixMultiplyPerf", line)):
            part = found[1]
        elif (found := re.match(r"Printing Average of \d+ measurements in \((ms|MB/s)\)", line)):
            unit = found[1]
        elif line.startswith("Printing Standard Deviation"):
            unit = None
        elif cells[0] == "Size_KB":
            kinds = cells[1:] if unit else None
        elif kinds and cells[0].isdigit() and len(cells) == len(kinds) + 1:
            for kind, cell in zip(kinds, cells[1:]):
                if cell == "inf" or is_zero(cell):
                    continue  # this kind of memory has no such part
                size, value = int(cells[0]) * 1024, number(cell)
                gbs, ms = (size / value / 1e6, value) if unit == "ms" else (value * 2**20 / 1e9, None)
                rows.append(row(kind if part == "Overall Time" else f"{kind}: {part}", gbs, size, ms))
        else:
            kinds = None
    return rows


# Files ----------------------------------------------------------------------------------------------------------------

# (peer, what its output holds somewhere, reader of (text, complain))
FORMATS = [
    ("nvbandwidth", r'"nvbandwidth"\s*:', nvbandwidth_json),
    ("nvbandwidth", r"^\s*nvbandwidth Version:|^\s*Running \w+_(ce|sm|local_copy)\.\s*$", nvbandwidth_text),
    ("BabelStream", r"^BabelStream\s*$|^Function +[MGT]i?B(ytes)?/s|^function,num_times,n_elements,", babelstream),
    ("Comm|Scope", r'"name":\s*"Comm_', comm_scope_json),
    ("Comm|Scope", r'^"Comm_[^"]*",', comm_scope_csv),
    ("Comm|Scope", r"^Comm_\S+ +[\d.]+ [nmu]?s ", comm_scope_console),
    ("UnifiedMemoryPerf", r"^Size_KB[\t,].*UMhint", unified_memory_perf),
]


def read_text(text, complain):
    """All peers' rows in one file's text. Unreadable where it is nobody's output, or a peer's without a figure."""
    rows, seen = [], []
    for peer, mark, reader in FORMATS:
        if re.search(mark, text, re.MULTILINE):
            try:
                found = reader(text, complain)
            except (KeyError, TypeError, AttributeError, ValueError) as why:
                reason = why if isinstance(why,
                                           Unreadable) else f"not as {peer} writes it ({type(why).__name__}: {why})"
                raise Unreadable(f"{peer}: {reason}") from None
            seen += [] if found else [peer]
            rows += [{"peer": peer} | one for one in found]
    if not rows and seen:
        raise Unreadable(f"{seen[0]}: no bandwidth in it: did the program run to its end?")
    if not text.strip():
        raise Unreadable("empty: did the program fail?")
    if not rows:
        raise Unreadable("nothing that nvbandwidth, BabelStream, Comm|Scope or UnifiedMemoryPerf writes: left out")
    return rows


def to_stderr(line):
    print(line, file=sys.stderr)


def read(directory, complain=to_stderr):
    """Rows (above) of all files in `directory`, by file name. A file that cannot be read is one line to `complain`;
    Unreadable where `directory` is no folder."""
    folder = Path(directory)
    if not folder.is_dir():
        raise Unreadable(f"{folder}: no such folder. It should hold the output files of the benchmarks to compare with")
    rows = []
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.is_dir():
            continue

        def line(text, name=path):
            complain(f"{name}: {text}")

        try:
            if not path.is_file() or path.stat().st_size > MAX_FILE:
                raise Unreadable(f"not a file of at most {MAX_FILE >> 20} MiB: left out")
            text = path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")
            rows += [one | {"source_file": path.name} for one in read_text(text, line)]
        except (Unreadable, OSError) as why:
            line(why.strerror if isinstance(why, OSError) else why)
    return rows


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print("usage: bench/peer_files.py DIR\nDIR holds output files of nvbandwidth, BabelStream, Comm|Scope, "
              "UnifiedMemoryPerf.",
              file=sys.stderr)
        return 2
    try:
        rows = read(sys.argv[1])
    except Unreadable as why:
        print(f"bench/peer_files.py: {why}", file=sys.stderr)
        return 2
    lines = [("peer", "test", "bytes", "GB/s", "ms", "file")]
    lines += [(one["peer"], one["test"], f"{one['bytes']:,}" if one["bytes"] else "", f"{one['gbs']:.4g}",
               f"{one['ms']:.4g}" if one["ms"] else "", one["source_file"]) for one in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    for line in lines:
        print("  ".join(f"{cell:{'>' if i in (2, 3, 4) else ''}{width}}"
                        for i, (cell, width) in enumerate(zip(line, widths))).rstrip())
    return 0 if rows else 1


if __name__ == "__main__":
    sys.exit(main())
