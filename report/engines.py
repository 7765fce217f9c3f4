"""Figures of what the engines of several devices did and when, from the simulator's trace."""
import style
import traces

KIND = "engines"
TITLE = "what the engines of each device did, and when"
CAPTION = ("Look at what stands above what: that ran at the same time. A lane is an engine of one device: its kernels, "
           "its copies and prefetches from the host and to it, its end of the link to the other device. A bar is one "
           "operation; kernels of a stream that follow each other without a gap are one. Rows in a figure have one "
           "time axis.")
ACROSS = False
LEAST, LONGEST = 2, 400  # operations; of all devices
LANES = {"compute": "kernels", "HtoD": "from the host", "DtoH": "to the host", "peer": "link"}


def alike(panel):
    """Rows whose names begin alike do the same work; what has no such neighbour is another group."""
    return panel["group"]


def way_of(event):
    """(from, to) of an operation that moves bytes, or None. A prefetch tells where to."""
    if event["engine"] == "compute":
        return None
    own, engine = event["device"] + 1, event["engine"]
    if event["event"] == "memcpy":
        return traces.way_of(event)
    if engine != "peer":
        return (0, own) if engine == "HtoD" else (own, 0)
    target = int(event["detail"].removeprefix("GPU ")) + 1
    return (own if own != target else 3 - own, target)


def order(lane, devices):
    """Kernels outside, links in the middle; what a third device and more does stands below."""
    device, engine = lane
    place = list(LANES).index(engine)
    return (0, place if device == 0 else 7 - place) if device < 2 and devices == 2 else (device, place)


def lanes_of(trace, run):
    """{lane: [(start_ns, end_ns, event), ...]}"""
    found = {}
    for _, event in trace.between(run, "kernel", "memset", "memcpy", "prefetch"):
        if "engine" in event and event["end_ns"] > event["start_ns"]:
            lane = event["device"], event["engine"]
            found.setdefault(lane, []).append((event["start_ns"], event["end_ns"], event))
    return {lane: sorted(found[lane], key=lambda one: one[:2])
            for lane in sorted(found, key=lambda lane: order(lane, trace.devices))}


def parts_of(operations, start_ns):
    """[{way, bars: [[start, end], ...]}], us: kernels of a stream that follow each other without a gap are one bar."""
    parts, last = {}, None
    for start, end, event in operations:
        bars = parts.setdefault(way_of(event), [])
        if event["engine"] == "compute" and last and last["stream"] == event["stream"] and bars[-1][1] == start:
            bars[-1][1] = end
        else:
            bars.append([start, end])
        last = event
    return [{"way": way, "bars": [[(begin - start_ns) / 1e3, (stop - start_ns) / 1e3] for begin, stop in bars]}
            for way, bars in parts.items()]


def panels(group):
    """A panel for each row in which more than one device had something to do."""
    if group.trace is None or group.trace.devices < 2:
        return []
    made = []
    for run in group.trace.runs:
        lanes = lanes_of(group.trace, run)
        count = sum(map(len, lanes.values()))
        if len({device for device, _ in lanes}) < 2 or not LEAST <= count <= LONGEST:
            continue
        start, end = run.spans[0].start_ns, max([run.spans[-1].end_ns] + [ops[-1][1] for ops in lanes.values()])
        made.append({"title": run.row, "total_us": (end - start) / 1e3,
                     "lanes": [{"name": f"{device}: {LANES[engine]}", "parts": parts_of(ops, start)}
                               for (device, engine), ops in lanes.items()]})
    first = [panel["title"].partition("-")[0] for panel in made]
    for panel, name in zip(made, first):
        panel["group"] = name if first.count(name) > 1 else ""
    for panel in made:
        panel["axis_us"] = max(other["total_us"] for other in made if other["group"] == panel["group"])
    return made


def size(panel):
    return 9.0, 0.85 + 0.23 * len(panel["lanes"])


def look(way):
    """(what the legend says, colour, hatch)"""
    if way is None:
        return "kernels", style.KERNEL, ""
    return f"copies from {traces.name_of(way[0])} to {traces.name_of(way[1])}", *style.way(*way)


def draw(place, panel, context):
    axes = place.axes()
    unit, scale = ("ms", 1e3) if panel["axis_us"] >= 1e4 else ("\N{MICRO SIGN}s", 1)
    for y, lane in enumerate(panel["lanes"]):
        for part in lane["parts"]:
            name, colour, hatch = look(part["way"])
            bars = [(start / scale, (end - start) / scale) for start, end in part["bars"]]
            wide = max(width for _, width in bars) * scale > 0.01 * panel["axis_us"]
            drawn = axes.broken_barh(bars, (y - 0.38, 0.76), facecolors=colour, edgecolors=style.INK,
                                     hatch=hatch if wide else None, linewidth=0.5)
            if name not in context["legend"] or wide:  # the legend has the hatch that is to be seen
                context["legend"][name] = drawn
    axes.set_yticks(range(len(panel["lanes"])), [lane["name"] for lane in panel["lanes"]])
    axes.set_ylim(len(panel["lanes"]) - 0.5, -0.5)
    axes.set_xlim(0, panel["axis_us"] / scale)
    axes.grid(axis="y", visible=False)
    axes.set_xlabel(f"time, {unit}   ({panel['total_us']:,.0f} \N{MICRO SIGN}s in all)")
    return axes
