"""How figures look: colours, hatches and markers that are told apart by everybody and in grey print, and how a figure
becomes SVG or PNG bytes that are the same each time.

Colours are Okabe and Ito's (2008), picked so that neighbours also differ in lightness; what is filled has a hatch, what
is a line has a marker and a dash of its own.
"""
import io
import re

INK = "#1f2328"  # text and axes: in the documents' figures it becomes the page's own colour
GRID = "#c8ccd1"
BLUE, ORANGE, GREEN, VERMILION, PURPLE, SKY, GREY = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9",
                                                     "#9aa0a6")
# (colour, marker, dash) of the n-th line
LINES = [(BLUE, "o", "-"), (ORANGE, "s", "--"), (GREEN, "^", "-."), (VERMILION, "D", ":"), (PURPLE, "v", "-"),
         (SKY, "P", "--"), (GREY, "X", "-."), (BLUE, "*", ":"), (ORANGE, "<", "-"), (GREEN, ">", "--")]
# what is drawn for a phase or an engine: (label, colour, hatch)
PHASES = {"alloc": ("allocate and free", GREY, ".."), "advice": ("advice", GREEN, "++"),
          "host": ("host: its writes and reads", VERMILION, "oo"), "h2d": ("H2D: to the device", SKY, "//"),
          "kernel": ("kernel", ORANGE, ""), "d2h": ("D2H: back to the host", BLUE, "\\\\"),
          "mixed": ("not told apart", PURPLE, "xx")}
FONTS = ["DejaVu Sans", "Verdana", "Arial", "sans-serif"]
SALT = "umlab"
DPI = 160


def matplotlib_ready():
    """pyplot, set up. Imported late: a missing package is report.py's message, not a traceback."""
    import matplotlib

    matplotlib.use("agg")
    matplotlib.rcParams.update({
        "svg.hashsalt": SALT, "text.parse_math": False, "svg.fonttype": "none", "font.family": "DejaVu Sans",
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


def png(figure):
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=DPI, metadata={"Software": None})
    return out.getvalue()


def svg(figure, spec, page_colours=False):
    """SVG text of its own (a file, or a part of a page: no name in it collides with another figure's). With
    page_colours text and axes have the colour of the page that it stands in, on no background."""
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None},
                   transparent=page_colours)
    text = out.getvalue()
    text = text[text.index("<svg"):]
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    # Some of matplotlib's names are hashes of where an object lay in memory: numbers in their place, in order.
    for number, name in enumerate(dict.fromkeys(re.findall(r'\bid="([A-Za-z][0-9a-f]{10})"', text))):
        text = text.replace(name, f"n{number}")
    prefix = spec["id"] + "-"
    text = re.sub(r'\bid="', f'id="{prefix}', text)
    text = text.replace("url(#", f"url(#{prefix}").replace('href="#', f'href="#{prefix}')
    fonts = ", ".join(f"'{name}'" if " " in name else name for name in FONTS)
    text = re.sub(r"(font: [^;\"]*?)'?DejaVu Sans'?(, [^;\"]*)?(?=[;\"])", rf"\g<1>{fonts}", text)
    about = f'<title>{escape(spec["title"])}</title><desc>{escape(spec["caption"])}</desc>'
    rule = ""
    if page_colours:
        # Only on its own (as a picture) it is the root, and follows what the reader prefers; else the page's rules
        # hold.
        rule = ("<style>svg:root{color:#1f2328}@media (prefers-color-scheme:dark){svg:root{color:#d7dadd}}</style>")
        text = text.replace(INK, "currentColor").replace(f"stroke: {GRID}",
                                                         "stroke: currentColor; stroke-opacity: 0.25")
    head, _, rest = text.partition(">")
    return f'{head} class="umlab-figure" role="img">{about}{rule}{rest}'


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
