/* drawing.js: what the playground draws. The map has a square for each 4 KiB page: a block of 2 MiB is 32 columns wide
 * (64 KiB each) and 16 pages high. The tree is the driver's, over the 64 KiB pieces of one block. Colours are those of
 * the page: the host's, the GPU's; a move goes from one to the other. */
(function (global) {
    "use strict";
    const BLOCK = 512, COLUMNS = 32, ROWS = 16, GAP = 6, LEAST = 3, MOST = 18;
    const HOST = 1, GPU = 2, GPU_READS = 8, GPU_1 = 64, GPU_1_READS = 128;
    const HOLDERS = HOST | GPU | GPU_1;
    /* Letters of two GPUs' pages, where a square has space for one: with a plus, the other GPU has it mapped. */
    const LETTERS = {none: "·", host: "H", remote: "R", gpu: "0", far: "0+", "gpu-1": "1", "far-1": "1+", both: "="};
    const LETTER_CELL = 10;
    const LEVELS = ["2 MiB", "1 MiB", "512 KiB", "256 KiB", "128 KiB", "64 KiB"];

    function colours(element) {
        const style = getComputedStyle(element);
        const kinds = Object.keys(LETTERS), inks = kinds.map(kind => `${kind}-ink`);
        return Object.fromEntries([...kinds, ...inks, "paper", "ink", "soft", "line"]
            .map(name => [name, style.getPropertyValue("--" + name).trim()]));
    }

    /* How the blocks lie on a map so wide. */
    function layout(width, pages) {
        const blocks = Math.ceil(pages / BLOCK);
        const across = Math.max(1, Math.min(blocks, Math.floor((width + GAP) / (COLUMNS * LEAST + GAP))));
        const cell = Math.max(2, Math.min(MOST, Math.floor((width - (across - 1) * GAP) / (across * COLUMNS))));
        const down = Math.ceil(blocks / across);
        return {blocks, across, cell, pages, height: down * (ROWS * cell + GAP) - GAP};
    }

    function place(at, page) {
        const block = Math.floor(page / BLOCK), inside = page % BLOCK;
        const x = (block % at.across) * (COLUMNS * at.cell + GAP) + Math.floor(inside / ROWS) * at.cell;
        const y = Math.floor(block / at.across) * (ROWS * at.cell + GAP) + (inside % ROWS) * at.cell;
        return [x, y];
    }

    /* @return the page at a point of the map; -1: there is none */
    function pageAt(at, x, y) {
        const wide = COLUMNS * at.cell + GAP, high = ROWS * at.cell + GAP;
        const column = Math.floor(x / wide), row = Math.floor(y / high);
        const inX = Math.floor((x - column * wide) / at.cell), inY = Math.floor((y - row * high) / at.cell);
        const page = (row * at.across + column) * BLOCK + inX * ROWS + inY;
        return inX < COLUMNS && inY < ROWS && column < at.across && page < at.pages && page >= 0 ? page : -1;
    }

    /* Where a page is, and who reaches it there: a colour's name. */
    function kindOf(where) {
        switch (where & HOLDERS) {
        case 0: return "none";
        case HOST: return where & (GPU_READS | GPU_1_READS) ? "remote" : "host";
        case GPU: return where & GPU_1_READS ? "far" : "gpu";
        case GPU_1: return where & GPU_READS ? "far-1" : "gpu-1";
        default: return "both";
        }
    }

    function fill(context, at, page, where, of, hasLetters) {
        const [x, y] = place(at, page), size = at.cell - (at.cell > 4 ? 1 : 0), kind = kindOf(where);
        context.fillStyle = of[kind];
        context.fillRect(x, y, size, size);
        if (!hasLetters || at.cell < LETTER_CELL) return;
        context.fillStyle = of[`${kind}-ink`];
        context.fillText(LETTERS[kind], x + size / 2, y + size / 2 + 1);
    }

    /* Pages on their way: from the colour of where they were to that of where they go. */
    function moving(context, at, event, of) {
        const [from, to] = [of[kindOf(event.from)], of[kindOf(event.to)]];
        for (let page = event.page; page < Math.min(event.page + event.pages, at.pages); page++) {
            const [x, y] = place(at, page), size = at.cell - (at.cell > 4 ? 1 : 0);
            const gradient = context.createLinearGradient(x, y, x + size, y);
            gradient.addColorStop(0.2, from);
            gradient.addColorStop(0.8, to);
            context.fillStyle = gradient;
            context.fillRect(x, y, size, size);
        }
    }

    function fault(context, at, event, of) {
        const [x, y] = place(at, event.page);
        context.strokeStyle = of.ink;
        context.lineWidth = 2;
        context.strokeRect(x - 1, y - 1, at.cell + 1, at.cell + 1);
    }

    /* Draws the map: `state` has pages (bits of play.h), event (the one that is shown; or none), chosen pages, and how
     * many GPUs there are. */
    function map(canvas, state) {
        const width = canvas.parentElement.clientWidth, ratio = global.devicePixelRatio || 1;
        const at = layout(width, state.pages.length), of = colours(canvas);
        canvas.width = width * ratio;
        canvas.height = (at.height + 2) * ratio;
        canvas.style.height = `${at.height + 2}px`;
        const context = canvas.getContext("2d");
        context.scale(ratio, ratio);
        context.translate(1, 1);
        Object.assign(context, {font: `${Math.round(at.cell * 0.7)}px sans-serif`, textAlign: "center",
                                textBaseline: "middle"});
        state.pages.forEach((where, page) => fill(context, at, page, where, of, state.devices > 1));
        const event = state.event;
        if (event && event.type === "migration") moving(context, at, event, of);
        if (event && event.type.endsWith("fault")) fault(context, at, event, of);
        if (state.chosen) {
            context.fillStyle = of.ink;
            context.globalAlpha = 0.35;
            for (let page = state.chosen[0]; page <= state.chosen[1]; page++) {
                const [x, y] = place(at, page);
                context.fillRect(x, y, at.cell, at.cell);
            }
            context.globalAlpha = 1;
        }
        return at;
    }

    /* The shares of a node's pages: at the host, at each GPU. */
    function shares(pages, first, count, bits) {
        const found = bits.map(() => 0), end = Math.min(first + count, pages.length);
        for (let page = first; page < end; page++)
            bits.forEach((bit, at) => { found[at] += pages[page] & bit ? 1 : 0; });
        const all = Math.max(0, end - first);
        return {all, of: found.map(pagesThere => (all ? pagesThere / all : 0))};
    }

    function percent(share) {
        return `${Math.round(share * 100)}%`;
    }

    /* Draws the tree over a block, so wide, as an SVG's markup. Each node is filled as far as its pages are there. */
    function tree(pages, block, label, most, devices = 1) {
        const sides = devices > 1 ? [[HOST, "host", "at the host"], [GPU, "gpu", "at GPU 0"],
                                     [GPU_1, "gpu-1", "at GPU 1"]]
            : [[HOST, "host", "at the host"], [GPU, "gpu", "at the GPU"]];
        const bits = sides.map(([bit]) => bit);
        const width = Math.max(300, Math.min(760, most)), high = 20, left = 62, parts = [];
        LEVELS.forEach((name, level) => {
            const nodes = 2 ** level, wide = (width - left) / nodes, y = level * (high + 5);
            parts.push(`<text x="0" y="${y + 14}" class="level">${name}</text>`);
            for (let node = 0; node < nodes; node++) {
                const count = BLOCK / nodes, part = shares(pages, block * BLOCK + node * count, count, bits);
                const x = left + node * wide, inner = wide - 2;
                if (!part.all) continue;
                parts.push(`<rect x="${x}" y="${y}" width="${inner}" height="${high}" class="node"/>`,
                    ...sides.map(([, kind], at) => `<rect x="${x}" y="${y + at * high / sides.length}" ` +
                        `width="${inner * part.of[at]}" height="${high / sides.length}" class="${kind}"/>`));
            }
        });
        const whole = shares(pages, block * BLOCK, BLOCK, bits);
        return `<svg viewBox="0 0 ${width} ${LEVELS.length * (high + 5)}" role="img" aria-label="${label}: ` +
            `${sides.map(([, , words], at) => `${percent(whole.of[at])} of its pages are ${words}`).join(", ")}">` +
            parts.join("") + "</svg>";
    }

    global.umlabDrawing = {map, tree, pageAt, kindOf, BLOCK};
})(window);
