"""Figures of page faults and bytes by phase: where a program's managed memory cost it something, and what copies
moved."""
import style

KIND = "faults"
TITLE = "page faults and bytes by phase"
CAPTION = ("Look for strategies with the same bytes and other faults. A line is a strategy and its phase. Left: how "
           "often the host faulted, and GPU fault groups (of each batch of faults that the driver serves together, "
           "those on its first page). Right: bytes that crossed the bus, by the driver's migrations (thick) and by "
           "copies (thin), each way. Phases in which none of it happened are left out.")
ACROSS = True
KEYS = ("cpu_faults", "gpu_fault_groups", "moved_h2d", "moved_d2h", "copied_h2d", "copied_d2h")
FAULTS = {"cpu_faults": ("faults of the host", style.HOST, "v"),
          "gpu_fault_groups": ("GPU fault groups", style.GPU, "^")}
BYTES = {"moved_h2d": ("migrated to the GPU", style.TO_GPU, 1), "moved_d2h": ("migrated to the host", style.TO_HOST, 1),
         "copied_h2d": ("copied to the GPU", style.TO_GPU, 0.55),
         "copied_d2h": ("copied to the host", style.TO_HOST, 0.55)}
SHORT = {"h2d": "H2D", "d2h": "D2H", "mixed": "all"}


def count(into, event):
    """Adds what an event of the trace stands for, by the names of a lab's table."""
    kind, bytes_of = event["event"], event.get("bytes", 0)
    if kind == "CpuFault":
        into["cpu_faults"] += 1
    elif kind == "GpuFault":
        into["gpu_fault_groups"] += event["groups"]
    elif kind == "Migration":
        into["moved_h2d" if event["processor"] != "CPU" else "moved_d2h"] += bytes_of
    elif kind == "memcpy" and event.get("detail") in ("HtoD", "DtoH"):
        into["copied_h2d" if event["detail"] == "HtoD" else "copied_d2h"] += bytes_of


def from_trace(trace):
    """{(row, phase): counts} of a trace."""
    found = {}
    for run in trace.runs:
        for span, event in trace.between(run, "CpuFault", "GpuFault", "Migration", "memcpy"):
            into = found.setdefault((run.row, span.phase), dict.fromkeys(KEYS, 0))
            count(into, event)
    return found


def from_rows(rows):
    """The same by row only: what hardware tells."""
    names = ("cpu_faults", "gpu_fault_groups", "bytes_migrated_h2d", "bytes_migrated_d2h", "bytes_h2d", "bytes_d2h")
    return {(row["strategy"], None): {key: row.get(name) or 0 for key, name in zip(KEYS, names)} for row in rows}


def panels(group):
    if not any(row.get("cpu_faults") or row.get("gpu_fault_groups") for row in group.rows):
        return []
    if group.trace and group.trace.devices > 1:
        return []  # directions.py has them
    found = from_trace(group.trace) if group.trace else from_rows(group.rows)
    bars = [{"row": row, "phase": phase, **counts} for (row, phase), counts in found.items() if any(counts.values())]
    if len(bars) < 2:
        return []  # one bar compares nothing
    return [{"title": "page faults", "bars": bars}, {"title": "bytes over the bus", "bars": bars}]


def size(panel):
    return (5.6 if panel["title"] == "page faults" else 4.4, 1.1 + 0.36 * len(panel["bars"]))


def name(bar, bars):
    """The phase beside the row's name, where a row has several."""
    several = sum(other["row"] == bar["row"] for other in bars) > 1
    return f"{bar['row']}, {SHORT.get(bar['phase'], bar['phase'])}" if several and bar["phase"] else bar["row"]


def draw(place, panel, context):
    bars = panel["bars"]
    axes = place.axes(share_x=True)
    at = range(len(bars))
    if panel["title"] == "page faults":
        for offset, (key, (label, colour, marker)) in zip((-0.18, 0.18), FAULTS.items()):
            points = [(bar[key], y + offset) for y, bar in zip(at, bars) if bar[key]]
            if not points:
                continue
            drawn, = axes.plot(*zip(*points), linestyle="", marker=marker, markersize=8, color=colour)
            context["legend"].setdefault(label, drawn)
            for value, y in points:
                axes.annotate(f"{value:,}", (value, y), xytext=(7, 0), textcoords="offset points", va="center",
                              fontsize=8)
        axes.set_yticks(at, [name(bar, bars) for bar in bars])
        axes.set_xscale("log")
        axes.set_xlim(0.5, 6 * max(max(bar[key] for key in FAULTS) for bar in bars) + 1)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set_xlabel("faults, number (logarithmic)")
    else:
        left = [0.0] * len(bars)
        for label, colour, height in BYTES.values():
            key = next(key for key, look in BYTES.items() if look[0] == label)
            widths = [bar[key] / 2**20 for bar in bars]
            if any(widths):
                some = [y for y in at if widths[y]]
                drawn = axes.barh(some, [widths[y] for y in some], left=[left[y] for y in some], height=0.72 * height,
                                  color=colour, edgecolor=style.INK, linewidth=0.5)
                context["legend"].setdefault(label, drawn)
            left = [start + width for start, width in zip(left, widths)]
        for y, total in enumerate(left):
            if total:
                axes.annotate(f"{total:.3g}", (total, y), xytext=(4, 0), textcoords="offset points", va="center",
                              fontsize=8)
        axes.set_yticks(at, [])
        axes.set_xlim(0, 1.15 * max(max(left), 0.001))
        axes.set_xlabel("bytes, MiB")
    axes.set_ylim(len(bars) - 0.5, -0.5)
    axes.grid(axis="y", visible=False)
    return axes
