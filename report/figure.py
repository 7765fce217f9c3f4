"""A figure is first data, then a picture.

The data, a dict that data.json holds as it is:

    {"id": "lab1-bandwidth", "kind": "bandwidth", "lab": "lab1", "title": ..., "caption": ...,
     "columns": [{"source": "modelled, profile h200-pcie5", "panels": [{"title": ..., ...}, ...]}, ...]}

A module for each kind knows what is in a panel. `KINDS` lists them. Each has

    KIND, TITLE, CAPTION        a name, what the figure shows, how to read it
    caption(panels)             optional: another CAPTION, for what these panels show
    ACROSS                      True: panels of a source stand beside each other, sources below each other
    MOST                        optional: panels of a source in one figure
    alike(panel)                optional: panels with the same answer share a figure
    panels(group)               the panels that a results.Group is worth; [] for none
    size(panel)                 (width, height) in inches
    draw(place, panel, context) draws it; place makes axes, context: what all panels share

A comparison has a column for each source; with one there is one.
"""
import textwrap

import style


def make(kind, lab, columns):
    """The data of the figures of a kind; columns: [(source label, panels), ...], those without panels left out. More
    than one where a kind says how many panels are the most, or which belong together."""
    made, parts = [], parts_of(kind, [panels for _, panels in columns])
    for number, part in enumerate(parts, 1):
        cut = [{"source": source, "panels": panels} for (source, _), panels in zip(columns, part) if panels]
        again = f" ({number} of {len(parts)})" if len(parts) > 1 else ""
        made.append({"id": f"{lab}-{kind.KIND}" + (f"-{number}" if again else ""), "kind": kind.KIND, "lab": lab,
                     "title": f"{lab}: {kind.TITLE}{again}", "caption": caption(kind, cut), "columns": cut})
    return made


def parts_of(kind, columns):
    """[[panels of each column], ...]: what each figure has."""
    if hasattr(kind, "alike"):
        groups = dict.fromkeys(kind.alike(panel) for panels in columns for panel in panels)
        return [[[panel for panel in panels if kind.alike(panel) == group] for panels in columns] for group in groups]
    longest = max(map(len, columns))
    most = getattr(kind, "MOST", None) or longest
    return [[panels[first:first + most] for panels in columns] for first in range(0, longest, most)]


def caption(kind, columns):
    panels = [panel for column in columns for panel in column["panels"]]
    return kind.caption(panels) if hasattr(kind, "caption") else kind.CAPTION


class Place:
    """A rectangle of the figure that a panel may fill with one axes or more."""

    def __init__(self, figure, spot, peers):
        self.figure, self.spot, self.peers = figure, spot, peers

    def axes(self, share_x=False, share_y=False):
        """One axes; with shares its limits are those of the panel beside or below, too."""
        first = self.peers[0] if self.peers else None
        axes = self.figure.add_subplot(self.spot, sharex=first if share_x else None, sharey=first if share_y else None)
        self.peers.append(axes)
        return axes

    def stack(self, ratios):
        """Axes above each other, of one x axis."""
        grid = self.spot.subgridspec(len(ratios), 1, height_ratios=ratios, hspace=0.06)
        first = self.figure.add_subplot(grid[0])
        return [first] + [self.figure.add_subplot(grid[i], sharex=first) for i in range(1, len(ratios))]


def legend_columns(labels, width):
    """How many columns fit into so many inches; about: 9.5 points a letter."""
    for columns in range(max(1, min(len(labels), int(width * 0.55))), 1, -1):
        whole, more = divmod(len(labels), columns)  # as matplotlib fills them
        ends = [column * whole + min(column, more) for column in range(columns + 1)]
        longest = [max(map(len, labels[first:last])) for first, last in zip(ends, ends[1:])]
        if 0.075 * sum(longest) + 0.6 * columns <= width:
            return columns
    return 1


def draw(kind, spec):
    """The matplotlib figure."""
    pyplot = style.matplotlib_ready()
    columns = spec["columns"]
    deep = max(len(column["panels"]) for column in columns)
    shape = (len(columns), deep) if kind.ACROSS else (deep, len(columns))
    cell = [[None] * shape[1] for _ in range(shape[0])]
    for c, column in enumerate(columns):
        for p, panel in enumerate(column["panels"]):
            row, col = (c, p) if kind.ACROSS else (p, c)
            cell[row][col] = (column, panel)
    sizes = [[kind.size(item[1]) if item else (0, 0) for item in line] for line in cell]
    widths = [max(line[col][0] for line in sizes) for col in range(shape[1])]
    heights = [max(size[1] for size in line) for line in sizes]
    if len(columns) > 1 and not kind.ACROSS:
        widths = [width * 0.72 for width in widths]
    figure = pyplot.figure(figsize=(sum(widths), sum(heights) + 0.9), layout="constrained")
    figure.get_layout_engine().set(h_pad=0.08, w_pad=0.08)
    grid = figure.add_gridspec(*shape, width_ratios=widths, height_ratios=heights)
    peers, legend = {}, {}
    context = {"lines": {}, "legend": legend}
    for row, line in enumerate(cell):
        for col, item in enumerate(line):
            if item is None:
                continue
            column, panel = item
            shared = peers.setdefault(panel["title"], [])
            axes = kind.draw(Place(figure, grid[row, col], shared), panel, context)
            title = panel["title"]
            if len(columns) > 1:
                source = textwrap.fill(column["source"], int(widths[col] * 10))
                title = f"{source}\n{title}" if title else source
            if title:
                axes.set_title(title)
    names = " | ".join(dict.fromkeys(column["source"] for column in columns))
    wide = int(sum(widths) * 10)
    lines = textwrap.wrap(names, wide) if len(columns) == 1 else names.split(" | ") if len(names) > wide else [names]
    figure.suptitle("\n".join([spec["title"], *lines]), x=0.01, ha="left", fontsize=12)
    if legend:
        width = sum(widths)
        key = figure.legend(legend.values(), legend.keys(), loc="outside lower left",
                            ncols=legend_columns(list(legend), width))
    figure.draw_without_rendering()
    figure.set_layout_engine(None)  # what is laid out now is saved several times, each time without another pass
    if legend:
        # By a point of the figure, not by its edge: a PDF's page is larger.
        corner = figure.transFigure.inverted().transform(key.get_window_extent().min)
        key.set_loc("lower left")
        key.set_bbox_to_anchor(corner, transform=figure.transFigure)
        key.borderaxespad = 0
    return figure
