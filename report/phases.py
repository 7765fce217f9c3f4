"""Figures of time by phase: what a strategy's total is made of."""
import results
import style

KIND = "phases"
TITLE = "time by phase"
CAPTION = ("Look at which colour is the longest: {}. A bar is a strategy's total, cut into what it went to; on the "
           "right the same as shares of each total, so that short ones can be read.")
COLOURS = {("kernel",): "the stronger grey is the kernel, with the page faults that it takes",
           ("alloc",): "the fainter one is getting memory and giving it back",
           ("host",): "blue is what the host does itself",
           ("h2d", "d2h"): "what runs from one colour to the other is a copy or a prefetch"}
MIXED = (" 'Not told apart' is what belongs to no single phase: phases that run at the same time, and what lies "
         "between them.")
ACROSS = True
NAMES = ("alloc", "advice", "host", "h2d", "kernel", "d2h")


def bars_of(rows):
    """[{name, size, us: {phase: us}, total_us}] of the largest size of each strategy."""
    largest = {}
    for row in rows:
        kept = largest.get(row["strategy"])
        if results.drawn(row) and row.get("total_us") and (kept is None or row["size_bytes"] > kept["size_bytes"]):
            largest[row["strategy"]] = row
    bars = []
    for row in largest.values():
        us = {name: row.get(f"{name}_us") or 0 for name in NAMES}
        rest = row["total_us"] - sum(us.values())
        if rest < -1e-3 * row["total_us"]:
            # Engines' times that overlap add up to more than the total: they are no parts of it.
            us = {name: 0 for name in NAMES}
            rest = row["total_us"]
        us["mixed"] = rest if rest > 1e-3 * row["total_us"] else 0
        bars.append({"name": row["strategy"], "size": row["size_bytes"], "us": us, "total_us": row["total_us"]})
    return bars


def panels(group):
    bars = bars_of(group.rows)
    if len(bars) < 2:
        return []  # one bar compares nothing
    return [{"title": "time", "bars": bars}, {"title": "share of each total", "bars": bars}]


def caption(panels):
    """Of the colours those that are there."""
    seen = {name for panel in panels for bar in panel["bars"] for name, us in bar["us"].items() if us}
    told = ", ".join(text for names, text in COLOURS.items() if seen & set(names))
    return CAPTION.format(told) + (MIXED if "mixed" in seen else "")


def size(panel):
    return (6.6 if panel["title"] == "time" else 3.8, 1.1 + 0.32 * len(panel["bars"]))


def usual_size(bars):
    """The size that most bars have."""
    sizes = [bar["size"] for bar in bars]
    return max(dict.fromkeys(sizes), key=sizes.count)


def label(bar, bars):
    other = bar["size"] != usual_size(bars)
    return f"{bar['name']} ({results.size_text(bar['size'])})" if other else bar["name"]


def draw(place, panel, context):
    shares = panel["title"] != "time"
    bars = panel["bars"]
    axes = place.axes(share_x=True)
    longest = max(bar["total_us"] for bar in bars)
    unit, scale = ("ms", 1e3) if longest >= 1e3 else ("\N{MICRO SIGN}s", 1)
    at = range(len(bars))
    left = [0.0] * len(bars)
    for phase, (name, colour, hatch) in style.PHASES.items():
        widths = [bar["us"][phase] * (100 / bar["total_us"] if shares else 1 / scale) for bar in bars]
        if not any(widths):
            continue
        some = [y for y in at if widths[y]]
        drawn = axes.barh(some, [widths[y] for y in some], left=[left[y] for y in some], height=0.72, color=colour,
                          hatch=hatch, edgecolor=style.INK, linewidth=0.5)
        context["legend"].setdefault(name, drawn)
        left = [start + width for start, width in zip(left, widths)]
    axes.set_yticks(at, [] if shares else [label(bar, bars) for bar in bars])
    if len(place.peers) == 1 or not axes.yaxis_inverted():
        axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    if shares:
        axes.set_xlim(0, 100)
        axes.set_xlabel("share of the total, %")
    else:
        for y, bar in enumerate(bars):
            axes.annotate(results.time_text(bar["total_us"]), (bar["total_us"] / scale, y), xytext=(4, 0),
                          textcoords="offset points", va="center", fontsize=9)
        axes.set_xlim(0, max(1.16 * longest / scale, axes.get_xlim()[1] if len(place.peers) > 1 else 0))
        axes.set_xlabel(f"time, {unit} (size {results.size_text(usual_size(bars))})")
    return axes
