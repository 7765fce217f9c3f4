"""Figures of who can follow which pointer: lab 2's answer."""
import style

KIND = "reach"
TITLE = "who can follow which pointer"
CAPTION = ("Look for the rows with two coloured cells: only that memory can be read by both without a copy. A row is a "
           "pointer; a coloured cell says that the host, or a kernel, can read what it points to, an empty one what it "
           "gets instead.")
ACROSS = True
READERS = [("host_reads", "the host reads it", style.HOST), ("kernel_reads", "a kernel reads it", style.GPU)]


def panels(group):
    rows = [{"name": row["strategy"], **{key: row[key] for key, _, _ in READERS}} for row in group.rows
            if row.get("verified") and all(row.get(key) for key, _, _ in READERS)]
    return [{"title": "", "rows": rows}] if len(rows) > 1 else []


def size(panel):
    return 7.0, 0.9 + 0.3 * len(panel["rows"])


def draw(place, panel, context):
    axes = place.axes()
    for y, row in enumerate(panel["rows"]):
        for x, (key, _, colour) in enumerate(READERS):
            can = row[key] == "yes"
            axes.fill_between([x - 0.47, x + 0.47], y - 0.43, y + 0.43, facecolor=colour if can else "none",
                              edgecolor=style.NONE, linewidth=0.8)
            axes.text(x, y, "yes" if can else row[key], ha="center", va="center", fontsize=9,
                      color=style.ON if can else style.INK)
    axes.set_xlim(-0.5, len(READERS) - 0.5)
    axes.set_ylim(len(panel["rows"]) - 0.5, -0.5)
    axes.set_xticks(range(len(READERS)), [label for _, label, _ in READERS])
    axes.set_yticks(range(len(panel["rows"])), [row["name"] for row in panel["rows"]])
    axes.xaxis.tick_top()
    axes.grid(visible=False)
    axes.tick_params(length=0)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
    axes.set_ylabel("pointer")
    return axes
