/*
 * devices.js: what is said and drawn of several devices only: sentences with each one's number, what their engines did
 * in the phase under way, and what memory each has.
 */
"use strict";

class ExplainerOfSeveral extends Explainer {
  where(state) { return `was ${this.model.places.words(state)}`; }

  place(processor) { return this.model.places.name(processor); }

  /* What the effects of a step add up to: of each pair of processors, of each processor. */
  sums(step) {
    const { kind, flags, b, c, to, from } = this.model.columns, K = this.model.K, { pageBytes } = this.model.places;
    const sums = { moved: new Map(), asked: 0, along: 0, evicted: new Map(), made: new Map(), duplicated: 0,
      dropped: new Map(), mapped: new Map(), thrashing: 0, throttled: new Map(), evictions: 0 };
    const add = (map, key, amount) => map.set(key, (map.get(key) || 0) + amount);
    for (let i = this.model.first(step); i < this.model.stepEnd[step]; i++) {
      const bytes = b[i] * pageBytes, cause = flags[i] >> 2, source = (from[i] & FROM) - 1;
      switch (kind[i]) {
      case K.Migration:
        if (cause === 4) { add(sums.evicted, source, bytes); break; }
        add(sums.moved, `${source} ${to[i]} ${from[i] & COPY ? "copied" : "moved"}`, bytes);
        if (cause === 3) sums.along += bytes; else sums.asked += bytes;
        break;
      case K.Populate: add(sums.made, to[i], bytes); break;
      case K.ReadDuplicate: sums.duplicated += b[i]; break;
      case K.ReadDuplicateInvalidate: add(sums.dropped, to[i], b[i]); break;
      case K.MapRemote: add(sums.mapped, `${to[i]} ${source}`, b[i]); break;
      case K.Thrashing: sums.thrashing += b[i]; break;
      case K.Throttling: sums.throttled.set(to[i], Math.max(sums.throttled.get(to[i]) || 0, c[i])); break;
      case K.Eviction: sums.evictions++; break;
      }
    }
    return sums;
  }

  effects(step) {
    const it = this.sums(step), parts = [], name = (processor) => this.place(Number(processor));
    for (const [device, bytes] of it.evicted)
      parts.push(`${name(device)}'s memory is full, so ${sizeText(bytes)} had to leave for the host`);
    const detail = it.along ? ` (${sizeText(it.asked)} asked for, ${sizeText(it.along)} of neighbours brought along)`
      : "";
    const moves = [...it.moved].map(([way, bytes]) => {
      const [source, target, how] = way.split(" ");
      return `${sizeText(bytes)} ${how} from ${name(source)} to ${name(target)}`;
    });
    if (moves.length) parts.push(`${moves.join(", ")}${detail}`);
    if (it.duplicated)
      parts.push(it.duplicated === 1 ? "1 copy more is kept"
        : `${it.duplicated.toLocaleString("en")} copies more are kept`);
    for (const [processor, bytes] of it.made)
      parts.push(`${sizeText(bytes)} of memory were made on ${name(processor)}, nothing had to move`);
    for (const [processor, pages] of it.dropped)
      parts.push(`${plural(pages, "page")} dropped that ${name(processor)} had a copy of${this.whyDropped(step, it)}`);
    for (const [way, pages] of it.mapped) {
      const [device, at] = way.split(" ");
      parts.push(`${plural(pages, "page")} on ${name(at)} mapped for ${name(device)}, which reaches them over the ` +
        `${at === "0" ? "bus" : "link"}${moves.length ? "" : "; nothing moved"}`);
    }
    if (it.thrashing) parts.push(`${plural(it.thrashing, "page")} found to go to and fro too often (thrashing)`);
    for (const [processor, ns] of it.throttled)
      parts.push(`${name(processor)} is kept waiting ${timeText(ns)} for a page that thrashes`);
    return parts;
  }

  whyDropped(step, sums) { return super.whyDropped(step, sums).replace("one side", "one"); }

  /* As with one device, whose sums are other ones. */
  isRefused(step) {
    const { columns, lead, K } = this.model, op = columns.op[lead[step]];
    for (let s = step - 1; s > 0 && lead[s] >= 0 && columns.kind[lead[s]] === K.GpuFault
      && columns.op[lead[s]] === op; s--) {
      if (this.sums(s).throttled.size) return true;
      if (this.effects(s).length) return false;
    }
    return false;
  }

  operation(op) {
    const it = super.operation(op);
    if (!it) return null;
    const [device, engine, reads, writes] = this.model.operations[op - 1].slice(7);
    return { ...it, device, engine, reads, writes };
  }

  actor(op) {
    const it = this.operation(op);
    if (!it) return "A device";
    if (it.what === "kernel") return `Kernel ${it.detail} on device ${it.device}`;
    return `Device ${it.device} (${it.what})`;
  }

  target(detail) { return detail === "CPU" ? "the host" : `device ${detail.slice("GPU ".length)}`; }

  operationEnd(i) {
    const it = this.operation(this.model.columns.a[i] + 1);
    if (!it) return "An operation ended.";
    const took = timeText(it.end - it.start), there = `on device ${it.device}`;
    switch (it.what) {
    case "kernel": return super.operationEnd(i).replace(" ended", ` ended ${there}`);
    case "memcpy": return `A copy of ${sizeText(it.bytes)} ${this.way(it)} ended: ${took}, by device ${it.device}.`;
    case "memset": return `A memset of ${sizeText(it.bytes)} ended ${there}: ${took}.`;
    case "prefetch": return `A prefetch to ${this.target(it.detail)} ended: ${sizeText(it.bytes)} moved, ${took}.`;
    default: return `${it.what[0].toUpperCase()}${it.what.slice(1)} ${there}.`;
    }
  }

  way({ reads, writes }) {
    if (reads === writes) return reads ? `within ${this.place(reads)}` : "within the host";
    return `from ${this.place(reads)} to ${this.place(writes)}`;
  }

  call(step, i) {
    const device = this.model.columns.to[i], text = super.call(step, i);
    return device ? text.replace(/^The host /, `The host, with device ${device - 1} current, `) : text;
  }

  transfer(step, i) {
    const it = this.operation(this.model.columns.op[i]);
    if (!it || it.what !== "prefetch") return super.transfer(step, i);
    return `The prefetch to ${this.target(it.detail)}: ${this.effects(step).join("; ") || "nothing to do"}.`;
  }

  step(step, before) {
    const { columns, lead, K } = this.model, i = lead[step];
    if (i < 0 || columns.kind[i] !== K.UnmapRemote) return super.step(step, before);
    const whose = columns.to[i] === ALL_DEVICES ? "a device" : this.place(columns.to[i]);
    return `Because of advice, what ${whose} had mapped here, elsewhere than with itself, is mapped no longer.`;
  }
}

function explainerOf(model) { return model.places.several ? new ExplainerOfSeveral(model) : new Explainer(model); }

/* Numbers of the engines in operations (view.py, ENGINES). */
const ENGINE_WORDS = [null, (device) => `${device} kernels`, (device) => `host → ${device}`,
  (device) => `${device} → host`, (device) => `${device} link`];

/* What each device's engines do in the phase under way, and what memory each processor has. */
class Devices {
  constructor(model) {
    Object.assign(this, { model, canvas: $("engines"), places: model.places });
    this.context = this.canvas.getContext("2d");
    this.lanes = this.findLanes();
    $("devices").hidden = false;
    document.documentElement.dataset.devices = this.places.devices;
    $("processors").tBodies[0].append(...this.places.processors.map((it) => this.row(it)));
  }

  findLanes() {
    const { operations, places } = this.model, lanes = [];
    for (let device = 0; device < places.devices; device++)
      for (let engine = 1; engine < ENGINE_WORDS.length; engine++) {
        const bars = operations.filter((it) => it && it[7] === device && it[8] === engine && it[4] > it[3]);
        bars.sort((one, other) => one[3] - other[3]);
        if (bars.length) lanes.push({ device, engine, name: ENGINE_WORDS[engine](device), bars });
      }
    return lanes;
  }

  row(processor) {
    const cell = (key) => element("td", { processor, key });
    const head = element("th", {}, this.places.name(processor));
    head.scope = "row";
    return element("tr", {}, head, cell("own"), cell("pages"), cell("compute"), cell("copies"));
  }

  /* From where to where the engines are shown, ns: the phase under way, else what is between two. */
  span(step) {
    const { model } = this, phase = model.phaseAt(step);
    const timeOf = (at) => model.time[Math.max(0, model.stepEnd[at] - 1)];
    if (phase) return [model.time[model.lead[phase.begin]], timeOf(Math.min(model.steps, phase.end + 1)), phase.row];
    const before = model.phases.filter((it) => it.end <= step).pop();
    const after = model.phases.find((it) => it.begin > step);
    return [before ? timeOf(before.end) : model.origin, after ? model.time[model.lead[after.begin]]
      : timeOf(model.steps), "between phases"];
  }

  within(lane, [from, to]) { return lane.bars.filter((it) => it[4] > from && it[3] < to); }

  busy(lane, [from, to]) {
    return this.within(lane, [from, to]).reduce((sum, it) => sum + Math.min(it[4], to) - Math.max(it[3], from), 0);
  }

  tell(step, grid) {
    const { model, places } = this, span = this.span(step), resident = model.residentNow();
    put($("span"), `${span[2]}: ${timeText(Math.round(span[1] - span[0]))}; the upright line is now`, {});
    for (const processor of places.processors) {
      const lanes = this.lanes.filter((it) => it.device === processor - 1);
      const sum = (found) => found.reduce((all, it) => all + this.busy(it, span), 0);
      const values = { own: model.memory[processor][step], pages: resident[processor] * places.pageBytes,
        compute: sum(lanes.filter((it) => it.engine === 1)), copies: sum(lanes.filter((it) => it.engine > 1)) };
      for (const [key, value] of Object.entries(values)) {
        const cell = $("processors").querySelector(`[data-processor="${processor}"][data-key="${key}"]`);
        const isTime = key === "compute" || key === "copies";
        put(cell, isTime ? (processor ? timeText(Math.round(value)) : "–") : sizeText(value), { value });
      }
    }
    this.draw(step, grid, span);
  }

  draw(step, grid, span) {
    const { canvas, context, lanes, model } = this, ratio = window.devicePixelRatio || 1, scale = grid.scale || 1;
    const lane = Math.round(17 * scale), left = Math.round(78 * scale), width = canvas.clientWidth, gap = lane * 0.35;
    const top = (at) => at * lane + lanes[at].device * gap, height = lanes.length ? top(lanes.length - 1) + lane : 1;
    canvas.style.height = `${height}px`;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = `${Math.round(12 * scale)}px ui-monospace, monospace`;
    context.textBaseline = "middle";
    const [from, to] = span, x = (ns) => left + ((ns - from) / Math.max(1, to - from)) * (width - left);
    lanes.forEach((it, at) => {
      context.fillStyle = grid.text;
      context.fillText(it.name, 0, top(at) + lane / 2);
      context.fillStyle = grid.line;
      context.fillRect(left, top(at) + lane - 1, width - left, 1);
      for (const bar of this.within(it, span)) {
        context.fillStyle = this.colour(grid, it, bar);
        const begin = Math.max(left, x(bar[3]));
        context.fillRect(begin, top(at) + 2, Math.max(1, Math.min(width, x(bar[4])) - begin), lane - 4);
      }
    });
    const now = x(model.timeAt(step) + model.origin);
    context.fillStyle = grid.fault;
    if (now >= left) context.fillRect(Math.min(width - 2, now - 1), 0, 2, height);
    canvas.setAttribute("aria-label", lanes.map((it) => `${it.name}: busy ${timeText(Math.round(this.busy(it, span)))}`)
      .join("; "));
  }

  /* Kernels are grey; what moves bytes has the colour of where they go. */
  colour(grid, { device, engine }, bar) {
    if (engine === 1) return grid.kernel;
    if (engine === 2) return grid.fill[1 + device];
    const prefetched = /^GPU (\d+)$/.exec(this.model.strings[bar[6]]);
    return grid.fill[engine === 3 ? 0 : prefetched ? 1 + Number(prefetched[1]) : bar[10]];
  }
}
