/*
 * draw.js: the grid of pages, and the line of the whole run above the slider, on canvases.
 *
 * A tile is a VA block: 512 pages of 4 KiB, 32 in a row, or 128 of 16 KiB, 16 in a row. All tiles are drawn at once
 * from an image with one pixel a page, so 65,536 pages are no slower than 16. Where not even a pixel a page fits, or
 * where it is wished, a cell stands for a block, or for several, and shows how much of it is where. Opened, one block
 * fills the grid.
 */
"use strict";

class Grid {
  constructor(canvas, model) {
    Object.assign(this, { canvas, model, places: model.places, context: canvas.getContext("2d"),
      image: document.createElement("canvas"), region: null, opened: -1, blocksOnly: false, cursor: -1, flashes: [],
      lasting: 700 });
  }

  /* Colours are the style sheet's: light and dark, and more contrast where that is asked for. */
  readColours() {
    const style = getComputedStyle(document.documentElement), value = (name) => style.getPropertyValue(name).trim();
    const { owners, states } = this.places;
    this.fill = owners.map((it) => value(`--${it.colour}`));
    this.ink = owners.map((it) => value(`--${it.colour}-ink`));
    this.kernel = value("--kernel");
    [this.paper, this.text, this.line, this.fault, this.moved] =
      ["--panel", "--text", "--line", "--fault", "--moved"].map(value);
    const pixels = this.fill.map((colour) => this.toPixel(colour));
    this.pixel = Uint32Array.from({ length: states }, (_, state) => pixels[this.places.ownerOf(state)]);
    this.scale = parseFloat(style.fontSize) / 16;
  }

  toPixel(colour) {
    const probe = this.context;
    probe.fillStyle = colour;
    const hex = parseInt(probe.fillStyle.slice(1), 16);
    return ((255 << 24) | ((hex & 255) << 16) | (hex & 0xff00) | (hex >> 16)) >>> 0;
  }

  show(region) {
    if (this.region === region) return;
    Object.assign(this, { region, opened: -1, cursor: -1 });
  }

  get blockPages() { return this.places.blockPages; }
  get blocks() { return Math.ceil(this.region.pages / this.blockPages); }
  get firstPage() { return this.opened < 0 ? 0 : this.opened * this.blockPages; }
  get shownPages() {
    return this.opened < 0 ? this.region.pages : Math.min(this.blockPages, this.region.pages - this.firstPage);
  }

  /* How large, how many in a row. */
  layOut(width, height) {
    const tiles = Math.ceil(this.shownPages / this.blockPages), gap = tiles > 1 ? Math.round(6 * this.scale) : 0;
    const caption = tiles > 1 ? Math.round(14 * this.scale) : 0;
    const inTile = 2 ** Math.ceil(Math.log2(2 * this.blockPages) / 2), columns = Math.min(inTile, this.shownPages),
      rows = Math.min(this.blockPages / inTile, Math.ceil(this.shownPages / columns));
    for (let s = tiles > 1 ? 20 : 40; s >= 1; s -= s > 4 ? 1 : 0.25) {
      const inRow = Math.max(1, Math.min(tiles, Math.floor((width + gap) / (columns * s + gap))));
      const lines = Math.ceil(tiles / inRow);
      this.at = { kind: "pages", s, tiles, inRow, lines, gap, caption, columns, rows, width: columns * s,
        height: rows * s };
      this.height = lines * (rows * s + caption + gap);
      if (this.height <= height && columns * s <= width) break;
      this.at.kind = "none";
    }
    if (this.at.kind === "none" || (this.blocksOnly && this.opened < 0 && tiles > 1)) this.layOutBlocks(width, height);
  }

  layOutBlocks(width, height) {
    const gap = Math.round(3 * this.scale);
    for (let each = 1; ; each *= 2) {
      const cells = Math.ceil(this.blocks / each);
      for (let s = Math.round(84 * this.scale); s >= 12; s -= 2) {
        const inRow = Math.max(1, Math.floor((width + gap) / (s + gap))), lines = Math.ceil(cells / inRow),
          tall = Math.round(s * 0.7);
        this.at = { kind: "blocks", each, cells, s, tall, inRow, lines, gap };
        this.height = lines * (tall + gap);
        if (this.height <= height) return;
      }
    }
  }

  resize() {
    const box = this.canvas.parentElement, ratio = window.devicePixelRatio || 1;
    const width = Math.max(200, box.clientWidth - 2);
    this.layOut(width, this.heightToFill());
    this.width = width;
    this.canvas.style.height = `${this.height}px`;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  /* As tall as leaves the controls below in sight; on a narrow page they stand above. */
  heightToFill() {
    const tall = (selector) => document.querySelector(selector).offsetHeight;
    if (getComputedStyle(document.querySelector(".transport")).position === "sticky")
      return Math.max(240, window.innerHeight * 0.6);
    const around = tall("header") + tall("#explain") + tall(".stage") - this.canvas.offsetHeight + tall(".transport")
      + tall(".devices");
    return Math.max(200, window.innerHeight - around - 42 * this.scale);
  }

  draw(now, calm) {
    if (!this.region) return;
    this.context.clearRect(0, 0, this.width, this.height);
    if (this.at.kind === "pages") this.drawPages(); else this.drawBlocks();
    this.drawFlashes(now, calm);
    this.drawCursor();
  }

  /* ---- pages ---- */

  corner(tile) {
    const { inRow, width, height, gap, caption } = this.at;
    return [(tile % inRow) * (width + gap), Math.floor(tile / inRow) * (height + caption + gap) + caption];
  }

  paint() {
    const { tiles, columns, rows } = this.at, width = columns, height = tiles * rows;
    if (this.image.width !== width || this.image.height !== height) Object.assign(this.image, { width, height });
    const context = this.image.getContext("2d"), image = context.createImageData(width, height);
    const out = new Uint32Array(image.data.buffer), pixel = this.pixel, total = this.shownPages,
      { region, model } = this;
    if (region.kind === "managed") {
      const pages = model.pages, from = region.first + this.firstPage;
      for (let p = 0; p < total; p++) out[p] = pixel[pages[from + p]];
    } else {
      out.fill(pixel[model.stateOf(region, 0)], 0, total);
    }
    context.putImageData(image, 0, 0);
  }

  drawPages() {
    const { tiles, rows, columns, s, width, height, caption } = this.at, context = this.context;
    this.paint();
    context.imageSmoothingEnabled = false;
    for (let tile = 0; tile < tiles; tile++) {
      const [x, y] = this.corner(tile), pages = Math.min(this.blockPages, this.shownPages - tile * this.blockPages);
      const lines = Math.ceil(pages / columns);
      context.drawImage(this.image, 0, tile * rows, columns, lines, x, y, width, lines * s);
      if (s >= 5) this.drawLines(x, y, lines, pages);
      if (caption) this.drawCaption(tile, x, y);
    }
    if (s >= 12) this.drawLetters();
  }

  drawLines(x, y, lines, pages) {
    const { columns, s, width } = this.at, context = this.context;
    context.fillStyle = this.paper;
    for (let column = 1; column < columns; column++) context.fillRect(x + column * s - 0.5, y, 1, lines * s);
    for (let line = 1; line < lines; line++) context.fillRect(x, y + line * s - 0.5, width, 1);
    const last = pages % columns;
    if (last) context.clearRect(x + last * s, y + (lines - 1) * s, width, s + 1);
  }

  drawLetters() {
    const { s, columns } = this.at, context = this.context;
    context.font = `${Math.min(18, Math.round(s * 0.6))}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (let p = 0; p < this.shownPages; p++) {
      const tile = Math.floor(p / this.blockPages), within = p % this.blockPages, [x, y] = this.corner(tile);
      const owner = this.places.ownerOf(this.model.stateOf(this.region, this.firstPage + p));
      context.fillStyle = this.ink[owner];
      context.fillText(this.places.owners[owner].letter, x + (within % columns + 0.5) * s,
        y + (Math.floor(within / columns) + 0.54) * s);
    }
  }

  /* How many pages of a range each owner has. */
  shares(from, count) {
    const { region, model, places } = this, shares = places.owners.map(() => 0);
    if (region.kind !== "managed") shares[places.ownerOf(model.stateOf(region, 0))] = count;
    else
      for (let p = region.first + from; p < region.first + from + count; p++) shares[places.ownerOf(model.pages[p])]++;
    return shares;
  }

  letter(shares, count) {
    const most = shares.indexOf(Math.max(...shares));
    const owner = this.places.owners[most];
    return [most, shares[most] === count ? owner.letter : owner.most];
  }

  drawCaption(tile, x, y) {
    const count = Math.min(this.blockPages, this.region.pages - tile * this.blockPages), context = this.context;
    const [most, letter] = this.letter(this.shares(tile * this.blockPages, count), count),
      size = Math.round(11 * this.scale);
    context.font = `${size}px ui-monospace, monospace`;
    context.textBaseline = "alphabetic";
    context.textAlign = "left";
    context.fillStyle = this.text;
    context.globalAlpha = most === this.places.nowhere ? 0.6 : 1;
    context.fillText(this.at.width >= 44 * this.scale ? `${tile} ${letter}` : letter, x, y - 3);
    context.globalAlpha = 1;
  }

  /* ---- blocks ---- */

  drawBlocks() {
    const { cells, each, s, tall, inRow, gap } = this.at, context = this.context;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = `600 ${Math.max(9, Math.round(tall * 0.5))}px system-ui, sans-serif`;
    for (let cell = 0; cell < cells; cell++) {
      const x = (cell % inRow) * (s + gap), y = Math.floor(cell / inRow) * (tall + gap);
      const from = cell * each * this.blockPages, count = Math.min(each * this.blockPages, this.region.pages - from);
      const shares = this.shares(from, count), [most, letter] = this.letter(shares, count);
      let left = x;
      shares.forEach((share, owner) => {
        context.fillStyle = this.fill[owner];
        context.fillRect(left, y, (share / count) * s, tall);
        left += (share / count) * s;
      });
      context.fillStyle = this.ink[most];
      context.fillText(letter, x + s / 2, y + tall * 0.54);
    }
  }

  /* ---- what just happened ---- */

  flash(first, count, kind, born) {
    this.flashes.push({ first, count, kind, born });
    if (this.flashes.length > 400) this.flashes.splice(0, this.flashes.length - 400);
  }

  /* `calm`: nothing fades or pulses. A flash whose birth is 0 is of the step that is shown, and stays;
   * others fade within `lasting` milliseconds. */
  drawFlashes(now, calm) {
    this.flashes = this.flashes.filter((it) => it.born === 0 || (!calm && now - it.born < this.lasting));
    for (const kind of ["moved", "fault"])
      for (const it of this.flashes.filter((flash) => flash.kind === kind)) {
        this.context.globalAlpha = it.born === 0 ? 1 : 1 - (now - it.born) / this.lasting;
        if (kind === "moved") this.outline(it.first, it.count); else this.mark(it.first);
      }
    this.context.globalAlpha = 1;
  }

  get flashing() { return this.flashes.some((it) => it.born > 0); }

  /* Where a page is drawn: [x, y, width, height], or null. */
  place(page) {
    const { at } = this;
    if (at.kind === "blocks") {
      const cell = Math.floor(page / this.blockPages / at.each);
      return [(cell % at.inRow) * (at.s + at.gap), Math.floor(cell / at.inRow) * (at.tall + at.gap), at.s, at.tall];
    }
    const shown = page - this.firstPage;
    if (shown < 0 || shown >= this.shownPages) return null;
    const [x, y] = this.corner(Math.floor(shown / this.blockPages)), within = shown % this.blockPages;
    return [x + (within % at.columns) * at.s, y + Math.floor(within / at.columns) * at.s, at.s, at.s];
  }

  /* Around the pages of a run, tile by tile: around the first line's rest, whole lines, the last line's beginning. */
  outline(first, count) {
    const end = Math.min(first + count, this.region.pages), { at, context } = this;
    const each = at.kind === "blocks" ? at.each * this.blockPages : this.blockPages;
    context.strokeStyle = this.moved;
    context.lineWidth = at.kind === "pages" && at.s < 4 ? 1.5 : 2.5;
    context.beginPath();
    for (let p = Math.max(first, this.firstPage); p < end; p = (Math.floor(p / each) + 1) * each) {
      const last = Math.min(end, (Math.floor(p / each) + 1) * each) - 1, a = this.place(p), b = this.place(last);
      if (a && b) this.around(a, b, at.kind === "pages" && at.s < 6 ? 1.5 : 0);
    }
    context.stroke();
  }

  /* `out`: small pages are left to be seen within the line. */
  around([x1, y1, w, h], [x2, y2], out) {
    const { at, context } = this, top = y1 - out, bottom = y2 + h + out;
    if (at.kind === "blocks" || y1 === y2) {
      context.rect(x1 - out, top, x2 - x1 + w + 2 * out, bottom - top);
      return;
    }
    const corner = Math.floor(x1 / (at.width + at.gap)) * (at.width + at.gap), left = corner - out,
      right = corner + at.width + out;
    context.moveTo(x1 - out, top);
    for (const [x, y] of [[right, top], [right, y2 + out], [x2 + w + out, y2 + out], [x2 + w + out, bottom],
      [left, bottom], [left, y1 + h - out], [x1 - out, y1 + h - out]]) context.lineTo(x, y);
    context.closePath();
  }

  /* A ring with a cross: not colour alone. */
  mark(page) {
    const box = this.place(page), context = this.context;
    if (!box) return;
    const radius = Math.max(7 * this.scale, Math.min(box[2], box[3]) * 0.62), x = box[0] + box[2] / 2,
      y = box[1] + box[3] / 2;
    for (const [colour, width] of [[this.paper, 6], [this.fault, 3]]) {
      context.strokeStyle = colour;
      context.lineWidth = width * this.scale;
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      for (const turn of [0.25, 0.75, 1.25, 1.75]) {
        const [dx, dy] = [Math.cos(turn * Math.PI), Math.sin(turn * Math.PI)];
        context.moveTo(x + dx * radius, y + dy * radius);
        context.lineTo(x + dx * radius * 1.6, y + dy * radius * 1.6);
      }
      context.stroke();
    }
  }

  /* ---- pointing ---- */

  /* What the cursor goes over: pages, or blocks where several are shown. */
  get units() {
    if (this.at.kind === "blocks") return this.at.cells;
    return this.at.tiles > 1 ? this.at.tiles : this.shownPages;
  }
  get unitsInRow() { return this.at.kind === "blocks" || this.at.tiles > 1 ? this.at.inRow : this.at.columns; }

  unitBox(unit) {
    if (this.at.kind === "pages" && this.at.tiles > 1) return [...this.corner(unit), this.at.width, this.at.height];
    return this.place(this.at.kind === "blocks" ? unit * this.at.each * this.blockPages : this.firstPage + unit);
  }

  unitAt(x, y) {
    const { at } = this, wide = at.kind === "blocks" ? at.s : at.tiles > 1 ? at.width : at.s;
    const tall = at.kind === "blocks" ? at.tall : at.tiles > 1 ? at.height + at.caption : at.s, gap = at.gap;
    const column = Math.floor(x / (wide + gap)), unit = Math.floor(y / (tall + gap)) * this.unitsInRow + column;
    return column < this.unitsInRow && unit >= 0 && unit < this.units ? unit : -1;
  }

  drawCursor() {
    if (this.cursor < 0 || this.cursor >= this.units || document.activeElement !== this.canvas) return;
    const [x, y, width, height] = this.unitBox(this.cursor), context = this.context;
    context.strokeStyle = this.text;
    context.lineWidth = 3;
    context.strokeRect(x - 1, y - 1, width + 2, height + 2);
    context.strokeStyle = this.paper;
    context.lineWidth = 1;
    context.strokeRect(x - 1, y - 1, width + 2, height + 2);
  }

  /* What a unit holds, in words. */
  describe(unit) {
    if (this.at.kind === "pages" && this.at.tiles === 1) {
      const page = this.firstPage + unit;
      return `Page ${page.toLocaleString("en")} (${sizeText(page * this.places.pageBytes)} into it): ` +
        `${this.places.words(this.model.stateOf(this.region, page))}`;
    }
    const each = this.at.kind === "blocks" ? this.at.each : 1, from = unit * each * this.blockPages;
    const count = Math.min(each * this.blockPages, this.region.pages - from), shares = this.shares(from, count);
    const parts = shares.map((share, owner) =>
      (share ? `${share.toLocaleString("en")} ${this.places.owners[owner].words}` : "")).filter(Boolean);
    return `Block ${unit * each}${each > 1 ? `–${unit * each + each - 1}` : ""} ` +
      `(${sizeText(count * this.places.pageBytes)}): pages ${parts.join(", ")}`;
  }

  /* Opens the block under the cursor. @return whether there was one */
  open(unit) {
    if (this.opened >= 0 || this.blocks < 2 || unit < 0) return false;
    this.opened = unit * (this.at.kind === "blocks" ? this.at.each : 1);
    this.cursor = 0;
    return true;
  }

  close() {
    if (this.opened < 0) return false;
    this.cursor = this.opened;
    this.opened = -1;
    return true;
  }
}

/* The whole run: a band for each phase, and how many faults of each side there were along it. */
class Overview {
  constructor(canvas, model) { Object.assign(this, { canvas, model, context: canvas.getContext("2d") }); }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  x(step) { return (step / Math.max(1, this.model.steps)) * this.width; }

  draw(grid, step) {
    const { context, model, width, height } = this, middle = height * 0.62;
    context.clearRect(0, 0, width, height);
    model.phases.forEach((phase, at) => {
      const x = this.x(phase.begin - 1), wide = Math.max(1, this.x(phase.end) - x);
      context.globalAlpha = at % 2 ? 0.10 : 0.2;
      context.fillStyle = grid.text;
      context.fillRect(x, 0, wide, height);
      context.globalAlpha = 1;
      if (wide > 50 * grid.scale) this.label(grid, phase.row, x, wide);
    });
    this.bars(grid, 0, middle, middle - 16 * grid.scale, -1, grid.fill[0]);
    const { devices } = model.places, tall = (height - middle) / devices; /* a device below the other */
    for (let device = 0; device < devices; device++) {
      this.bars(grid, 1 + device, middle + device * tall, tall, 1, grid.fill[1 + device]);
      if (devices > 1) this.label(grid, `${device}`, -2, 20, middle + device * tall - 1);
    }
    context.fillStyle = grid.fault;
    context.fillRect(Math.min(width - 2, this.x(step) - 1), 0, 2, height);
  }

  label(grid, text, x, wide, y = 3) {
    const { context } = this;
    context.save();
    context.beginPath();
    context.rect(x, 0, wide, this.height);
    context.clip();
    context.fillStyle = grid.text;
    context.font = `${Math.round(11 * grid.scale)}px system-ui, sans-serif`;
    context.textBaseline = "top";
    context.textAlign = "left";
    context.fillText(text, x + 4, y);
    context.restore();
  }

  /* Faults within each pixel's steps, against the most of any: the square root, so that few are seen beside many. */
  bars(grid, counter, from, tallest, way, colour) {
    const { context, model, width } = this, sums = model.cumulated[counter];
    const at = (x) => Math.min(model.steps, Math.round((x / width) * model.steps));
    const found = [];
    for (let x = 0; x < width; x += 2) found.push(sums[at(x + 2)] - sums[at(x)]);
    const most = Math.max(...found, 1);
    context.fillStyle = colour;
    found.forEach((count, i) => {
      if (!count) return;
      const tall = Math.max(2, tallest * Math.sqrt(count / most));
      context.fillRect(2 * i, way < 0 ? from - tall : from + 1, 2, tall);
    });
  }
}
