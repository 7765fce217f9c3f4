"""The colours of colours.css, for programs that draw without CSS."""
import re
from pathlib import Path

FILE = Path(__file__).resolve().parent / "colours.css"
CSS = FILE.read_text(encoding="utf-8")
# Drawn as from one colour to the other where the picture can; else as a mixture that leans to where it goes.
MOVES = {"to-gpu": ("host", "gpu"), "to-host": ("gpu", "host"), "to-gpu-1": ("host", "gpu-1"),
         "gpu-1-to-host": ("gpu-1", "host"), "gpu-to-gpu-1": ("gpu", "gpu-1"), "gpu-1-to-gpu": ("gpu-1", "gpu")}
LEANING = 0.62


def variables(block):
    """{name: "#rrggbb"} of a block of declarations."""
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})\b", block))


LIGHT = variables(CSS[:CSS.index("@media")])
DARK = variables(CSS[CSS.index(':root[data-theme="dark"]'):])


def mixed(one, other, part):
    """So much of the other colour in the one."""
    pairs = [(int(one[i:i + 2], 16), int(other[i:i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)


def move(name):
    source, target = MOVES[name]
    return mixed(LIGHT[source], LIGHT[target], LEANING)
