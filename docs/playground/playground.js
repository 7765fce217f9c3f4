/* playground.js: the playground on a page. <div class="playground" data-scenario="array 4M;host write walk"> has a
 * figure in it, which stays where there is no JavaScript or no module; else it gives way to what is built here. With
 * data-embedded it shows one case and leads to the page that can change it. The page itself keeps its program in its
 * address, #play=..., so that a link leads to a case (`;` for a new line, `+` for a blank). */
"use strict";
(function () {
    const {HOST, GPU, GPU_1, apply} = umlabMachine, MARK = "#play=";
    const PLAY_MS = 2400; /* what a step's events take to be seen */
    const STEPS = [
        ["Host writes all", "host write walk"], ["Host reads all", "host read walk"],
        ["GPU writes all", "gpu write walk"], ["GPU reads all", "gpu read walk"],
        ["GPU writes one byte", "gpu write byte 0"], ["Host reads one byte", "host read byte 0"],
        ["GPU reads a word every 64 KiB", "gpu read stride 64K"],
        ["GPU reads 100 random words", "gpu read random 100 1"],
        ["Both write in turn, 5 times", "turns 5 0 64K"],
        ["Prefetch to the GPU", "prefetch gpu"], ["Prefetch to the host", "prefetch host"],
        ["Advise: read mostly", "advise read-mostly"], ["Advise: prefer the GPU", "advise preferred gpu"],
        ["Advise: prefer the host", "advise preferred host"], ["Advise: the GPU accesses it", "advise accessed gpu"]];
    const STEPS_OF_TWO = [
        ["GPU 1 writes all", "gpu1 write walk"], ["GPU 1 reads all", "gpu1 read walk"],
        ["Prefetch to GPU 1", "prefetch gpu1"], ["Advise: prefer GPU 1", "advise preferred gpu1"],
        ["Advise: GPU 1 accesses it", "advise accessed gpu1"]];
    const CASES = [
        ["There and back again (lab 5)", "array 16M;host write walk;gpu write walk;gpu write walk;host read walk"],
        ["One byte (lab 5)", "array 4M;host write walk;gpu write byte 0;host read byte 0;gpu write stride 2M"],
        ["One page after the other: the tree fills", "array 2M;host write walk"],
        ["Prefetched (lab 6)", "array 16M;host write walk;prefetch gpu;gpu write walk;prefetch host;host read walk"],
        ["Read mostly (lab 6)", "array 16M;host write walk;advise read-mostly;gpu read walk;host read walk;" +
            "host write byte 0;gpu read walk"],
        ["Read in place (lab 6)", "array 16M;host write walk;advise preferred host;advise accessed gpu;gpu read walk"],
        ["In turns, until it thrashes", "array 4M;turns 30 0 64K"],
        ["More than fits (lab 6)", "device 8M;array 16M;host write walk;gpu write walk;gpu write walk;host read walk"],
        ["A GPU that cannot fault", "profile limited;array 4M;host write walk;gpu write byte 0;host read walk"],
        ["Two GPUs, one after the other (lab 10)", "profile h200-nvlink2;array 16M;host write walk;gpu write walk;" +
            "gpu1 write walk;gpu read walk;host read walk"],
        ["Two GPUs read, read mostly (lab 10)", "profile h200-nvlink2;array 16M;host write walk;advise read-mostly;" +
            "gpu read walk;gpu1 read walk;gpu write walk"],
        ["One GPU reaches into the other's memory (lab 10)", "profile h200-nvlink2;array 16M;advise preferred gpu;" +
            "advise accessed gpu1;gpu write walk;gpu1 read walk;gpu1 write walk;gpu read walk"],
        ["Two GPUs without a link", "profile h200-pair;array 4M;host write walk;gpu write walk;gpu1 read walk"]];
    const LEGEND = [["host", "at the host"], ["gpu", "at the GPU"], ["both", "copies at both"],
                    ["none", "nowhere yet"], ["remote", "at the host, mapped by the GPU"]];
    const LEGEND_OF_TWO = [["host", "at the host"], ["gpu", "at GPU 0"], ["gpu-1", "at GPU 1"],
                           ["both", "copies at several"], ["none", "nowhere yet"],
                           ["remote", "at the host, mapped by a GPU"], ["far", "at GPU 0, mapped by GPU 1"],
                           ["far-1", "at GPU 1, mapped by GPU 0"]];
    const GUESSES = [["cpu_faults", "page faults of the host", 1], ["htod", "MiB moved to the GPU", 1 << 20],
                     ["dtoh", "MiB moved to the host", 1 << 20]];
    const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

    function make(name, attributes, ...inside) {
        const element = document.createElement(name);
        for (const [key, value] of Object.entries(attributes || {})) {
            if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
            else if (value !== false) element.setAttribute(key, value === true ? "" : value);
        }
        element.append(...inside);
        return element;
    }

    function bytes(count) {
        const [size, unit] = count >= 1 << 20 ? [1 << 20, "MiB"] : count >= 1024 ? [1024, "KiB"] : [1, "B"];
        return `${Number((count / size).toFixed(2))} ${unit}`;
    }

    function time(ns) {
        return ns >= 1e6 ? `${(ns / 1e6).toFixed(2)} ms` : `${(ns / 1e3).toFixed(1)} µs`;
    }

    const number = count => count.toLocaleString("en");
    const sentence = words => words[0].toUpperCase() + words.slice(1);
    const toAddress = text => MARK + text.trim().replace(/\n/g, ";").replace(/ /g, "+");
    const toText = hash => decodeURIComponent(hash.slice(MARK.length)).replace(/\+/g, " ").replace(/;/g, "\n");
    const linesOf = text => text.split(/[\n;]/).map(line => line.trim()).filter(Boolean);
    const isSetting = line => /^(profile|device|array)\b/.test(line);

    function nameOf(bit, devices) {
        return bit === HOST ? "the host" : devices < 2 ? "the GPU" : bit === GPU_1 ? "GPU 1" : "GPU 0";
    }

    /* What an event was, in words. */
    function told(event, devices) {
        const side = nameOf(event.to, devices), much = bytes(event.pages * 4096);
        const from = devices > 1 && event.from ? `from ${nameOf(event.from, devices)} ` : "";
        const reason = {user: "as was asked for", coherence: "because that page faulted",
                        prefetch: "along with the page that faulted", eviction: "to make room"}[event.cause] || "";
        switch (event.type) {
        case "host fault": return `The host ${event.isWrite ? "writes" : "reads"} page ${number(event.page)}: a fault.`;
        case "gpu fault": return `A batch of ${side}'s faults, the first on page ${number(event.page)}.`;
        case "migration": return `${much} from page ${number(event.page)} on move ${from}to ${side}, ${reason}.`;
        case "duplicate": return `${much} are copied to ${side}; the original stays.`;
        case "invalidate": return `${much} of copies are dropped at ${side}.`;
        case "map": return `${sentence(side)} maps ${much} where they are.`;
        case "populate": return `${much} that nobody had touched are made at ${side}.`;
        case "eviction": return `2 MiB of ${side}'s memory are given up.`;
        case "thrashing": return `${much} go to and fro too often: they thrash.`;
        default: return `${sentence(side)} is kept waiting ${event.waitUs} µs.`;
        }
    }

    class Playground {
        constructor(root, machine) {
            Object.assign(this, {root, machine, embedded: "embedded" in root.dataset, block: 0, guesses: {}});
            this.build();
            const linked = !this.embedded && location.hash.startsWith(MARK);
            this.load(linked ? toText(location.hash) : root.dataset.scenario.replace(/;/g, "\n"));
            if (!this.embedded) addEventListener("hashchange", () => {
                if (location.hash.startsWith(MARK) && toText(location.hash) !== this.program.value)
                    this.load(toText(location.hash));
            });
            new ResizeObserver(() => this.draw()).observe(this.stage);
            matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
            new MutationObserver(() => this.draw())
                .observe(document.documentElement, {attributeFilter: ["data-theme"]});
        }

        /* ---- what is there ---- */

        build() {
            this.program = make("textarea", {rows: 5, spellcheck: "false", "aria-label": "The program, a step a line",
                                             oninput: () => this.edited()});
            this.said = make("p", {class: "said", role: "status"});
            this.canvas = make("canvas", {role: "img"});
            this.stage = make("div", {class: "map"}, this.canvas);
            this.treeBox = make("div", {class: "tree"});
            this.events = make("ol", {class: "events"});
            this.slider = make("input", {type: "range", min: 0, value: 0, "aria-label": "Place within the step",
                                        oninput: () => { this.stop(); this.show(Number(this.slider.value)); }});
            this.results = make("tbody");
            this.leaving = make("a", {class: "leave"}, "Change it in the playground");
            this.steps = make("ol", {class: "steps"});
            this.runButton = make("button", {type: "button", class: "first", onclick: () => this.run()}, "Run");
            this.stepButton = make("button", {type: "button", onclick: () => this.advance(true)}, "One step");
            const again = make("button", {type: "button", onclick: () => this.load(this.program.value)}, "Start over");
            this.legend = make("p", {class: "legend"});
            this.root.replaceChildren(
                this.embedded ? this.steps : this.editor(), this.predictions(),
                make("div", {class: "buttons"}, this.runButton, this.stepButton, again,
                     ...(this.embedded ? [this.leaving] : [])),
                this.said, this.stage, this.legend, this.treeBox,
                make("label", {class: "slider"}, "Within the step: ", this.slider), this.table(),
                make("details", {}, make("summary", {}, "What happened in this step, in order"), this.events));
            this.canvas.addEventListener("pointerdown", event => this.drawn(event));
            this.canvas.addEventListener("pointermove", event => this.point(event));
        }

        table() {
            this.heads = make("tr");
            return make("div", {class: "scrolls", tabindex: 0, role: "region", "aria-label": "Counts of each step"},
                        make("table", {}, make("thead", {}, this.heads), this.results));
        }

        /* What depends on how many GPUs the machine has. */
        showDevices() {
            const two = this.machine.devices > 1;
            this.legend.replaceChildren(...(two ? LEGEND_OF_TWO : LEGEND).map(([kind, words]) =>
                make("span", {}, make("i", {class: kind}), words)));
            const heads = ["step", "host faults", "GPU fault groups",
                           ...(two ? ["to GPUs", "to host", "GPU to GPU"] : ["moved to GPU", "moved to host"]),
                           "modelled time"];
            this.heads.replaceChildren(...heads.map(head => make("th", {scope: "col"}, head)));
            for (const one of this.root.querySelectorAll(".of-two")) one.hidden = !two;
        }

        predictions() {
            this.guess = {};
            const fields = GUESSES.map(([key, words]) => {
                this.guess[key] = make("input", {type: "number", min: 0, step: "any", size: 6});
                return make("label", {}, this.guess[key], ` ${words}`);
            });
            return make("fieldset", {class: "guesses"},
                        make("legend", {}, "Predict first, for all steps together"), ...fields);
        }

        chooser(label, setting, options) {
            const choice = make("select", {onchange: () => this.set(setting, choice.value)},
                                ...options.map(([value, words]) => make("option", {value}, words)));
            this.choices = Object.assign(this.choices || {}, {[setting]: choice});
            return make("label", {}, `${label} `, choice);
        }

        editor() {
            const cases = make("select", {"aria-label": "An example",
                                          onchange: () => cases.value && this.load(cases.value.replace(/;/g, "\n"))},
                               make("option", {value: ""}, "Take an example ..."),
                               ...CASES.map(([words, text]) => make("option", {value: text}, words)));
            const sizes = ["256K", "1M", "2M", "4M", "8M", "16M", "32M", "64M"];
            const settings = make("div", {class: "settings"}, cases,
                this.chooser("Machine", "profile", this.machine.profiles.map(name => [name, name])),
                this.chooser("GPU memory", "device", [["", "all it has"],
                    ...["2M", "4M", "8M", "16M", "32M"].map(size => [size, size.replace("M", " MiB")])]),
                this.chooser("Array", "array", sizes.map(size => [size, size.replace(/([KM])/, " $1iB")])));
            const buttons = make("div", {class: "add", role: "group", "aria-label": "Add a step"});
            for (const [words, line] of STEPS)
                buttons.append(make("button", {type: "button", onclick: () => this.add(line)}, words));
            for (const [words, line] of STEPS_OF_TWO)
                buttons.append(make("button", {type: "button", class: "of-two", onclick: () => this.add(line)}, words));
            this.brush = make("select", {"aria-label": "What drawing on the map adds"},
                ...["host write", "host read", "gpu write", "gpu read"].map(value => make("option", {value}, value)),
                ...["gpu1 write", "gpu1 read"].map(value => make("option", {value, class: "of-two"}, value)));
            return make("div", {class: "editor"}, settings, make("div", {class: "program"}, this.program, buttons),
                        make("p", {class: "hint"}, "Or draw on the map below: a stroke over pages adds ", this.brush,
                             " of that part."));
        }

        /* ---- the program ---- */

        set(setting, value) {
            const rest = linesOf(this.program.value).filter(line => !line.startsWith(setting + " "));
            const isDefault = !value || (setting === "profile" && value === this.machine.profiles[0]);
            this.load([...(isDefault ? [] : [`${setting} ${value}`]), ...rest].join("\n"));
        }

        add(line) {
            this.load(`${this.program.value.trimEnd()}\n${line}`);
        }

        edited() {
            clearTimeout(this.typing);
            this.typing = setTimeout(() => this.load(this.program.value), 500);
        }

        /* Reads the program and goes to its beginning. */
        load(text) {
            this.stop();
            if (this.program.value !== text) this.program.value = text.trim();
            if (!this.embedded) history.replaceState(null, "", toAddress(this.program.value));
            else this.leaving.href = "playground.html" + toAddress(text);
            this.lines = linesOf(text).filter(line => !isSetting(line));
            this.steps.replaceChildren(...this.lines.map(line => make("li", {}, make("code", {}, line))));
            Object.assign(this, {done: [], error: "", result: null, block: 0});
            try {
                this.machine.start(text);
                this.pages = this.before = this.machine.pages();
            } catch (error) {
                this.error = error.message;
                this.pages = this.before = new Uint8Array(0);
            }
            this.showDevices();
            this.showChoices(text);
            this.slider.max = this.slider.value = 0;
            this.events.replaceChildren();
            this.tell(this.error ? `This cannot be run: ${this.error}.`
                : `${bytes(this.machine.arrayBytes)} that nobody has touched; steps: ${this.lines.length}.`);
            this.draw();
            this.fillTable();
        }

        showChoices(text) {
            for (const [setting, choice] of Object.entries(this.choices || {})) {
                const line = linesOf(text).find(one => one.startsWith(setting + " "));
                const usual = setting === "array" ? "2M" : choice.options[0].value;
                const value = line ? line.slice(setting.length).trim() : usual;
                if (![...choice.options].some(option => option.value === value))
                    choice.append(make("option", {value}, value));
                choice.value = value;
            }
        }

        /* ---- running it ---- */

        advance(animate) {
            this.stop();
            if (this.error || this.done.length === this.lines.length) return false;
            this.before = this.pages;
            this.result = this.machine.step();
            this.pages = this.result.pages;
            if (this.result.refused) this.error = this.result.refused;
            this.done.push(this.result);
            this.listEvents();
            this.fillTable();
            this.tellStep();
            const count = this.result.events.length;
            this.slider.max = count;
            const first = this.result.events.find(event => event.pages);
            if (first) this.block = Math.floor(first.page / umlabDrawing.BLOCK);
            if (!animate || still() || count === 0) this.show(count);
            else this.play(count);
            return !this.error;
        }

        run() {
            if (this.done.length === this.lines.length) this.load(this.program.value);
            while (this.done.length < this.lines.length && this.advance(this.done.length === this.lines.length - 1));
        }

        play(count) {
            const begin = performance.now();
            const frame = now => {
                const at = Math.min(count, Math.floor((now - begin) / PLAY_MS * count));
                this.show(at);
                if (at < count) this.playing = requestAnimationFrame(frame);
            };
            this.playing = requestAnimationFrame(frame);
        }

        stop() {
            cancelAnimationFrame(this.playing);
        }

        /* Shows the step as it was after `at` of its events. */
        show(at) {
            this.slider.value = at;
            const events = this.result ? this.result.events : [];
            if (at >= events.length) {
                this.draw();
                return;
            }
            const where = this.before.map(page => page & (HOST | GPU | GPU_1));
            for (const event of events.slice(0, at)) apply(where, event);
            const event = events[at];
            this.block = Math.floor(event.page / umlabDrawing.BLOCK);
            this.draw(where, event);
        }

        draw(pages = this.pages, event = null) {
            if (!this.stage.clientWidth || !pages.length) return;
            this.layout = umlabDrawing.map(this.canvas, {pages, event, chosen: this.chosen,
                                                          devices: this.machine.devices});
            this.drawnPages = pages;
            const {devices} = this.machine, sides = [HOST, GPU, ...(devices > 1 ? [GPU_1] : [])];
            const there = sides.map(bit => `${number(pages.filter(page => page & bit).length)} at ` +
                nameOf(bit, devices));
            this.canvas.setAttribute("aria-label", `${number(pages.length)} pages of 4 KiB: ${there.join(", ")}`);
            const blocks = Math.ceil(pages.length / umlabDrawing.BLOCK);
            this.treeBox.innerHTML = umlabDrawing.tree(pages, this.block, `Block ${this.block + 1} of ${blocks}`,
                                                        this.stage.clientWidth, devices);
            const parts = devices > 1 ? "the first third of each node is filled as far as its pages are at the host, " +
                "the second as far as at GPU 0, the third as far as at GPU 1." : "the upper half of each node is " +
                "filled as far as its pages are at the host, the lower as far as at the GPU.";
            this.treeBox.append(make("p", {}, `The tree over block ${this.block + 1} of ${blocks}: ${parts} A fault ` +
                "brings all of the largest node that is then more than 51% full."));
        }

        /* ---- what is said ---- */

        tell(words) {
            this.said.textContent = words;
        }

        tellStep() {
            const {counts, refused} = this.result, line = this.lines[this.done.length - 1];
            const toGpu = this.machine.devices > 1 ? "from the host to a GPU" : "to the GPU";
            const moved = [[counts.htod, toGpu], [counts.dtoh, "to the host"], [counts.dtod, "from GPU to GPU"]]
                .filter(([count]) => count).map(([count, where]) => `${bytes(count)} ${where}`).join(", ");
            this.tell(refused ? `${line}: ${refused}.`
                : `Step ${this.done.length} of ${this.lines.length}, ${line}: ${number(counts.cpu_faults)} faults of ` +
                  `the host, ${number(counts.gpu_fault_groups)} groups of ${this.machine.devices > 1
                      ? "GPUs'" : "the GPU's"}; moved: ${moved || "nothing"}; ` +
                  `${time(counts.time_ns)}.`);
        }

        listEvents() {
            const shown = this.result.events.slice(0, 200);
            this.events.replaceChildren(...shown.map(event => make("li", {}, told(event, this.machine.devices))));
            if (this.result.events.length > shown.length)
                this.events.append(make("li", {}, `... and ${number(this.result.events.length - shown.length)} more`));
            for (const [at, item] of [...this.steps.children].entries())
                item.classList.toggle("now", at === this.done.length - 1);
        }

        fillTable() {
            const two = this.machine.devices > 1;
            const row = (name, counts, kind) => make("tr", kind ? {class: kind} : {}, make("th", {scope: "row"}, name),
                ...[number(counts.cpu_faults), number(counts.gpu_fault_groups), bytes(counts.htod), bytes(counts.dtoh),
                    ...(two ? [bytes(counts.dtod)] : []), time(counts.time_ns)].map(text => make("td", {}, text)));
            const rows = this.done.map((result, at) => row(this.lines[at], result.counts));
            if (this.done.length) rows.push(row("in all", this.machine.counts(true), "all"));
            if (this.done.length === this.lines.length && this.done.length && this.guessed()) rows.push(this.verdict());
            this.results.replaceChildren(...rows);
        }

        guessed() {
            return GUESSES.some(([key]) => this.guess[key].value !== "");
        }

        /* The guesses beside what happened. */
        verdict() {
            const all = this.machine.counts(true);
            const judged = Object.fromEntries(GUESSES.map(([key, , unit]) => {
                const text = this.guess[key].value, was = all[key] / unit;
                if (text === "") return [key, ""];
                const factor = was && Number(text) ? Math.max(Number(text) / was, was / Number(text)) : Infinity;
                return [key, `${text}: ${Number(text) === was ? "right" : factor <= 1.1 ? "nearly"
                    : Number(text) < was ? "too little" : "too much"}`];
            }));
            return make("tr", {class: "guess"}, make("th", {scope: "row"}, "your guess"),
                        ...["cpu_faults", "", "htod", "dtoh", ...(this.machine.devices > 1 ? [""] : []), ""]
                            .map(key => make("td", {}, judged[key] || "")));
        }

        /* ---- drawing on the map ---- */

        pageUnder(event) {
            const box = this.canvas.getBoundingClientRect();
            return umlabDrawing.pageAt(this.layout, event.clientX - box.left - 1, event.clientY - box.top - 1);
        }

        /* In words, what is pointed at. */
        point(event) {
            const page = this.layout ? this.pageUnder(event) : -1;
            const words = this.machine.devices > 1 ? LEGEND_OF_TWO : LEGEND;
            this.canvas.title = page < 0 ? "" : `Page ${number(page)}: ` +
                words.find(([kind]) => kind === umlabDrawing.kindOf(this.drawnPages[page]))[1];
        }

        drawn(down) {
            const at = event => this.pageUnder(event);
            const first = at(down);
            if (first < 0) return;
            this.block = Math.floor(first / umlabDrawing.BLOCK);
            this.draw();
            if (this.embedded) return;
            const move = event => {
                const page = at(event);
                if (page >= 0) this.chosen = [Math.min(first, page), Math.max(first, page)];
                this.draw();
            };
            const up = () => {
                removeEventListener("pointermove", move);
                const chosen = this.chosen;
                this.chosen = null;
                if (chosen && chosen[1] > chosen[0])
                    this.add(`${this.brush.value} walk ${chosen[0] * 4}K ${this.lengthOf(chosen)}`);
                else this.draw();
            };
            addEventListener("pointermove", move);
            addEventListener("pointerup", up, {once: true});
        }

        lengthOf([first, last]) {
            const length = Math.min((last + 1) * 4096, this.machine.arrayBytes) - first * 4096;
            return length % 1024 ? String(length) : `${length / 1024}K`;
        }
    }

    async function begin() {
        for (const root of document.querySelectorAll(".playground")) {
            try {
                root.playground = new Playground(root, await umlabMachine());
            } catch (error) {
                const note = document.createElement("p");
                note.className = "hint";
                note.textContent = `The playground does not run here: ${error.message}.`;
                root.append(note);
            }
        }
    }
    begin();
})();
