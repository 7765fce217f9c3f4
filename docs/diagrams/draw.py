#!/usr/bin/env python3
"""Draws the site's diagrams as SVG that takes its colours from the page (docs/style/umlab.css: --host, --gpu, ...).

    docs/diagrams/draw.py --tree build/sim/docs/tree --out build/docs/diagrams

What the paging policy does is not drawn from memory: `--tree` is the program docs/diagrams/tree.c, which asks it.
"""
import argparse
import html
import json
import subprocess
from pathlib import Path

STYLE = """<style>
.u-t{font:14px var(--sans,sans-serif);fill:var(--ink,#1b2230)}
.u-s{font:12.5px var(--sans,sans-serif);fill:var(--soft,#566073)}
.u-m{font:12.5px var(--mono,monospace);fill:var(--ink,#1b2230)}
.u-b{font-weight:600}
.u-mid{text-anchor:middle}.u-end{text-anchor:end}
.u-box{fill:var(--paper,#fff);stroke:var(--line,#dfe2e8);stroke-width:1.5}
.u-host{fill:var(--host-soft,#d7e9f6);stroke:var(--host,#0072b2);stroke-width:1.5}
.u-gpu{fill:var(--gpu-soft,#fbe2d2);stroke:var(--gpu,#c24f00);stroke-width:1.5}
.u-both{fill:var(--both-soft,#d3efe5);stroke:var(--both,#00785a);stroke-width:1.5}
.u-none{fill:none;stroke:var(--none,#c9ced8);stroke-width:1.5;stroke-dasharray:4 4}
.u-old{fill:var(--host-soft,#d7e9f6);stroke:var(--host,#0072b2)}
.u-new{fill:var(--host,#0072b2);stroke:var(--host,#0072b2)}
.u-empty{fill:var(--paper,#fff);stroke:var(--none,#c9ced8)}
.u-fault{fill:var(--fault,#b01657)}
.u-at-host{fill:var(--host,#0072b2)}.u-at-gpu{fill:var(--gpu,#c24f00)}.u-on{fill:var(--paper,#fff)}
.u-line{stroke:var(--soft,#566073);stroke-width:1.5;fill:none}
.u-gpu-touch{stroke:var(--gpu,#c24f00);stroke-width:2.5;fill:none}
.u-host-touch{stroke:var(--host,#0072b2);stroke-width:2.5;fill:none}
.u-bad{stroke:var(--fault,#b01657);stroke-width:2.5;fill:none;stroke-dasharray:5 4}
.u-move{stroke-width:2.5;fill:none}
</style>"""
MARKER = """<defs><marker id="{id}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6"
orient="auto-start-reverse"><path d="M0 0 8 4 0 8z" fill="{fill}"/></marker></defs>"""
COLOURS = {"host": "var(--host,#0072b2)", "gpu": "var(--gpu,#c24f00)"}


class Drawing:
    """SVG elements one after another. Coordinates are pixels of a canvas 760 wide."""

    def __init__(self, name, title, height, width=760):
        self.name, self.title, self.height, self.width, self.parts = name, title, height, width, []

    def box(self, x, y, w, h, kind, radius=8):
        self.parts.append(f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="{radius}" class="u-{kind}"/>')

    def text(self, x, y, text, kind="t", more=""):
        self.parts.append(f'<text x="{x}" y="{y}" class="u-{kind} {more}">{html.escape(text)}</text>')

    def arrow(self, x1, y1, x2, y2, kind="line", both=False):
        """Of the kind's colour."""
        start = f' marker-start="url(#{self.name}-a)"' if both else ""
        self.parts.append(f'<path d="M{x1} {y1} {x2} {y2}" class="u-{kind}" marker-end="url(#{self.name}-a)"{start}/>')

    def move(self, x1, y1, x2, y2, source, target, both=False):
        """Bytes on their way: from the source's colour to the target's."""
        name, stops = f"{self.name}-{len(self.parts)}", (COLOURS[source], COLOURS[target])
        ends = "".join(f'<stop offset="{at}" style="stop-color:{colour}"/>' for at, colour in enumerate(stops))
        self.parts.append(
            f'<defs><linearGradient id="{name}" gradientUnits="userSpaceOnUse" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}">'
            f"{ends}</linearGradient></defs>" + MARKER.format(id=name + "-to", fill=stops[1])
            + MARKER.format(id=name + "-from", fill=stops[0])
            + f'<path d="M{x1} {y1} {x2} {y2}" class="u-move" stroke="url(#{name})" marker-end="url(#{name}-to)"'
            + (f' marker-start="url(#{name}-from)"' if both else "") + "/>")

    def line(self, x1, y1, x2, y2, kind="line"):
        self.parts.append(f'<path d="M{x1} {y1} {x2} {y2}" class="u-{kind}"/>')

    def dot(self, x, y, radius=4, kind="fault"):
        self.parts.append(f'<circle cx="{x}" cy="{y}" r="{radius}" class="u-{kind}"/>')

    def write(self, folder):
        (folder / f"{self.name}.svg").write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" role="img" '
            f'aria-labelledby="{self.name}-t"><title id="{self.name}-t">{html.escape(self.title)}</title>\n'
            + STYLE + MARKER.format(id=self.name + "-a", fill="context-stroke") + "\n" + "\n".join(self.parts)
            + "\n</svg>\n")


def two_sides(drawing):
    """Host and GPU, each a processor and its memory, and the bus between them."""
    d = drawing
    d.text(20, 24, "host", "t", "u-b")
    d.text(740, 24, "GPU", "t", "u-b u-end")
    d.box(20, 36, 110, 58, "box")
    d.text(75, 70, "CPU", "t", "u-mid")
    d.box(630, 36, 110, 58, "box")
    d.text(685, 63, "kernels", "t", "u-mid")
    d.text(685, 81, "(threads)", "s", "u-mid")
    d.box(20, 140, 260, 120, "host")
    d.text(20, 278, "host memory", "s")
    d.box(480, 140, 260, 120, "gpu")
    d.text(740, 278, "GPU memory", "s", "u-end")
    d.line(280, 270, 480, 270)
    d.line(280, 260, 280, 270)
    d.line(480, 260, 480, 270)
    d.text(380, 286, "the bus (PCIe)", "s", "u-mid")


def explicit(title):
    d = Drawing("explicit", title, 296)
    two_sides(d)
    d.box(40, 178, 150, 48, "box")
    d.text(115, 207, "h_x from malloc", "m", "u-mid")
    d.box(570, 178, 150, 48, "box")
    d.text(645, 207, "d_x, cudaMalloc", "m", "u-mid")
    d.arrow(75, 94, 90, 176, "host-touch", both=True)
    d.arrow(685, 94, 660, 176, "gpu-touch", both=True)
    d.move(192, 200, 566, 200, "host", "gpu")
    d.move(566, 214, 192, 214, "gpu", "host")
    d.text(380, 234, "by cudaMemcpy alone", "s", "u-mid")
    d.arrow(130, 58, 566, 176, "bad")
    d.text(330, 84, "the CPU follows d_x: SIGSEGV", "s")
    return d


def pinned(title):
    d = Drawing("pinned", title, 296)
    two_sides(d)
    d.box(34, 172, 128, 36, "box")
    d.text(98, 195, "pageable", "m", "u-mid")
    d.box(188, 172, 82, 36, "both")
    d.text(229, 195, "buffer", "m", "u-mid")
    d.box(34, 216, 236, 36, "both")
    d.text(152, 239, "pinned: it stays here", "m", "u-mid")
    d.box(590, 172, 130, 80, "box")
    d.text(655, 217, "cudaMalloc", "m", "u-mid")
    d.arrow(162, 190, 186, 190, "line")
    d.move(272, 190, 586, 190, "host", "gpu")
    d.move(272, 234, 586, 234, "host", "gpu")
    d.text(380, 181, "two steps, and the call waits", "s", "u-mid")
    d.text(380, 253, "one step, nobody waits", "s", "u-mid")
    d.arrow(75, 94, 84, 170, "host-touch", both=True)
    d.arrow(685, 94, 665, 170, "gpu-touch", both=True)
    return d


def mapped(title):
    d = Drawing("mapped", title, 296)
    two_sides(d)
    d.box(40, 178, 180, 48, "both")
    d.text(130, 207, "x, mapped pinned", "m", "u-mid")
    d.arrow(75, 94, 100, 176, "host-touch", both=True)
    d.arrow(634, 94, 224, 200, "gpu-touch", both=True)
    d.text(300, 92, "each access crosses the bus,", "s", "u-mid")
    d.text(300, 108, "64 bytes at a time", "s", "u-mid")
    d.text(610, 215, "nothing is kept here", "s", "u-mid")
    return d


def managed(title):
    d = Drawing("managed_kind", title, 296)
    two_sides(d)
    for i in range(4):
        for left, side, here in ((34, "host", i < 2), (494, "gpu", i >= 2)):
            d.box(left + 60 * i, 178, 52, 48, f"at-{side}" if here else "none", 5)
            d.text(left + 26 + 60 * i, 207, f"{i}", "m", "u-mid u-on" if here else "u-mid")
    d.arrow(75, 94, 76, 176, "host-touch", both=True)
    d.arrow(685, 94, 688, 176, "gpu-touch", both=True)
    d.move(276, 212, 488, 212, "host", "gpu", both=True)
    d.text(380, 201, "pages move", "s", "u-mid")
    d.text(380, 106, "a touch of a page that the other side holds:", "s", "u-mid")
    d.text(380, 123, "page fault, the page moves, the program goes on", "s", "u-mid")
    d.text(150, 247, "0 and 1 are here now", "s", "u-mid")
    d.text(610, 247, "2 and 3 are here now", "s", "u-mid")
    return d


def tables(title):
    """One number, two page tables."""
    d = Drawing("page_tables", title, 330)
    d.text(380, 24, "the same number in both: 0x7a000000000c", "m", "u-mid u-b")
    for x, who, kind in ((20, "the host's page table", "host"), (420, "the GPU's page table", "gpu")):
        d.box(x, 60, 320, 178, kind)
        d.text(x + 16, 84, who, "t", "u-b")
    rows = (("heap, stack, code", "read, write", "nothing"), ("pinned 0x7b...", "read, write", "host memory"),
            ("managed 0x7c...", "while it is here", "while it is here"),
            ("device 0x7a...", "no access: ---", "GPU memory"))
    for i, (what, host, gpu) in enumerate(rows):
        y = 112 + 32 * i
        for x, answer in ((20, host), (420, gpu)):
            d.box(x + 12, y - 17, 296, 26, "box" if i < 3 else "none" if x == 20 else "box", 5)
            d.text(x + 22, y, what, "m")
            d.text(x + 300, y, answer, "s", "u-end")
    d.arrow(300, 34, 200, 58, "host-touch")
    d.arrow(460, 34, 560, 58, "gpu-touch")
    d.text(180, 262, "SIGSEGV, SEGV_ACCERR", "m", "u-mid u-b")
    d.text(180, 282, "the address is known, and may not be used", "s", "u-mid")
    d.text(580, 262, "the value", "m", "u-mid u-b")
    d.text(580, 282, "the memory behind it is the GPU's", "s", "u-mid")
    d.text(380, 316, "reserved on the host, so that malloc and mmap never give this number to anything else", "s",
           "u-mid")
    return d


def simulator(title):
    d = Drawing("simulator", title, 380)
    d.box(20, 20, 300, 250, "host")
    d.text(36, 44, "host process: your program", "t", "u-b")
    d.box(440, 20, 300, 250, "gpu")
    d.text(456, 44, "GPU process: kernels run here", "t", "u-b")
    names = (("heap, stack, globals", "yes", "closed"), ("device arena", "closed", "yes"),
             ("pinned arena", "yes", "yes"), ("managed arena", "pages it holds", "pages it holds"))
    for i, (name, host, gpu) in enumerate(names):
        y = 64 + 50 * i
        for x, answer in ((36, host), (456, gpu)):
            d.box(x, y, 268, 40, "none" if answer == "closed" else "box", 5)
            d.text(x + 12, y + 25, name, "m")
            d.text(x + 256, y + 25, answer, "s", "u-end")
    for i in range(1, 4):
        d.line(304, 84 + 50 * i, 456, 84 + 50 * i)
    d.text(380, 125, "same addresses,", "s", "u-mid")
    d.text(380, 176, "same memory,", "s", "u-mid")
    d.text(380, 226, "own protections", "s", "u-mid")
    d.box(20, 300, 720, 60, "both")
    d.text(36, 325, "the state", "t", "u-b")
    d.text(36, 346, "which page is where (sim/uvm), what it costs (sim/model), what was counted", "s")
    d.arrow(170, 270, 170, 298, "line", both=True)
    d.arrow(590, 270, 590, 298, "line", both=True)
    return d


def runs(d, y, pages, there, before, height=22, left=160, width=580):
    """A bar of a block: what was there, what this step brought."""
    d.box(left, y, width, height, "empty", 3)
    for first, outer in there:
        d.box(left + first * width / pages, y, (outer - first) * width / pages, height, "new", 3)
    for first, outer in before:
        d.box(left + first * width / pages, y, (outer - first) * width / pages, height, "old", 3)


def size(pages):
    kib = pages * 4
    return f"{kib // 1024} MiB" if kib >= 1024 else f"{kib} KiB"


def bars(d, example, y):
    """A row for each fault of an example: the page touched, and what was brought."""
    before = []
    for number, step in enumerate(example["steps"], 1):
        brought = sum(b - a for a, b in step["there"]) - sum(b - a for a, b in before)
        d.text(20, y + 16, f"fault {number}", "t")
        runs(d, y, example["pages"], step["there"], before)
        x = 160 + (step["page"] + .5) * 580 / example["pages"]
        d.dot(x, y - 7)
        d.text(150, y + 16, "+" + size(brought), "s", "u-end")
        before = step["there"]
        y += 42
    return y


def tree(title, example):
    """The walk over a block: a tree over its 64 KiB pieces, coloured by the fault that completed each branch."""
    d = Drawing("tree", title, 566)
    pages, left, width = example["pages"], 160, 580
    steps = [step["there"] for step in example["steps"]]

    def completed_by(span):
        """The fault after which the first `span` pages are all that is there; 0: none."""
        return next((number for number, there in enumerate(steps, 1) if there == [[0, span]]), 0)

    span, y = pages, 40
    while span >= 16:
        d.text(20, y + 5, f"{size(span)}", "s")
        for first in range(0, pages, span):
            x = left + (first + span / 2) * width / pages
            if span > 16:
                for child in (first + span / 4, first + span * 3 / 4):
                    d.line(x, y, left + child * width / pages, y + 42)
        for first in range(0, pages, span):
            x = left + (first + span / 2) * width / pages
            number = completed_by(span) if first == 0 else 0
            d.box(x - 9, y - 9, 18, 18, "new" if number else "old", 9)
            if number:
                d.parts.append(f'<text x="{x}" y="{y + 4.5}" class="u-s u-mid u-b" '
                               f'style="fill:var(--paper,#fff)">{number}</text>')
        span //= 2
        y += 42
    d.text(20, y + 2, "the walk, fault by fault: the dot is the page touched, filled is what that fault brought", "s")
    bars(d, example, y + 30)
    return d


def small(name, title, example):
    d = Drawing(name, title, 20 + 42 * len(example["steps"]))
    bars(d, example, 24)
    return d


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tree", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    answers = json.loads(subprocess.run([args.tree], check=True, capture_output=True, text=True).stdout)
    drawings = [
        explicit("Explicit copies: two arrays, and bytes move when cudaMemcpy says so. The host cannot follow d_x."),
        pinned("Pinned memory: pageable memory takes a detour through a buffer of the driver's, pinned memory does "
               "not."),
        mapped("Mapped zero-copy: one array in the host's memory. The kernel follows its address across the bus."),
        managed("Managed memory: one address, and pages that move to whoever touches them."),
        tables("One number, two page tables: the host's knows the address and forbids it, the GPU's has memory there."),
        simulator("The simulator: two processes with the same memory at the same addresses, and protections of their "
                  "own."),
        tree("A walk through 2 MiB takes six faults. A node with a number is a branch that this fault completed. "
             "Drawn from the answers of the simulator's own paging policy.", answers["walk"]),
        small("half", "Half is not enough: with pieces 0 and 2 there, 128 of 256 KiB are no more than 51%. The touch "
              "of piece 1 makes it 192, and the rest of the 256 KiB comes along.", answers["half"]),
        small("sparse", "One page in each 512 KiB: each fault brings its 64 KiB and nothing more.", answers["sparse"]),
    ]
    for drawing in drawings:
        drawing.write(args.out)


if __name__ == "__main__":
    main()
