"""Figures of what moved between which processors, of several devices; and who faulted."""
import results
import style
import traces

KIND = "directions"
TITLE = "bytes by direction, and who faulted"
CAPTION = ("Look for bytes that cross the bus twice where the link would do. A bar is a row of the lab's table, a part "
           "of it what went one way: by copies (cudaMemcpy and its kin), by managed pages that moved, which a "
           "prefetch or a fault brought. What goes by the host's memory because devices have no access to each other "
           "counts once, as from one to the other. What a kernel reads or writes in another device's memory is no "
           "copy, and is not here. Rows without any of it are left out.")
MEASURED = ("Look for bytes that cross the bus twice where the link would do. A bar is a row of the lab's table: what "
            "copies and managed pages moved to the devices, to the host and between devices. A GPU does not tell more. "
            "Rows without any of it are left out.")
ACROSS = True
FAULT_MARKS = ("v", "^", ">", "<", "D", "s", "P", "X", "*")
ROW_WAYS = {"to_devices_mib": ("from the host to the devices", (0, 1)),
            "to_host_mib": ("from the devices to the host", (1, 0)), "between_mib": ("between devices", (1, 2))}


def words(source, target):
    """As the legend has it."""
    def the(processor):
        return f"device {processor - 1}" if processor else "the host"
    return f"from {the(source)} to {the(target)}"


def from_trace(trace):
    """{row: {"copied": {(from, to): bytes}, "moved": ..., "faults": {processor: number}}}"""
    found = {}
    for run in trace.runs:
        for _, event in trace.between(run, "Migration", "memcpy", "CpuFault", "GpuFault"):
            row = found.setdefault(run.row, {"copied": {}, "moved": {}, "faults": {}})
            if event["event"].endswith("Fault"):
                who = traces.processor_of(event)
                row["faults"][who] = row["faults"].get(who, 0) + event.get("groups", 1)
            elif way := traces.way_of(event):
                into = row["moved" if event["event"] == "Migration" else "copied"]
                into[way] = into.get(way, 0) + event["bytes"]
    return found


def listed(found, key, devices):
    """[{row, parts: [[from, to, bytes]]}] of all rows, ways in one order."""
    ways = [(source, target) for source in range(devices + 1) for target in range(devices + 1) if source != target]
    return [{"row": row, "parts": [[*way, of[key][way]] for way in ways if of[key].get(way)]}
            for row, of in found.items()]


def panels(group):
    if group.trace is None:
        return panels_of_rows(group.rows)
    if group.trace.devices < 2:
        return []
    devices, found = group.trace.devices, from_trace(group.trace)
    found = {row: of for row, of in found.items() if of["copied"] or of["moved"] or of["faults"]}
    if len(found) < 2:
        return []
    made = [{"title": title, "bars": listed(found, key, devices)}
            for title, key in (("copied", "copied"), ("managed pages moved", "moved"))]
    made.append({"title": "page faults", "bars": [{"row": row, "faults": sorted(map(list, of["faults"].items()))}
                                                  for row, of in found.items()]})
    return made


def panels_of_rows(rows):
    """The same from a lab's rows: what hardware tells."""
    bars = [{"row": row["strategy"], "parts": [[key, row[key] * 2**20] for key in ROW_WAYS if row.get(key)]}
            for row in rows if row.get("verified")]
    bars = [bar for bar in bars if bar["parts"]]
    return [{"title": "copied, and managed pages moved", "bars": bars}] if len(bars) > 1 else []


def caption(panels):
    return CAPTION if len(panels) > 1 else MEASURED


def size(panel):
    first = panel["title"] != "managed pages moved" and panel["title"] != "page faults"
    return 4.9 if first else 3.6, 1.1 + 0.3 * len(panel["bars"])


def look(part):
    """(what the legend says, colour, hatch)"""
    if len(part) == 2:
        name, way = ROW_WAYS[part[0]]
        return name, *style.way(*way)
    return words(*part[:2]), *style.way(*part[:2])


def draw(place, panel, context):
    axes = place.axes(share_x=True)
    bars = panel["bars"]
    draw_faults(axes, bars, context) if panel["title"] == "page faults" else draw_bytes(axes, bars, context)
    is_first = panel["title"] not in ("managed pages moved", "page faults")
    axes.set_yticks(range(len(bars)), [bar["row"] for bar in bars] if is_first else [])
    axes.set_ylim(len(bars) - 0.5, -0.5)
    axes.grid(axis="y", visible=False)
    return axes


def draw_bytes(axes, bars, context):
    longest = max([sum(part[-1] for part in bar["parts"]) for bar in bars] + [1])
    for y, bar in enumerate(bars):
        left = 0.0
        for part in bar["parts"]:
            name, colour, hatch = look(part)
            width = part[-1] / 2**20
            drawn = axes.barh([y], [width], left=[left], height=0.72, color=colour, hatch=hatch, edgecolor=style.INK,
                              linewidth=0.5)
            context["legend"].setdefault(name, drawn)
            left += width
        axes.annotate(results.size_text(round(left * 2**20), 3) if left else "", (left, y), xytext=(4, 0),
                      textcoords="offset points", va="center", fontsize=8)
    axes.set_xlim(0, 1.3 * longest / 2**20)
    axes.set_xlabel("bytes, MiB")


def draw_faults(axes, bars, context):
    most = max([number for bar in bars for _, number in bar["faults"]] + [1])
    for y, bar in enumerate(bars):
        for at, (who, number) in enumerate(bar["faults"]):
            height = y + 0.3 * (at - (len(bar["faults"]) - 1) / 2)
            drawn, = axes.plot([number], [height], linestyle="", marker=FAULT_MARKS[who], markersize=7,
                               color=style.holder(who), markeredgecolor=style.INK, markeredgewidth=0.5)
            context["legend"].setdefault(f"fault groups of device {who - 1}" if who else "faults of the host", drawn)
            axes.annotate(f"{number:,}", (number, height), xytext=(7, 0), textcoords="offset points", va="center",
                          fontsize=7.5)
    axes.set_xscale("log")
    axes.set_xlim(0.5, 8 * most + 1)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("faults, number (logarithmic)")
