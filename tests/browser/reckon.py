"""What a trace (docs/trace.md) counts, added up line by line: written anew here, to hold the viewer's sums against.

    trace = reckon.Trace(path)
    trace.total              Counter of all lines, by the viewer's names of counts
    trace.phases             [(row, phase, Counter)] in their order
    trace.row("explicit")    Counter of that row of the lab's table: of its phases
"""
import json
from collections import Counter
from pathlib import Path

# Names of counts in a row of a lab's JSON, and the viewer's.
OF_ROW = {"cpu_faults": "CpuPageFaultCount", "gpu_fault_groups": "GpuPageFaultCount",
          "bytes_migrated_h2d": "BytesXferHtD", "bytes_migrated_d2h": "BytesXferDtH", "evictions": "Eviction",
          "bytes_h2d": "MemcpyHtD", "bytes_d2h": "MemcpyDtH"}
PAGE = 4096


def counts_of(event):
    """What one line adds: (name, amount), or None."""
    kind, side = event["event"], {"GPU": "HtD", "CPU": "DtH"}.get(event.get("processor"))
    if kind == "CpuFault":
        return "CpuPageFaultCount", 1
    if kind == "GpuFault":
        return "GpuPageFaultCount", event["groups"]
    if kind == "Migration":
        return f"BytesXfer{side}", event["bytes"]
    if kind in ("Eviction", "Throttling"):
        return kind, 1
    if kind in ("ReadDuplicate", "ReadDuplicateInvalidate", "Thrashing"):
        return {"Thrashing": "ThrashingDetected"}.get(kind, kind), event["bytes"] // PAGE
    if kind == "MapRemote" and side == "HtD":
        return kind, event["bytes"] // PAGE
    if kind == "memcpy" and event["detail"] in ("HtoD", "DtoH"):
        return {"HtoD": "MemcpyHtD", "DtoH": "MemcpyDtH"}[event["detail"]], event["bytes"]
    return None


class Trace:
    """A trace's counts."""

    def __init__(self, path):
        self.total, self.phases, open_phases = Counter(), [], {}
        for line in Path(path).read_text(encoding="utf-8").splitlines():
            event = json.loads(line)
            if event["event"] == "phase":
                open_phases[event["row"]] = Counter()
                self.phases.append((event["row"], event["phase"], open_phases[event["row"]]))
            elif event["event"] == "phase end":
                open_phases.pop(event["row"])
            else:
                counted = counts_of(event)
                for counter in [self.total, *open_phases.values()] if counted else ():
                    counter[counted[0]] += counted[1]

    def row(self, name):
        return sum((counts for row, _, counts in self.phases if row == name), Counter())

    def rows(self):
        """Names of the rows that have phases of their own, but for one that counts nothing and has parts (`managed`,
        with `managed: kernel`)."""
        names = list(dict.fromkeys(row for row, _, _ in self.phases))
        return [name for name in names
                if any(self.row(name).values()) or not any(other.startswith(f"{name}: ") for other in names)]
