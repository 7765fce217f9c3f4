"""Figures of where each page of managed memory was over time, from the simulator's trace."""
import holders
import results
import style
import traces

KIND = "residency"
TITLE = "where the pages were, over time"
CAPTION = ("Look for where blue turns orange: there pages moved to the GPU. From top to bottom the pages of an "
           "allocation, from left to right its life. Above it the phases of the lab's table; below it the bytes that "
           "moved. Triangles are page faults of either side. What is tinted has pages of both kinds. When within a "
           "kernel a page moved is not modelled: a kernel's moves are spread evenly over its time.")
OF_SEVERAL = ("Look for where one colour becomes another: there pages moved to another processor. From top to bottom "
              "the pages of an allocation, from left to right its life. Above it the phases of the lab's table; below "
              "it the bytes that moved. Triangles are page faults, of each processor in another direction. What is "
              "tinted has pages of several kinds. When within a kernel a page moved is not modelled: a kernel's moves "
              "are spread evenly over its time.")
ACROSS = False
MOST = 3  # panels in a figure
SMALLEST = 2 << 20  # bytes: smaller allocations have too few pages to show
NOWHERE, HOST, GPU, BOTH, MAPPED = range(5)
STATES = [("nowhere yet", style.NONE), ("at the host", style.HOST), ("at the GPU", style.GPU),
          ("copies at both", style.BOTH), ("at the host, mapped by the GPU", style.REMOTE)]
SHORT = {"h2d": "H2D", "d2h": "D2H", "mixed": "all"}
ROWS, COLUMNS, BINS = 256, 360, 72
FEW = 60  # faults: more of them are one picture in a figure


def steps_of(trace, memory):
    """What happened to a range: (states, faults, moves); times in us since the range was made.

    states: [us, first page, pages, state]; faults: [us, page, side, number]; moves: [us, bytes, to, cause]."""
    states, faults, moves = [], [], []
    events = [event for event in trace.events[memory.first:memory.last] if inside(event, memory)]
    if trace.devices > 1:
        return steps_of_several(trace, memory, events)
    for time_ns, event in trace.spread(events):
        us = round((time_ns - memory.start_ns) / 1e3, 3)
        first = (int(event["address"], 16) - memory.address) // trace.page_bytes
        pages = -(-event["bytes"] // trace.page_bytes)
        side = GPU if event.get("processor", "CPU") != "CPU" else HOST
        kind = event["event"]
        if kind in ("Populate", "Migration"):
            states.append([us, first, pages, side])
        elif kind == "ReadDuplicate":
            states.append([us, first, pages, BOTH])
        elif kind == "ReadDuplicateInvalidate":
            states.append([us, first, pages, HOST if side == GPU else GPU])
        elif kind == "MapRemote":
            states.append([us, first, pages, MAPPED])
        elif kind == "UnmapRemote":
            states.append([us, first, pages, HOST])
        if kind == "Migration":
            moves.append([us, event["bytes"], "GPU" if side == GPU else "host", event["cause"]])
        elif kind == "CpuFault":
            faults.append([us, first, "host", 1])
        elif kind == "GpuFault":
            faults.append([us, first, "GPU", event["groups"]])
    return merged(states), faults, moves


def steps_of_several(trace, memory, events):
    """The same; a move also tells from where, and processors are called `host`, `device 0`, ..."""
    states, faults, moves = [], [], []
    pages_of = holders.Pages(memory.bytes // trace.page_bytes, trace.devices)
    for time_ns, event in trace.spread(events):
        us = round((time_ns - memory.start_ns) / 1e3, 3)
        first = (int(event["address"], 16) - memory.address) // trace.page_bytes
        count, who = -(-event["bytes"] // trace.page_bytes), traces.processor_of(event)
        states += [[us, *change] for change in pages_of.apply(event, first, count)]
        if event["event"] == "Migration":
            moves.append([us, event["bytes"], who, event["cause"], traces.way_of(event)[0]])
        elif event["event"].endswith("Fault"):
            faults.append([us, first, traces.name_of(who), event.get("groups", 1)])
    return merged(states), faults, moves


KINDS = {"Populate", "Migration", "ReadDuplicate", "ReadDuplicateInvalidate", "MapRemote", "UnmapRemote", "CpuFault",
         "GpuFault"}


def inside(event, memory):
    if event["event"] not in KINDS:
        return False
    return memory.address <= int(event["address"], 16) < memory.address + memory.bytes


def merged(states):
    """Neighbours that change to the same at the same time are one."""
    kept = []
    for state in sorted(states, key=lambda state: state[0]):
        last = kept[-1] if kept else None
        if last and last[0] == state[0] and last[3] == state[3] and last[1] + last[2] == state[1]:
            last[2] += state[2]
        else:
            kept.append(list(state))
    return kept


def panels(group):
    if group.trace is None:
        return []
    made = []
    ranges = group.trace.ranges(SMALLEST)
    largest = max((memory.bytes for memory in ranges), default=0)
    for memory in ranges:
        if memory.bytes < largest / 16:
            continue  # a table beside the data
        states, faults, moves = steps_of(group.trace, memory)
        if not states:
            continue
        names = memory.rows if len(memory.rows) == 1 else list(dict.fromkeys(row.split(":")[0] for row in memory.rows))
        steps = len(memory.rows) > len(names)  # a row for each step, as in lab 5
        phases = [[run.row.split(": ")[-1] if steps else SHORT.get(span.phase, span.phase), span.phase,
                   (span.start_ns - memory.start_ns) / 1e3, (span.end_ns - memory.start_ns) / 1e3]
                  for run in group.trace.runs for span in run.spans
                  if memory.first < span.first and span.last < memory.last and span.end_ns > span.start_ns]
        made.append({"title": f"{', '.join(names) or 'outside of the table'}, {results.size_text(memory.bytes)}",
                     "pages": memory.bytes // group.trace.page_bytes, "end_us": (memory.end_ns - memory.start_ns) / 1e3,
                     "phases": phases, "states": states, "faults": faults, "moves": moves}
                    | ({"devices": group.trace.devices} if group.trace.devices > 1 else {})
                    | ({"page_bytes": group.trace.page_bytes} if group.trace.page_bytes != traces.USUAL_PAGE else {}))
    return [panel for panel in made if panel["end_us"] > 0]


def caption(panels):
    return OF_SEVERAL if any("devices" in panel for panel in panels) else CAPTION


def states_of(panel):
    """[(name, colour)] of the states in a panel's data."""
    return holders.states(panel["devices"]) if "devices" in panel else STATES


def grid(panel):
    """(states x rows x columns): of each cell's pages at the column's time, the share that is in each state."""
    import numpy

    rows = min(ROWS, panel["pages"])
    now = numpy.zeros(panel["pages"], dtype=int)
    row_of = numpy.minimum(numpy.arange(panel["pages"]) * rows // panel["pages"], rows - 1)
    pages_in = numpy.bincount(row_of, minlength=rows)
    states = len(states_of(panel))
    shares = numpy.zeros((states, rows, COLUMNS))
    step = 0
    for column in range(COLUMNS):
        until = (column + 1) * panel["end_us"] / COLUMNS
        while step < len(panel["states"]) and panel["states"][step][0] <= until:
            _, first, pages, state = panel["states"][step]
            now[first:first + pages] = state
            step += 1
        for state in range(states):
            shares[state, :, column] = numpy.bincount(row_of, weights=now == state, minlength=rows) / pages_in
    return shares


def layers(shares, states=STATES):
    """[(colour, opacity of each cell)], the lowest first: one above the other they show each state by its share."""
    import numpy

    below, made = numpy.zeros(shares[0].shape), []
    for (_, colour), share in zip(states, shares):
        below = below + share
        if share.any():
            made.append((colour, numpy.divide(share, below, out=numpy.zeros(share.shape), where=below > 0)))
    return made


def draw_map(axes, panel, end):
    """A picture for each state, in its one colour: so a page can give it the colour of light or dark
    (style.with_tints)."""
    import numpy
    from matplotlib import colors

    for colour, opacity in layers(grid(panel), states_of(panel)):
        image = numpy.empty((*opacity.shape, 4))
        image[..., :3] = colors.to_rgb(colour)
        image[..., 3] = opacity
        axes.imshow(image, extent=(0, end, panel["pages"], 0), aspect="auto", interpolation="nearest",
                    gid=style.tinted(colour))


def size(panel):
    return 9.5, 3.7


def draw(place, panel, context):
    top, heat, moves = place.stack([0.10, 1, 0.36])
    unit, scale = ("ms", 1e3) if panel["end_us"] >= 1e4 else ("\N{MICRO SIGN}s", 1)
    end = panel["end_us"] / scale
    draw_phases(top, panel, scale, context)
    draw_map(heat, panel, end)
    used = {NOWHERE} | {state for *_, state in panel["states"]}
    draw_faults(heat, panel, scale, context)
    heat.set_ylabel(f"page ({results.size_text(panel.get('page_bytes', traces.USUAL_PAGE))})")
    heat.grid(visible=False)
    draw_moves(moves, panel, scale, context)
    moves.set_xlabel(f"time since the allocation, {unit}")
    for axes in (top, heat):
        axes.tick_params(axis="x", labelbottom=False, length=0)
    top.set_xlim(0, end)
    from matplotlib import patches

    for state in sorted(used):
        name, colour = states_of(panel)[state]
        context["legend"].setdefault(name, patches.Patch(facecolor=colour, edgecolor=style.INK, linewidth=0.5))
    return top


def draw_phases(axes, panel, scale, context):
    for name, phase, start, end in panel["phases"]:
        _, colour, hatch = style.PHASES.get(phase, style.PHASES["mixed"])
        axes.broken_barh([(start / scale, (end - start) / scale)], (0, 1), facecolors=colour, edgecolors=style.INK,
                         hatch=hatch, linewidth=0.5)
        if end - start > 0.009 * len(name) * panel["end_us"] + 0.012 * panel["end_us"]:
            axes.text((start + end) / 2 / scale, 0.5, name, ha="center", va="center", fontsize=8, color="black",
                      bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.85})
    axes.set_ylim(0, 1)
    axes.set_yticks([])
    axes.grid(visible=False)
    for side in axes.spines.values():
        side.set_visible(False)


def draw_faults(axes, panel, scale, context):
    sides = [("host", "v", "#ffffff"), ("GPU", "^", style.FAULT)]
    if "devices" in panel:
        sides[1:] = [(f"device {device}", "^>D<sPX*"[device], style.FAULT) for device in range(panel["devices"])]
    for side, marker, colour in sides:
        points = sorted({(round(us / panel["end_us"] * 400), page * 128 // panel["pages"]): (us / scale, page)
                         for us, page, who, _ in panel["faults"] if who == side}.values())
        if points:
            drawn = axes.scatter(*zip(*points), s=13, marker=marker, color=colour, edgecolors="black", linewidths=0.5,
                                 zorder=3, rasterized=len(points) > FEW)
            context["legend"].setdefault(f"faults of {side if side.startswith('device') else 'the ' + side}", drawn)


def looks_of(panel):
    """{(to, evicted[, from]): (name, colour, hatch, upwards or downwards)}: to the host is downwards."""
    if "devices" not in panel:
        return {("GPU", False): ("moved to the GPU", style.TO_GPU, "", 1),
                ("host", False): ("moved to the host", style.TO_HOST, "", -1),
                ("host", True): ("evicted to the host", style.SETUP, "xx", -1)}
    ways = dict.fromkeys((to, source) for _, _, to, _, source in sorted(panel["moves"], key=lambda move: (
        move[2] == 0, move[4], move[2])))
    return {(to, False, source): (f"from {traces.name_of(source)} to {traces.name_of(to)}", *style.way(source, to),
                                  1 if to else -1) for to, source in ways} | {
        (0, True, source): (f"evicted from {traces.name_of(source)}", style.SETUP, "xx", -1) for _, source in ways}


def draw_moves(axes, panel, scale, context):
    """Bytes by interval of time: upwards to a GPU, downwards to the host; what was evicted apart."""
    looks, width = looks_of(panel), panel["end_us"] / BINS
    sums = {key: [0.0] * BINS for key in looks}
    for us, moved, to, cause, *source in panel["moves"]:
        key = (to, cause == "Eviction", *source)
        sums.setdefault(key, [0.0] * BINS)[min(BINS - 1, int(us / width))] += moved / 2**20
    piled = {1: [0.0] * BINS, -1: [0.0] * BINS}
    starts = [bin_ * width / scale for bin_ in range(BINS)]
    for key, (name, colour, hatch, sign) in looks.items():
        if not any(sums[key]):
            continue
        base = piled[sign]
        some = [bin_ for bin_, value in enumerate(sums[key]) if value]
        drawn = axes.bar([starts[bin_] for bin_ in some], [sign * sums[key][bin_] for bin_ in some], width / scale,
                         bottom=[sign * base[bin_] for bin_ in some], align="edge", color=colour, hatch=hatch,
                         edgecolor=style.INK, linewidth=0.3)
        context["legend"].setdefault(name, drawn)
        piled[sign] = [a + b for a, b in zip(base, sums[key])]
    axes.axhline(0, color=style.INK, linewidth=0.6)
    axes.grid(axis="x", visible=False)
    axes.set_ylabel("moved, MiB")
    if not panel["moves"]:
        axes.set_ylim(-1, 1)
        axes.set_yticks([])
        axes.set_ylabel("")  # it would be longer than the empty axis, and says no more than these words
        axes.text(0.5, 0.75, "nothing moved", ha="center", va="center", transform=axes.transAxes, fontsize=9)
        return
    reach = max(max(piled[1]), max(piled[-1]), 1e-3)
    axes.set_ylim(-1.1 * reach, 1.1 * reach)
    axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
