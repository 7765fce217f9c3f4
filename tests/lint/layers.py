#!/usr/bin/env python3
"""The layers of sim/ call downwards only, and no file includes itself by way of others.

    tests/lint/layers.py [--build build/sim]                    fails on a call or an include upwards, and on a cycle
    tests/lint/layers.py --draw build/layers.svg                draws the layers and the arrows between them (Graphviz)
    tests/lint/layers.py --root DIR --build DIR --order "a b"   measures another tree: lowest layer first

The order is written once, in docs/architecture.md (the table behind the line `layers:`, highest first); behind it stand
the hooks, the few ways upwards that are left: functions that a lower layer calls because a higher one has registered
them. Symbols are read from the objects by nm: who defines a name, and who needs it. Prints one line for each breach,
last what was looked at. Exit 1: a breach; 2: nothing to look at.
"""
import argparse
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

HOOKS_MOST = 6
ROW = re.compile(r"^\| `(\w+)/` \|")
HOOK = re.compile(r"^\| `(\w+)/` → `(\w+)/` \| `(\w+)")
WRAPPED = re.compile(r"^(?:(?:CALL|BY_HAND|OTHER)\((\w+)|CALL_BY\(\w+, (\w+))", re.M)


class Breach(Exception):
    """The tree cannot be looked at: one line says why."""


# ---- what is written ----

def written(root):
    """@return (layers, lowest first; hooks: (from, to, name)) of docs/architecture.md"""
    if not (root / "docs/architecture.md").is_file():
        raise Breach(f"{root}/docs/architecture.md is not there: it has the order of the layers")
    lines = (root / "docs/architecture.md").read_text(encoding="utf-8").splitlines()
    start = next((i for i, line in enumerate(lines) if line == "<!-- layers: -->"), None)
    if start is None:
        raise Breach("docs/architecture.md has no line `<!-- layers: -->`")
    end = next(i for i, line in enumerate(lines[start:], start) if line == "<!-- layers end -->")
    rows = lines[start:end]
    return ([m[1] for m in map(ROW.match, rows) if m][::-1], [m.groups() for m in map(HOOK.match, rows) if m])


# ---- what is there ----

def includes(root):
    """@return {file: {files that it includes}}, of sim/"""
    graph = {}
    for path in sorted(p for p in (root / "sim").rglob("*") if p.suffix in (".c", ".h", ".cu", ".cuh") or p.parent.name
                       in ("cuda", "std", "detail", "thrust", "cub")):
        if not path.is_file() or path.is_symlink():
            continue
        found = set()
        text = path.read_text(errors="replace")
        for quoted, angled in re.findall(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)', text, re.M):
            places = [root / "sim/include" / (quoted or angled)] + ([path.parent / quoted] if quoted else [])
            found |= {str(p.resolve().relative_to(root.resolve())) for p in places[::-1] if p.is_file()}
        graph[str(path.relative_to(root))] = found
    return graph


def c_library(root):
    """The names of the C library that sim/fault wraps for programs. Whoever calls read() means the C library's."""
    table = root / "sim/fault/call_table.h"
    if not table.is_file():
        return set()
    return {one or other for one, other in WRAPPED.findall(table.read_text(encoding="utf-8"))}


def symbols(build, order, build_root):
    """@return {(object that needs, object that defines): {names}}; objects as sim/layer/name.c"""
    defined, needed, theirs = {}, {}, c_library(build_root)
    for path in sorted((build / "obj/sim").rglob("*.o")):
        name = str(path.relative_to(build / "obj").with_suffix(".c"))
        if name.split("/")[1] not in order or not (build_root / name).is_file():  # what a rename left behind
            continue
        needed[name] = set()
        listed = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout
        for words in map(str.split, listed.splitlines()):
            if words[0] == "U":
                needed[name].add(words[1])
            elif len(words) == 3 and words[1] in "TDBRVWCSu" and words[2] not in theirs:
                defined.setdefault(words[2], name)
    graph = defaultdict(set)
    for name, wants in needed.items():
        for symbol in wants:
            if defined.get(symbol, name) != name:
                graph[name, defined[symbol]].add(symbol)
    return graph


def cycles(graph):
    """Files that include each other: strongly connected sets of more than one (Tarjan)."""
    found, numbers, low, stack, on = [], {}, {}, [], set()

    def visit(node):
        numbers[node] = low[node] = len(numbers)
        stack.append(node)
        on.add(node)
        for other in graph.get(node, ()):
            if other not in numbers:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in on:
                low[node] = min(low[node], numbers[other])
        if low[node] == numbers[node]:
            group = []
            while not group or group[-1] != node:
                group.append(stack.pop())
                on.discard(group[-1])
            if len(group) > 1:
                found.append(sorted(group))

    sys.setrecursionlimit(10000)
    for node in sorted(graph):
        if node not in numbers:
            visit(node)
    return found


def layer(path):
    return path.split("/")[1]


def is_upwards(order, lower, upper):
    """Headers of include/ are everybody's; what is in no layer (umcc, blas, client) must not be needed by one."""
    if "include" in (layer(lower), layer(upper)) or layer(lower) not in order:
        return False
    return layer(upper) not in order or order.index(layer(lower)) < order.index(layer(upper))


# ---- what is told ----

def draw(order, arrows, hooks, path):
    """Layers from the highest to the lowest; an arrow is as wide as it has names; upwards ones are red."""
    text = ['digraph layers {', 'rankdir=TB; nodesep=0.35; ranksep=0.28; splines=true; fontname="sans-serif";',
            'node [shape=box, style="filled,rounded", fillcolor="#eef3f8", color="#5b7083", fontname="sans-serif"];',
            'edge [color="#8fa3b5", arrowsize=0.6, fontname="sans-serif", fontsize=9];']
    text += [f'{a} -> {b} [style=invis, weight=100];' for a, b in zip(order[::-1], order[::-1][1:])]
    for (a, b), names in sorted(arrows.items()):
        up = order.index(a) < order.index(b)
        look = 'color="#c0392b", fontcolor="#c0392b", constraint=false' if up else 'constraint=false'
        text.append(f'{a} -> {b} [label="{names}", penwidth={min(4, 0.5 + names / 25):.1f}, {look}];')
    text += [f'{a} -> {b} [style=dashed, color="#c0392b", constraint=false, label="{name}", fontcolor="#c0392b"];'
             for a, b, name in hooks]
    dot = "\n".join([*text, "}"])
    path.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["dot", f"-T{path.suffix[1:]}", "-o", path], input=dot, text=True, check=True)


def look(options):
    order, hooks = (options.order.split(), []) if options.order else written(options.root)
    breaches, counts = [], defaultdict(int)
    include_graph, symbol_graph = includes(options.root), symbols(options.build, order, options.root)
    if not symbol_graph:
        raise Breach(f"{options.build}/obj/sim holds no objects: make all first")
    # What was not compiled, or stands in a folder that is no layer, would go unseen.
    seen = {name for pair in symbol_graph for name in pair}
    others = ("umcc", "cublas", "cublasLt", "cusparse", "nvml", "library", "client", "cufft", "curand", "nvrtc",
              "nvvm", "python", "include")
    for path in (p for p in include_graph if p.endswith(".c") and layer(p) not in others):
        if layer(path) not in order:
            breaches.append(f"{path} stands in no layer")
        elif path not in seen and not (options.build / "obj" / path).with_suffix(".o").is_file():
            breaches.append(f"{path} has no object in {options.build}: make all first")
    for path, others in include_graph.items():
        breaches += [f"{path} includes {other}" for other in sorted(others) if is_upwards(order, path, other)]
    upwards = 0
    for (a, b), names in sorted(symbol_graph.items()):
        if layer(a) != layer(b):
            counts[layer(a), layer(b)] += len(names)
        if is_upwards(order, a, b):
            upwards += len(names)
            breaches.append(f"{a} calls {b}: {', '.join(sorted(names))}")
    found = cycles(include_graph)
    breaches += [f"cycle of includes: {' '.join(group)}" for group in found]
    defined = {name for names in symbol_graph.values() for name in names}
    breaches += [f"docs/architecture.md names a hook that nobody uses: {name}" for _, _, name in hooks
                 if name.startswith("umsim_") and name not in defined]
    if len(hooks) > HOOKS_MOST:
        breaches.append(f"{len(hooks)} hooks, at most {HOOKS_MOST}")
    if options.draw:
        draw(order, counts, hooks, options.draw)
    print(*breaches, sep="\n", end="\n" if breaches else "")
    print(f"layers: {len(order)}, {len(include_graph)} files, {len(counts)} arrows between layers; "
          f"{upwards} names upwards, {len(hooks)} hooks, {len(found)} cycles of includes")
    return 1 if breaches else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument("--build", type=Path, default=Path("build/sim"))
    parser.add_argument("--order", help="layers, lowest first, instead of docs/architecture.md's")
    parser.add_argument("--draw", type=Path, help="a picture: .svg, .png or .pdf")
    try:
        return look(parser.parse_args())
    except (Breach, OSError, subprocess.SubprocessError) as error:
        print(f"layers: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
