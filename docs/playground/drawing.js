/* drawing.js: what the playground draws. The map has a square for each 4 KiB page: a block of 2 MiB is 32 columns wide
 * (64 KiB each) and 16 pages high. The tree is the driver's, over the 64 KiB pieces of one block. Colours are those of
 * the page: the host's, the GPU's; a move goes from one to the other. */
(function (global) {
    "use strict";
    const BLOCK = 512, COLUMNS = 32, ROWS = 16, GAP = 6, LEAST = 3, MOST = 18;
    const HOST = 1, GPU = 2, GPU_READS = 8;
    const LEVELS = ["2 MiB", "1 MiB", "512 KiB", "256 KiB", "128 KiB", "64 KiB"];

    function colours(element) {
        const style = getComputedStyle(element);
        return Object.fromEntries(["host", "gpu", "both", "remote", "none", "paper", "ink", "soft", "line"]
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

    function fill(context, at, page, where, of) {
        const [x, y] = place(at, page), size = at.cell - (at.cell > 4 ? 1 : 0);
        const side = where & 3;
        context.fillStyle = side === (HOST | GPU) ? of.both : side === GPU ? of.gpu
            : side !== HOST ? of.none : where & GPU_READS ? of.remote : of.host;
        context.fillRect(x, y, size, size);
    }

    /* Pages on their way: from the colour of where they were to that of where they go. */
    function moving(context, at, event, of) {
        const [from, to] = event.to === GPU ? [of.host, of.gpu] : [of.gpu, of.host];
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

    /* Draws the map: `state` has pages (bits of play.h), event (the one that is shown; or none) and chosen pages. */
    function map(canvas, state) {
        const width = canvas.parentElement.clientWidth, ratio = global.devicePixelRatio || 1;
        const at = layout(width, state.pages.length), of = colours(canvas);
        canvas.width = width * ratio;
        canvas.height = (at.height + 2) * ratio;
        canvas.style.height = `${at.height + 2}px`;
        const context = canvas.getContext("2d");
        context.scale(ratio, ratio);
        context.translate(1, 1);
        state.pages.forEach((where, page) => fill(context, at, page, where, of));
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

    /* The shares of a node's pages: at the host, at the GPU. */
    function shares(pages, first, count) {
        let host = 0, gpu = 0, all = 0;
        for (let page = first; page < Math.min(first + count, pages.length); page++, all++) {
            host += pages[page] & HOST ? 1 : 0;
            gpu += pages[page] & GPU ? 1 : 0;
        }
        return {all, host: all ? host / all : 0, gpu: all ? gpu / all : 0};
    }

    function percent(share) {
        return `${Math.round(share * 100)}%`;
    }

    /* Draws the tree over a block, so wide, as an SVG's markup. Each node is filled as far as its pages are there. */
    function tree(pages, block, label, most) {
        const width = Math.max(300, Math.min(760, most)), high = 20, left = 62, parts = [];
        LEVELS.forEach((name, level) => {
            const nodes = 2 ** level, wide = (width - left) / nodes, y = level * (high + 5);
            parts.push(`<text x="0" y="${y + 14}" class="level">${name}</text>`);
            for (let node = 0; node < nodes; node++) {
                const count = BLOCK / nodes, part = shares(pages, block * BLOCK + node * count, count);
                const x = left + node * wide, inner = wide - 2;
                if (!part.all) continue;
                parts.push(`<rect x="${x}" y="${y}" width="${inner}" height="${high}" class="node"/>`,
                    `<rect x="${x}" y="${y}" width="${inner * part.host}" height="${high / 2}" class="host"/>`,
                    `<rect x="${x}" y="${y + high / 2}" width="${inner * part.gpu}" height="${high / 2}" ` +
                    'class="gpu"/>');
            }
        });
        const whole = shares(pages, block * BLOCK, BLOCK);
        return `<svg viewBox="0 0 ${width} ${LEVELS.length * (high + 5)}" role="img" aria-label="${label}: ` +
            `${percent(whole.host)} of its pages are at the host, ${percent(whole.gpu)} at the GPU">` +
            parts.join("") + "</svg>";
    }

    global.umlabDrawing = {map, tree, pageAt, BLOCK};
})(window);
