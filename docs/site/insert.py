"""What the build knows, put into pages in place of `<!-- insert: KIND ... -->` (stage.py). One function a kind."""
import html
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SAYS_LITTLE = 50  # letters of a sentence that is no use on a card


class Missing(Exception):
    """What was to be inserted is not there."""


class Context:
    """Where things are: the repository, the build folder, its simulator's programs."""

    def __init__(self, root, build):
        self.root, self.build, self.programs = root, build, build / "sim"
        self.made = build / "docs"
        self.outputs = {}

    def run(self, name, *words, may=(0,)):
        """What a program of the build prints, stderr in its place among it. An end that is not in `may` is an error."""
        if (name, words) not in self.outputs:
            env = {key: value for key, value in os.environ.items() if not key.startswith("UMSIM_")}
            done = subprocess.run([self.programs / name, *words], env=env, stdin=subprocess.DEVNULL, timeout=60,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            if done.returncode not in may:
                raise Missing(f"{name} ended with {done.returncode}: {done.stdout[-300:]}")
            self.outputs[name, words] = done.stdout
        return self.outputs[name, words]


def raw(text):
    """HTML that Doxygen is to leave alone."""
    return f"\n@htmlonly[block]\n{text}\n@endhtmlonly\n"


def listing(text):
    """Plain text as a block of code. An empty line inside is nothing to Markdown, so it goes as HTML."""
    return raw(f'<pre class="fragment">{html.escape(text.strip(chr(10)))}</pre>')


def folded(title, body):
    return raw(f'<details class="more"><summary>{html.escape(title)}</summary>') + body + raw("</details>")


def put_output(context, _page, name, *words):
    """What a program prints here, now."""
    return listing(context.run(name, *words))


def put_part(context, _page, name, first, last, *words):
    """The lines of a program's output from the one with `first` to the one with `last` (_ stands for a blank)."""
    text = context.run(name, *words)
    found = re.search(rf"^[^\n]*{re.escape(first.replace('_', ' '))}.*?{re.escape(last.replace('_', ' '))}[^\n]*$",
                      text, re.M | re.S)
    if not found:
        raise Missing(f"{name} prints nothing from '{first}' to '{last}'")
    return listing(found[0])


def put_lines(context, _page, file, first, last):
    """Lines of a kept file, such as what was measured on hardware: from one with `first` to one with `last`."""
    text = (context.root / file).read_text()
    found = re.search(rf"^[^\n]*{re.escape(first.replace('_', ' '))}.*?{re.escape(last.replace('_', ' '))}[^\n]*$",
                      text, re.M | re.S)
    if not found:
        raise Missing(f"{file} has nothing from '{first}' to '{last}'")
    return listing(found[0])


def put_article(context, _page, name):
    """A program of tests/python/articles: what it prints, and its source. A test runs it."""
    folder = context.root / "tests/python/articles"
    printed = dict(part.split("\n", 1) for part in (folder / "h200.txt").read_text().split("\n== ")[1:])
    if name not in printed:
        raise Missing(f"nothing kept of what {name} prints")
    return (f"\n`{name}.py` prints:\n" + listing(printed[name])
            + folded(f"{name}.py", listing((folder / f"{name}.py").read_text())))


def columns(text):
    """Rows of a table that a program has printed: a dict each, by its heads. A column begins where its head does."""
    head, *lines = text.splitlines()
    heads = [(found[0], found.start()) for found in re.finditer(r"\S+", head)]
    ends = [start for _, start in heads[1:]] + [None]
    return [{name: line[start:end].strip() for (name, start), end in zip(heads, ends)} for line in lines]


def put_comparisons(context, _page, file):
    """What bench/paths.py said of a run: each work once, with all that it is compared with. Narrow enough for a phone:
    what says more about a cell stands small below it."""
    def cell(text, more="", tag="td", span=1):
        rows = f' rowspan="{span}"' if span > 1 else ""
        small = f"<small>{html.escape(more)}</small>" if more else ""
        return f"<{tag}{rows}>{html.escape(text)}{small}</{tag}>"

    works = {}
    for row in columns((context.root / file).read_text()):
        works.setdefault(row["work"], []).append(row)
    lines = []
    for work, rows in works.items():
        name, details = re.fullmatch(r"(.*?(?:, worst)?),? ((?<=worst )of .*|[\d.]+ \w+\b.*)", work).groups()
        parts = [cell(name, details, "th", len(rows)) + cell(rows[0]["ours"].removesuffix(" GB/s"), span=len(rows))]
        for part, row in zip(parts + [""] * (len(rows) - 1), rows):
            peer, _, peer_name = row["peer"].partition(" GB/s")
            wanted = {"yes": "met", "NO": "missed"}.get(row["ok"])
            wanted = f"{row['target'].replace('>=', '≥')}: {wanted}" if wanted else ""
            lines.append(f"<tr>{part}{cell(peer, peer_name.strip())}{cell(row['ratio'], wanted)}</tr>")
    if not lines:
        raise Missing(f"{file} compares nothing")
    head = "".join(f"<th>{word}</th>" for word in ("path", "GB/s", "beside it, GB/s", "ratio"))
    return raw(f'<table class="doxtable comparisons"><thead><tr>{head}</tr></thead><tbody>{"".join(lines)}</tbody>'
               '</table>')


def put_snippet(context, _page, file, name):
    """A marked part of a source that the build compiles and a test runs."""
    if f"[{name}]" not in (context.root / file).read_text():
        raise Missing(f"no [{name}] in {file}")
    return f"\n@snippet {file} {name}\n"


def put_function(context, _page, file, name):
    """One function of a C file, with the comment before it."""
    text = (context.root / file).read_text()
    found = re.search(rf"^(?:/\*[^\n]*\*/\n)?[a-z][^\n;]*\b{name}\([^;{{}}]*\)\n\{{.*?^\}}$", text, re.M | re.S)
    if not found:
        raise Missing(f"no function {name} in {file}")
    return f"\n```{{.c}}\n{found[0]}\n```\n"


def put_svg(context, _page, name, *options):
    """A diagram, inline, so that it takes its colours from the page."""
    text = (context.made / "diagrams" / f"{name}.svg").read_text()
    title = re.search(r"<title[^>]*>(.*?)</title>", text, re.S)
    caption = f"<figcaption>{title[1].strip()}</figcaption>" if title else ""
    shape = " wide" if "wide" in options else ""
    return raw(f'<figure class="diagram{shape}">{text.strip()}{caption}</figure>')


def put_playground(context, page, scenario, figure="tree"):
    """The playground with a program, as its address has it; on other pages than its own, that one case. Without
    JavaScript, and where its module could not be made, a figure stands there."""
    drawn = (context.made / "diagrams" / f"{figure}.svg").read_text().strip()
    embedded = "" if page.id == "playground" else " data-embedded"
    program = html.escape(scenario.replace("+", " "))
    scripts = "".join(f'<script src="{name}.js" defer></script>'
                      for name in ("play", "machine", "drawing", "playground"))
    return raw('<link rel="stylesheet" href="playground.css">'
               f'<div class="playground" data-scenario="{program}"{embedded}><figure class="diagram wide">{drawn}'
               "<figcaption>What the host's walk over 2 MiB brings, fault by fault. With JavaScript you can play with "
               f"it here.</figcaption></figure></div>{scripts}")


WAYS = (("I am a student", "Ten labs: predict, run, explain. Nothing is graded by a clock.", "i-am-a-student"),
        ("I teach", "From a fresh clone to a graded class in an afternoon.", "i-teach"),
        ("I want to run my .cu without a GPU", "A compiler, a simulated H200, and a checker that explains.",
         "i-want-to-run-my-cu-without-a-gpu"))


def put_ways(_context, page):
    """The start page's three ways in: places further down."""
    return raw('<div class="cards ways">' + "".join(
        f'<a href="#{page.id}-{place}"><b>{title}</b><span>{words}</span></a>'
        for title, words, place in WAYS) + "</div>")


def put_moving_picture(context, _page):
    """The page under the host's cursor faults and moves: docs/site/moving_picture.svg, whose style holds still for
    those who want that."""
    return raw(f'<figure class="diagram moving">{(context.root / "docs/site/moving_picture.svg").read_text().strip()}'
               '<figcaption>The host touches a page that the GPU holds: a fault, and the driver brings it. '
               '<a href="playground.html">Play with it</a></figcaption></figure>')


def put_cards(context, page, *names):
    """Links with a line each: pages of the site, by id. The line is the page's first sentence."""
    cards = []
    files = {number: file for file, number in page.ids.items()}
    for name in names:
        text = (context.root / files[name]).read_text()
        title, body = re.match(r"#+ ([^\n]*?)(?: \{#[^\n]*\})?\n+(.*)", text, re.S).groups()
        first = said_first(body)
        cards.append(f'<a href="{name}.html"><b>{html.escape(title)}</b><span>{html.escape(first)}</span></a>')
    return raw(f'<div class="cards">{"".join(cards)}</div>')


def said_first(body):
    """A text's first sentence, and the second where that says little ("cudaMalloc returns a number.")."""
    sentences = re.split(r"(?<=[.?])\s", " ".join(body.split("\n\n")[0].split()))
    first = sentences[0] if len(sentences[0]) >= SAYS_LITTLE else " ".join(sentences[:2])
    return re.sub(r"[`*]|\]\([^)]*\)|\[", "", first)


def put_lab_cards(context, page):
    """Cards of all labs that have a page."""
    labs = [name for name in page.ids.values() if re.fullmatch(r"lab\d+", name)]
    return put_cards(context, page, *sorted(labs, key=lambda name: int(name[3:])))


def brief(path):
    """What a header says that it is for, in its first sentence or two; None when it does not say."""
    text = path.read_text()
    found = (re.search(r"@brief (.*?)(?:\n \*\n|\n \*/|\*/)", text[:3000], re.S)
             or re.match(r"/\*(?:\n \*)? [a-z0-9_]+\.h: (.*?)(?:\n \*\n|\n \*/|\*/)", text, re.S))
    if not found:
        return None
    sentences = re.split(r"(?<=\.) ", " ".join(found[1].replace("\n *", " ").split()))
    return re.sub(r"__\w+__", r"`\g<0>`", sentences[0].rstrip("."))


def put_contracts(context, _page):
    """Links to the contracts of all labs' exercises."""
    rows = [f"| [{path.parent.name}](@ref {path.relative_to(context.root).as_posix()}) | {brief(path)} |"
            for path in sorted(context.root.glob("labs/lab*/exercise.h"))]
    return "\n| lab | the exercise |\n|---|---|\n" + "\n".join(rows) + "\n"


def put_claims(context, _page):
    """What is said about GPU pointers, with verdicts and evidence: docs/claims."""
    sys.path.append(str(context.root / "docs" / "claims"))
    return importlib.import_module("claims_page").body()


def put_systems(context, _page, part):
    """What Python's libraries make of one pointer: tests/interop, as it is kept."""
    sys.path.append(str(context.root / "tests" / "interop"))
    kept = importlib.import_module("kept")
    text = "\n" + getattr(kept, part)(kept.load()) + "\n"
    return folded("Each cell, in its own words", text) if part == "details" else text


def put_headers(context, _page, *places):
    """A table of headers: of all in a folder, or of those named."""
    rows = []
    for place in places:
        named = context.root / place
        for path in sorted(named.glob("*.h")) if named.is_dir() else [named]:
            text = brief(path)
            if text:
                name = path.relative_to(context.root).as_posix()
                rows.append(f"| [{path.name}](@ref {name}) | {text.replace('|', ' ')} |")
    return "\n| header | what it is for |\n|---|---|\n" + "\n".join(rows) + "\n"


API_TITLES = {
    "device.c": "Device, versions, profiler", "error.c": "Errors", "memory.c": "Device memory", "copy.c": "Copies",
    "copy3d.c": "Copies in three dimensions", "array.c": "Arrays",
    "array_copy.c": "Copies to and from arrays", "texture.c": "Texture and surface objects",
    "host.c": "Pinned and registered memory", "managed.c": "Managed memory", "pool.c": "Stream-ordered allocation",
    "pool_access.c": "Devices that reach pools", "peer.c": "Peers",
    "pointer.c": "Pointers", "stream.c": "Streams", "host_function.c": "Host functions", "event.c": "Events",
    "launch.c": "Launches",
    "launch_ex.c": "Launches with attributes", "function.c": "Kernels' handles", "occupancy.c": "Occupancy",
    "stream_attributes.c": "Attributes of streams and kernels", "capture.c": "Stream capture", "graph.c": "Graphs",
    "graph_nodes.c": "Nodes of graphs", "graph_edges.c": "Nodes and their order", "graph_params.c": "What nodes do",
    "graph_change.c": "Changes of what nodes do", "graph_kernel.c": "What kernel nodes launch",
    "graph_memory.c": "Memory of graphs", "graph_condition.c": "Conditions in graphs",
    "graph_objects.c": "Objects that graphs keep", "graph_exec.c": "Ready graphs",
    "graph_update.c": "Changes of ready graphs", "graph_launch.c": "Launches of graphs",
    "graph_dot.c": "Pictures of graphs", "ipc.c": "Memory of other processes",
    "../driver/entry.c": "The driver's functions"}


def put_coverage(context, _page):
    """The CUDA functions that are provided: names from API.list, which the parity test holds to NVIDIA's headers; where
    each is defined, from sim/api; how many of its answers were compared with hardware's."""
    names = (context.root / "sim/include/API.list").read_text().split()
    behaviours = json.loads((context.root / "tests/conformance/measured/h200.json").read_text())["behaviours"]
    chapters, seen = [], set()
    titles = {**{path.name: path.stem for path in sorted((context.root / "sim/api").glob("*.c"))}, **API_TITLES}
    for file in sorted(titles, key=lambda each: (each not in API_TITLES, list(titles).index(each))):
        title = titles[file]
        path = Path(os.path.normpath(f"sim/api/{file}"))
        source = (context.root / path).read_text()
        defined = re.findall(r"^(?:\w[\w ]* \*?)(cuda[A-Z]\w*)\(", source, re.M)
        mine = [name for name in names if name in defined]
        if not mine:
            continue
        seen.update(mine)
        rows = [f"| `{name}` | {sum(1 for key in behaviours if re.search(rf'{name}(?![A-Za-z0-9])', key)) or ''} |"
                for name in mine]
        chapters.append(f"\n### {title} {{#coverage-{path.stem}}}\n\n`{path}`\n\n| function | answers compared "
                        "|\n"
                        "|---|--:|\n" + "\n".join(rows) + "\n")
    lost = sorted(set(names) - seen)
    if lost:
        raise Missing(f"in API.list, but not defined in sim/api: {', '.join(lost)}")
    return (f"{len(names)} functions of the CUDA Runtime API are provided. {len(behaviours)} answers of a real H200 "
            "are kept, and `make conformance` compares each with the simulator's.\n" + "".join(chapters))


DRIVER_TITLES = {"device": "Start, errors, devices, contexts",
                 "memory": "Memory, copies, fills, arrays, pools, pointers", "stream": "Streams and events",
                 "graph": "Graphs and captures", "texture": "Textures and surfaces",
                 "execution": "Modules, libraries, functions, launches"}


def put_driver_coverage(context, _page):
    """The same for the driver API: what cuda.h declares, less what unsupported.def has."""
    missing = set(re.findall(r"^MISSING\((\w+)\)", (context.root / "sim/driver/unsupported.def").read_text(), re.M))
    record = context.root / "tests/driver/measured/h200.txt"
    asked = record.read_text().splitlines() if record.is_file() else []
    symbols = (context.root / "sim/include/umsim/cu_names.h").read_text()
    chapters, count = [], 0
    for part, title in DRIVER_TITLES.items():
        header = (context.root / f"sim/include/umsim/cu_{part}.h").read_text()
        rows = []
        for name in re.findall(r"^CUresult (cu\w+)\(", header, re.M):
            symbol = re.search(rf"^#define {name} (?:UMSIM_CU_PTD?S?Z?\()?(\w+)", symbols, re.M)
            if (symbol.group(1) if symbol else name) in missing:
                continue
            compared = sum(1 for line in asked if re.search(rf"{name}(?![A-Za-z0-9])", line.partition("\t")[0]))
            rows.append(f"| `{name}` | {compared or ''} |")
        count += len(rows)
        chapters.append(f"\n### {title} {{#coverage-driver-{part}}}\n\n| function | answers compared |\n|---|--:|\n"
                        + "\n".join(rows) + "\n")
    return (f"{count} functions of the CUDA Driver API are provided; {len(missing)} further symbols of NVIDIA's "
            "library answer CUDA_ERROR_NOT_SUPPORTED.\n" + "".join(chapters))


def put_missing(context, _page):
    """What NVIDIA's headers declare and ours do not: tests/parity/missing.txt, which missing.py holds to both."""
    parts, count = [], 0
    for chapter in (context.root / "tests/parity/missing.txt").read_text().split("\n\n")[1:]:
        name, _, names = chapter.partition(":\n")
        names = names.split()
        count += len(names)
        if names:
            kind = "header" if name.endswith(".h") else "namespace"
            parts.append(folded(f"{kind} {name}: {len(names)} names", " ".join(f"`{word}`" for word in names) + "\n"))
    if not count:
        raise Missing("tests/parity/missing.txt has no names")
    return f"{count} names are not provided:\n" + "".join(parts)


def put_brought(context, _page):
    """What headers do not bring: tests/parity/brought.txt, which brings.py holds to both sides."""
    sys.path.append(str(context.root / "tests" / "parity"))
    brought = importlib.import_module("brought")
    parts = []
    for headers, languages, found in brought.chapters(context.root / "tests/parity/brought.txt"):
        names = [brought.name_of(space, word) for space, words in found.items() for word in words]
        title = f"{headers[0]}{f' and {len(headers) - 1} more' if headers[1:] else ''}, as {' and '.join(languages)}"
        parts.append(folded(f"{title}: {len(names)} names",
                            (" ".join(f"`{h}`" for h in headers) + " without: " if headers[1:] else "") +
                            " ".join(f"`{name}`" for name in names) + "\n"))
    return "".join(parts) or "Nothing.\n"


UNDEFINED_CHAPTERS = (
    ("Shifts", r"<<|>>"),
    ("Integers: division, overflow", r"^-?\w*(?: -?\d+)? ?[/%] |^(?:2\^40|s8 7|u16 7|INT_|LLONG_|-INT_|abs)"),
    ("Conversions", r"^\(|__(?:float|double)2|^bool"),
    ("Floating-point numbers, intrinsic functions", ""),
)


def put_undefined(context, _page):
    """Each row of tests/conformance/undefined.def: what an H200 answered, and what the simulator answers now."""
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as behaviours:
        subprocess.run([context.programs / "test/conformance"], cwd=context.root, check=False, timeout=300,
                       env=dict(os.environ, UMLAB_BEHAVIOURS=behaviours.name), capture_output=True)
        answers = {row["name"]: row for row in map(json.loads, Path(behaviours.name).read_text().splitlines())}
    kinds = (", operands from memory", ", constant operands")
    names = [name.removesuffix(kinds[0]) for name in answers if name.endswith(kinds[0])]
    accesses = [name for name in answers if name.startswith("misaligned: ")]
    if not names or not accesses:
        raise Missing("test/conformance has no rows of undefined operations")
    chapters = {title: [] for title, _ in UNDEFINED_CHAPTERS}
    for name in names:
        rows = [answers[name + kind] for kind in kinds]
        title = next(title for title, pattern in UNDEFINED_CHAPTERS if re.search(pattern, name))
        why = "; ".join(dict.fromkeys(row["why"] for row in rows if "why" in row))
        chapters[title].append([name, *(row["expected"] for row in rows), *(row["got"] for row in rows), why])
    heads = ["operation", "H200, at run time", "H200, constants", "here, at run time", "here, constants", "why"]
    parts = [folded(f"{title}: {len(rows)} rows", undefined_table(heads, rows)) for title, rows in chapters.items()]
    rows = [[name.removeprefix("misaligned: "), answers[name]["expected"], answers[name]["got"],
             answers[name].get("why", "")] for name in accesses]
    parts.append(folded(f"Misaligned accesses: {len(rows)} rows",
                        undefined_table(["access", "H200", "here", "why"], rows)))
    count = 2 * len(names) + len(accesses)
    differ = sum("why" in row for row in answers.values())
    return f"Of {count} answers {differ} differ; each says why.\n" + "".join(parts)


def undefined_table(heads, rows):
    def line(cells, tag):
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    return raw(f'<table class="doxtable"><thead>{line(heads, "th")}</thead>'
               f'<tbody>{"".join(line(row, "td") for row in rows)}</tbody></table>')


def put_fidelity(context, _page):
    """The table of `make fidelity` by chapter, from the page that it wrote."""
    path = context.build / "fidelity/fidelity.md"
    text = path.read_text()
    found = re.search(r"^\| chapter .*?(?=\n\n)", text, re.M | re.S)
    if not found:
        raise Missing(f"no table by chapter in {path}")
    return found[0]


def put_fidelity_sum(context, _page):
    """The first line of what `make fidelity` found."""
    found = re.search(r"^What `make fidelity`.*$", (context.build / "fidelity/fidelity.md").read_text(), re.M)
    if not found:
        raise Missing("no sum in fidelity.md")
    return found[0]


def is_lab(page):
    return re.fullmatch(r"lab\d+", page.id) is not None


# What a lab needs beside its name.
NEEDED = {"lab10": " PROFILE=h200-nvlink2"}


def before(context, page):
    """What stands before the first heading of a lab's page: its figure."""
    path = context.made / "figures" / f"{page.id}.svg"
    if not is_lab(page) or not path.is_file():  # a lab without times has none
        return ""
    figure = path.read_text()
    told = re.search(r"<desc>(.*?)</desc>", figure, re.S)  # what to look for
    points = re.search(r'viewBox="0 0 ([\d.]+) ', figure)[1]
    return raw(f'<figure class="diagram wide plotted" style="--points: {points}">'
               f'{figure[figure.index("<svg"):]}<figcaption>'
               f"{told[1] + ' ' if told else ''}(<code>make {page.id}{NEEDED.get(page.id, '')}</code> on the "
               "simulator.)</figcaption></figure>")


# Labs whose page shows a case of the playground.
PLAYED = {"lab5": "array+16M;host+write+walk;gpu+write+walk;gpu+write+walk;host+read+walk",
          "lab6": "array+16M;host+write+walk;advise+read-mostly;gpu+read+walk;host+read+walk;host+write+byte+0",
          "lab10": "profile+h200-nvlink2;array+16M;host+write+walk;gpu+write+walk;gpu1+write+walk;gpu+read+walk;"
                   "host+read+walk"}


def after(context, page):
    """What follows a lab's own text: the playground, its program and what that prints."""
    if not is_lab(page):
        return ""
    folder = page.path.parent
    parts = []
    if page.id in PLAYED:
        parts += [f"\n## Play with it {{#{page.id}-play}}\n\nThe same rules, page by page. Guess first, then run it.\n",
                  put_playground(context, page, PLAYED[page.id])]
    parts.append("\n## The program and what it prints {#" + page.id + "-the-program}\n")
    parts.append(folded(f"make {page.id}, on the simulator", listing(context.run(page.id, may=(0, 2)))))
    parts.append(folded(f"{page.id}.c", f"\n@include {folder.relative_to(context.root)}/{page.id}.c\n"))
    if (folder / "exercise.h").is_file():
        parts.append(f"\nThe exercise's contract: [exercise.h](@ref {folder.relative_to(context.root)}/exercise.h).\n")
    return "".join(parts)
