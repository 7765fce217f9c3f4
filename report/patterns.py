"""Figures of access pattern by kind of memory: which memory for which access."""
import results
import style

KIND = "patterns"
TITLE = "access pattern by kind of memory"
CAPTION = ("Look for {}. A column is a way to access the data, a row a kind of memory; in a cell stand the time and "
           "how many times the best of its column that is. Lighter is better, the best is framed.")
WANDERS = "the frame that wanders from column to column: no memory is the best for all"
STAYS = "how far the other rows are behind the framed one: here one memory is the best for all"
DASH = " A dash was not run."
BEST = 1.001  # times the least: as good as it
ACROSS = True


def panel_of(title, cells):
    """cells: {(kind, pattern): us}"""
    kinds = list(dict.fromkeys(kind for kind, _ in cells))
    patterns = list(dict.fromkeys(pattern for _, pattern in cells))
    table = [[cells.get((kind, pattern)) for pattern in patterns] for kind in kinds]
    return {"title": title, "kinds": kinds, "patterns": patterns, "us": table}


def panels(group):
    """Of strategies that are called `kind pattern` and have a time of their work, at the largest size."""
    rows = [row for row in group.rows if results.drawn(row) and row.get("work_us") and " " in row["strategy"]]
    if not rows:
        return []
    largest = max(row["size_bytes"] for row in rows)
    cells = {tuple(row["strategy"].split(" ", 1)): row["work_us"] for row in rows if row["size_bytes"] == largest}
    return [panel_of(f"copies and kernels, {results.size_text(largest)}", cells)]


def factors(panel):
    """The table as multiples of each column's best; None where there is nothing."""
    best = [min((line[c] for line in panel["us"] if line[c]), default=None) for c in range(len(panel["patterns"]))]
    return [[line[c] / best[c] if line[c] else None for c in range(len(best))] for line in panel["us"]]


def caption(panels):
    tables = [factors(panel) for panel in panels]
    stays = all(any(all(value and value <= BEST for value in line) for line in table) for table in tables)
    dash = any(value is None for table in tables for line in table for value in line)
    return CAPTION.format(STAYS if stays else WANDERS) + (DASH if dash else "")


def size(panel):
    return max(6.0, 2.0 + 1.15 * len(panel["patterns"])), 1.1 + 0.55 * len(panel["kinds"])


def draw(place, panel, context):
    from matplotlib import cm, colors

    axes = place.axes()
    table = factors(panel)
    norm = colors.LogNorm(1, max(10, max(value for line in table for value in line if value)))
    shades = cm.ScalarMappable(norm, "cividis_r")
    for r, line in enumerate(table):
        for c, value in enumerate(line):
            if value is None:
                axes.text(c, r, "\N{EN DASH}", ha="center", va="center")
                continue
            shade = shades.to_rgba(value)
            # here black and white text are equally legible
            dark = 0.3 * shade[0] + 0.59 * shade[1] + 0.11 * shade[2] < 0.46
            axes.fill_between([c - 0.5, c + 0.5], r - 0.5, r + 0.5, color=shade, linewidth=0)
            times = f"\N{MULTIPLICATION SIGN}{value:.3g}" if value < 100 else f"\N{MULTIPLICATION SIGN}{value:.0f}"
            axes.text(c, r, f"{results.time_text(panel['us'][r][c])}\n{times}", ha="center", va="center", fontsize=8.5,
                      color="white" if dark else "black", linespacing=1.1)
            if value <= BEST:
                axes.fill_between([c - 0.46, c + 0.46], r - 0.45, r + 0.45, facecolor="none", edgecolor="black",
                                  linewidth=2)
    axes.set_xlim(-0.5, len(panel["patterns"]) - 0.5)
    axes.set_ylim(len(panel["kinds"]) - 0.5, -0.5)
    axes.set_xticks(range(len(panel["patterns"])), [text.replace(" ", "\n", 1) for text in panel["patterns"]])
    axes.set_yticks(range(len(panel["kinds"])), panel["kinds"])
    axes.grid(visible=False)
    axes.tick_params(length=0)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
    axes.set_xlabel("access pattern")
    axes.set_ylabel("memory")
    bar = place.figure.colorbar(shades, ax=axes, label="times the column's best", pad=0.01, aspect=12)
    style.logarithmic(bar.ax.yaxis, *bar.ax.get_ylim())
    return axes
