"""How figures look: colours, hatches and markers that are told apart by everybody and in grey print, and how a figure
becomes SVG or PNG bytes that are the same each time.

Colours are those of colours.css: a figure in a page takes them from there, so that they follow light and dark. A
movement runs from its source's colour to its target's; what is a line has a marker and a dash of its own.
"""
import io
import re

import palette

INK = "#1f2328"  # text and axes: in the documents' figures it becomes the page's own colour
GRID = "#c8ccd1"
DRAWN = ["host", "gpu", "both", "none", "remote", "kernel", "setup", "fault", "on",
         "gpu-1", "far", "far-1", *(f"line-{n}" for n in range(1, 7))]
HOST, GPU, BOTH, NONE, REMOTE, KERNEL, SETUP, FAULT, ON, GPU_1, FAR, FAR_1 = (
    palette.LIGHT[name] for name in DRAWN[:12])
TO_GPU, TO_HOST = palette.move("to-gpu"), palette.move("to-host")
# (movement, hatch) of what goes from one processor to another, of several devices.
WAYS = {(0, 1): ("to-gpu", ""), (0, 2): ("to-gpu-1", "..."), (1, 0): ("to-host", "//"), (2, 0): ("gpu-1-to-host", "xx"),
        (1, 2): ("gpu-to-gpu-1", "\\\\\\"), (2, 1): ("gpu-1-to-gpu", "---")}
# (colour, marker, dash) of the n-th line: colours that mean neither host nor GPU
LINES = [(palette.LIGHT[f"line-{1 + number % 6}"], marker, dash) for number, (marker, dash) in enumerate(
    [("o", "-"), ("s", "--"), ("^", "-."), ("D", ":"), ("v", "-"), ("P", "--"), ("X", "-."), ("*", ":"), ("<", "-"),
     (">", "--")])]
# what is drawn for a phase or an engine: (label, colour, hatch)
PHASES = {"alloc": ("allocate and free", SETUP, ""), "advice": ("advice", SETUP, "++"),
          "host": ("host: its own writes and reads", HOST, ""), "h2d": ("H2D: to the device", TO_GPU, ""),
          "kernel": ("kernel", KERNEL, ""), "d2h": ("D2H: back to the host", TO_HOST, ""),
          "mixed": ("not told apart", NONE, "xx")}
FONTS = ["DejaVu Sans", "Verdana", "Arial", "sans-serif"]
SALT = "umlab"
TINT = "tint-"  # names a picture that is of one of DRAWN's colours throughout, more and less opaque
DPI = 160


def coloured(processor):
    """Two colours take turns among devices: which of them it has, or 0, the host."""
    return processor and 1 + (processor - 1) % 2


def holder(processor):
    """The colour of a processor (0 is the host, 1 device 0)."""
    return (HOST, GPU, GPU_1)[coloured(processor)]


def way(source, target):
    """(colour, hatch) of what goes from one processor to another."""
    both = coloured(source), coloured(target)
    move, hatch = WAYS[both if both[0] != both[1] else (1, 2)]
    return palette.move(move), hatch


def matplotlib_ready():
    """pyplot, set up. Imported late: a missing package is report.py's message, not a traceback."""
    import matplotlib

    matplotlib.use("agg")
    matplotlib.rcParams.update({
        "svg.hashsalt": SALT, "image.composite_image": False,
        "text.parse_math": False, "svg.fonttype": "none", "font.family": "DejaVu Sans",
        "font.size": 10.5, "axes.edgecolor": INK, "axes.labelcolor": INK, "text.color": INK, "xtick.color": INK,
        "ytick.color": INK, "axes.titlesize": 11, "axes.titlelocation": "left", "axes.spines.top": False,
        "axes.spines.right": False, "axes.grid": True, "axes.axisbelow": True, "grid.color": GRID,
        "grid.linewidth": 0.6, "hatch.linewidth": 0.6, "legend.frameon": False, "legend.fontsize": 9.5,
        "lines.linewidth": 1.8, "lines.markersize": 6, "pdf.fonttype": 42, "figure.max_open_warning": 0})
    from matplotlib import pyplot

    return pyplot


def logarithmic(axis, low, high):
    """Ticks of a logarithmic axis as plain numbers: some within a decade, where it has few decades."""
    from matplotlib import ticker

    reach = high / low
    axis.set_major_locator(ticker.LogLocator(subs=range(1, 10) if reach < 10 else (1, 2, 5) if reach < 1e3 else (1,)))
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter(ticker.NullFormatter())


def tinted(colour):
    """The name of a picture of pixels of that one colour. In a page it gets the page's."""
    return TINT + next(name for name in DRAWN if palette.LIGHT[name] == colour)


def png(figure):
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=DPI, metadata={"Software": None})
    return out.getvalue()


def svg(figure, spec, page_colours=False):
    """SVG text of its own (a file, or a part of a page: no name in it collides with another figure's). With
    page_colours it has the colours of the page that it stands in, on no background."""
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None},
                   transparent=page_colours)
    text = out.getvalue()
    text = text[text.index("<svg"):]
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    # Some of matplotlib's names are hashes of where an object lay in memory: numbers in their place, in order.
    for number, name in enumerate(dict.fromkeys(re.findall(r'\bid="([A-Za-z][0-9a-f]{10})"', text))):
        text = text.replace(name, f"n{number}")
    # A hundredth of a point is finer than any screen; a page of many figures stays small.
    text = re.sub(r'\b(?:d|x|y|transform|width|height)="[^"]*"', lambda at: re.sub(r"(\.\d\d)\d+", r"\1", at[0]), text)
    text = re.sub(r"\n\s+", "\n", text)
    text = with_tints(text)
    prefix = spec["id"] + "-"
    text = re.sub(r'\bid="', f'id="{prefix}', text)
    text = text.replace("url(#", f"url(#{prefix}").replace('href="#', f'href="#{prefix}')
    fonts = ", ".join(f"'{name}'" if " " in name else name for name in FONTS)
    text = re.sub(r"(font: [^;\"]*?)'?DejaVu Sans'?(, [^;\"]*)?(?=[;\"])", rf"\g<1>{fonts}", text)
    about = f'<title>{escape(spec["title"])}</title><desc>{escape(spec["caption"])}</desc>'
    text, moves = with_moves(text, prefix, page_colours)
    rule = ""
    if page_colours:
        # Only on its own (as a picture) it is the root, and follows what the reader prefers; else the page's rules
        # hold.
        dark = ";".join(f"--{name}:{colour}" for name, colour in palette.DARK.items()
                        if f"var(--{name}," in text + moves)
        rule = ("<style>svg:root{color:#1f2328}@media (prefers-color-scheme:dark){svg:root{color:#d7dadd;" + dark +
                "}}</style>")
    head, _, rest = text.partition(">")
    return f'{head} class="umlab-figure" role="img">{about}{rule}{moves}{rest}'


def with_tints(text):
    """Pictures of one colour are filled with it by a filter, whose colour may be the page's."""
    names = sorted(set(re.findall(rf'id="{TINT}([\w-]+)"', text)))
    filters = "".join(
        f'<filter id="{TINT}{name}" x="0" y="0" width="1" height="1" color-interpolation-filters="sRGB">'
        f'<feFlood style="flood-color: {palette.LIGHT[name]}"/><feComposite operator="in" in2="SourceGraphic"/>'
        "</filter>"
        for name in names)
    text = re.sub(rf'id="({TINT}[\w-]+)"', r'filter="url(#\1)"', text)
    return text.replace(">", f"><defs>{filters}</defs>", 1) if names else text


def with_moves(text, prefix, page_colours):
    """(text, definitions): movements go from their source's colour to their target's; colours are the page's."""
    def colour(name):
        return f"var(--{name}, {palette.LIGHT[name]})" if page_colours else palette.LIGHT[name]

    made = ""
    for name, (source, target) in palette.MOVES.items():
        fill = f"fill: {palette.move(name)}"
        if fill in text:
            text = text.replace(fill, f"fill: url(#{prefix}{name})")
            stops = "".join(f'<stop offset="{at}" style="stop-color: {colour(end)}"/>' for at, end in
                            ((0, source), (1, target)))
            made += f'<defs><linearGradient id="{prefix}{name}">{stops}</linearGradient></defs>'
    if page_colours:
        text = text.replace(INK, "currentColor").replace(f"stroke: {GRID}",
                                                         "stroke: currentColor; stroke-opacity: 0.25")
        for name in DRAWN:
            text = text.replace(palette.LIGHT[name], colour(name))
        for name, (source, target) in palette.MOVES.items():  # below a hatch: as a mixture
            fill = f'fill="{palette.move(name)}"'
            text = text.replace(fill, f'{fill} style="fill: color-mix(in srgb, {colour(target)} '
                                      f'{100 * palette.LEANING:g}%, {colour(source)})"')
    return text, made


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
