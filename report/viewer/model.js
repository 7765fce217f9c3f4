/*
 * model.js: the trace as a story that can be opened at any place. No drawing here, and nothing of the document.
 *
 * What view.py packed are columns: for each line of the trace its kind, its time, and four numbers (a, b, op, c):
 *
 *     call, return        a: name, op: what was issued in it, c: the error
 *     phase, phase end    a: row, b: phase
 *     allocation, release a: region or 0, b: kind of memory, c: bytes (op: the upper half, of several devices)
 *     RangeCreate, ...    a: first page, b: pages, c: region (1 is the first)
 *     paging              a: first page, b: pages, op: what it is due to, c: groups or nanoseconds,
 *                         flags: who, how, why
 *     operation           a: which
 *
 * Of several devices there are two more: `to`, the processor (places.js) that a paging line is about, 1 + the device of
 * a call or of memory; `from`, 1 + where pages came from, and whether they stay there, too.
 *
 * A step is what a reader takes for one event: a fault with all that it brought, a call, a phase's beginning, a
 * kernel's or a copy's end. Step 0 is before the first line, the last step after the last one. Counts are kept for each
 * step; who holds each page is kept for some (checkpoints), and played from the last of these.
 */
"use strict";

const CHECKPOINT_BYTES = 48 << 20;

async function unpack(data) {
  const zipped = Uint8Array.from(atob(data.columns), (letter) => letter.charCodeAt(0));
  const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = await new Response(stream).arrayBuffer();
  const n = data.events, columns = { dt: new Float64Array(bytes, 0, n) };
  ["a", "b", "op", "c"].forEach((key, i) => { columns[key] = new Uint32Array(bytes, 8 * n + 4 * i * n, n); });
  columns.kind = new Uint8Array(bytes, 24 * n, n);
  columns.flags = new Uint8Array(bytes, 25 * n, n);
  columns.to = data.devices ? new Uint8Array(bytes, 26 * n, n) : columns.flags.map((flags) => flags & 1);
  columns.from = data.devices ? new Uint8Array(bytes, 27 * n, n) : new Uint8Array(n);
  return columns;
}

class Model {
  static async of(data) {
    const model = new Model();
    Object.assign(model, { data, meta: data.meta, regions: data.regions, operations: data.operations,
      strings: data.strings });
    model.places = new Places(data.devices || 1, data.page_bytes);
    model.columns = await unpack(data);
    model.K = Object.fromEntries(data.kinds.map((name, i) => [name, i]));
    model.name = data.kinds;
    model.counts = new Counts(model);
    model.counters = model.counts.list;
    model.countTimes();
    model.cutIntoSteps();
    model.countAll();
    model.nameRegions();
    model.seekStart();
    return model;
  }

  /* ---- once ---- */

  countTimes() {
    const { dt } = this.columns;
    this.time = new Float64Array(dt.length);
    let now = this.data.start;
    for (let i = 0; i < dt.length; i++) this.time[i] = now += dt[i];
    /* What comes before the program's first call is the simulator's own start. */
    const first = this.columns.kind.indexOf(this.K.call);
    this.origin = first < 0 ? this.data.start : this.time[first];
  }

  isFault(kind) { return kind === this.K.CpuFault || kind === this.K.GpuFault; }
  isEffect(kind) { return kind >= this.K.Migration && kind <= this.K.Throttling; }
  isMemory(kind) { return kind >= this.K.allocation && kind <= this.K.UnmapRemote; }

  /* Whether line i goes on with the step whose leading line is `lead`. */
  continues(i, lead) {
    const { kind, op } = this.columns, K = this.K;
    if (lead < 0) return false;
    if (this.isEffect(kind[i])) {
      if (this.isFault(kind[lead]) || this.isEffect(kind[lead])) return op[i] === op[lead];
      return op[i] === 0 && (kind[lead] === K.call || this.isMemory(kind[lead]));
    }
    return this.isMemory(kind[i]) && (kind[lead] === K.call || this.isMemory(kind[lead]));
  }

  /* stepEnd[s]: the first line after step s; lead[s]: the line that the step is about. */
  cutIntoSteps() {
    const { kind } = this.columns, n = kind.length, K = this.K;
    const ends = [0], leads = [-1];
    let lead = -1;
    for (let i = 0; i < n; i++) {
      if (kind[i] === K.return || kind[i] === K["phase end"]) {
        lead = -1; /* belongs to the step that comes next */
      } else if (this.continues(i, lead)) {
        ends[ends.length - 1] = i + 1;
      } else {
        lead = i;
        ends.push(i + 1);
        leads.push(i);
      }
    }
    if (ends[ends.length - 1] < n) { ends.push(n); leads.push(-1); }
    this.stepEnd = Uint32Array.from(ends);
    this.lead = Int32Array.from(leads);
    this.steps = ends.length - 1;
  }

  first(step) { return step > 0 ? this.stepEnd[step - 1] : 0; }

  /* For each step: counts so far, the phase and the call that are under way. And phases; faults of each operation. */
  countAll() {
    const { kind, op, a, b } = this.columns, K = this.K, sums = new Float64Array(this.counters.length);
    const phases = new Map(), calls = [], held = this.places.processors.map(() => 0);
    this.cumulated = this.counters.map(() => new Float64Array(this.steps + 1));
    this.memory = this.places.processors.map(() => new Float64Array(this.steps + 1));
    this.phaseOf = new Int32Array(this.steps + 1).fill(-1);
    this.callOf = new Int32Array(this.steps + 1).fill(-1);
    this.faultsOf = new Uint32Array(this.operations.length + 1);
    this.phases = [];
    for (let s = 1; s <= this.steps; s++) {
      for (let i = this.first(s); i < this.stepEnd[s]; i++) {
        switch (kind[i]) {
        case K.call: calls.push(a[i]); break;
        case K.return: if (calls.includes(a[i])) calls.splice(calls.lastIndexOf(a[i]), 1); break;
        case K["phase end"]:
          if (phases.has(a[i])) this.endPhase(phases.get(a[i]), s - 1, sums);
          phases.delete(a[i]);
          break;
        case K.phase:
          phases.set(a[i], { index: this.phases.length, row: this.strings[a[i]], phase: this.strings[b[i]], begin: s,
            counts: sums.slice() });
          this.phases.push(phases.get(a[i]));
          break;
        case K.GpuFault: this.faultsOf[op[i]]++; break;
        case K.allocation: this.hold(held, i, 1); break;
        case K.release: this.hold(held, i, -1); break;
        }
        this.counts.line(i, sums);
      }
      held.forEach((bytes, processor) => { this.memory[processor][s] = bytes; });
      sums.forEach((value, at) => { this.cumulated[at][s] = value; });
      if (calls.length) this.callOf[s] = calls[calls.length - 1];
      for (const phase of phases.values()) this.phaseOf[s] = phase.index;
    }
    for (const phase of phases.values()) this.endPhase(phase, this.steps, sums);
  }

  /* How many bytes an allocation has. */
  bytesOf(i) { return this.columns.op[i] * 2 ** 32 + this.columns.c[i]; }

  hold(held, i, sign) {
    const whose = this.memoryOf(i);
    if (whose >= 0) held[whose] += sign * this.bytesOf(i);
  }

  /* Whose memory an allocation is that does not move: -1 is nobody's. */
  memoryOf(i) {
    const { to, b } = this.columns, kind = this.strings[b[i]];
    if (kind.startsWith("device")) return this.places.several ? to[i] || -1 : 1;
    return kind === "pinned" ? 0 : -1;
  }

  endPhase(phase, step, sums) {
    phase.end = Math.max(step, phase.begin);
    phase.counts = sums.map((value, at) => value - phase.counts[at]);
  }

  /* A region is called by what it was for: the first phase in which something happened to it. */
  nameRegions() {
    this.regions.forEach((region, index) => {
      region.index = index;
      region.beginStep = this.stepAt(region.begin);
      region.endStep = region.end === null ? this.steps : this.stepAt(region.end);
      const phase = this.phases.find((it) => it.end >= region.beginStep);
      region.isVariables = region.allocations.some((it) => it.call === "__managed__");
      region.title = region.isVariables ? "__managed__ variables" : this.sizeOf(region);
      if (phase && !region.isVariables) region.title += ` · ${phase.row.split(":")[0]}`;
    });
  }

  /* Small allocations share a block. */
  sizeOf(region) {
    const alone = region.count === 1 ? region.allocations[0].bytes : region.bytes;
    if (region.count > 1) return `${region.count.toLocaleString("en")} small ones, managed, in ` +
      `${sizeText(region.bytes)}`;
    const block = alone < region.bytes ? `, in a block of ${sizeText(region.bytes)}` : "";
    const kind = region.device === undefined ? region.kind : `on device ${region.device}`;
    return `${sizeText(alone)} ${kind}${block}`;
  }

  /* The step that line i is in. */
  stepAt(i) {
    let low = 0, high = this.steps;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.stepEnd[middle] > i) high = middle; else low = middle + 1;
    }
    return low;
  }

  /* ---- where pages are ---- */

  seekStart() {
    const each = Math.max(1, this.places.bytes * this.data.pages);
    const capacity = Math.max(2, Math.min(256, Math.floor(CHECKPOINT_BYTES / each)));
    this.every = Math.max(1, Math.ceil(this.steps / capacity));
    this.checkpoints = [];
    this.pages = this.places.array(this.data.pages);
    this.at = 0;
    for (let s = 0; s <= this.steps; s++) {
      if (s > 0) this.play(s);
      if (s % this.every === 0) this.checkpoints.push(this.pages.slice());
    }
    this.at = this.steps;
  }

  /* A page that comes is mapped by nobody else. What others have of it ends with it, which of several devices further
   * lines say; with one device it is the other side's. */
  apply(i) {
    const { kind, a, b, to, from } = this.columns, K = this.K, { pages, places } = this;
    const end = a[i] + b[i], here = places.at(to[i]), { several } = places;
    switch (kind[i]) {
    case K.RangeCreate: case K.RangeDestroy: pages.fill(0, a[i], end); break;
    case K.Populate: pages.fill(here, a[i], end); break;
    case K.Migration: if (several) this.arrive(i, here, from[i]); else pages.fill(here, a[i], end); break;
    case K.ReadDuplicate: for (let p = a[i]; p < end; p++) pages[p] |= several ? here : places.holders; break;
    case K.ReadDuplicateInvalidate: for (let p = a[i]; p < end; p++) pages[p] &= ~here; break;
    case K.MapRemote: this.map(i, several); break;
    case K.UnmapRemote: this.unmap(a[i], end, several && to[i] !== ALL_DEVICES ? places.mapped(to[i] - 1)
      : places.mappings); break;
    }
  }

  arrive(i, here, from) {
    const { a, b } = this.columns, { pages, places } = this, stays = from & COPY ? 0 : places.at((from & FROM) - 1);
    for (let p = a[i]; p < a[i] + b[i]; p++) pages[p] = (pages[p] & places.holders & ~stays) | here;
  }

  map(i, several) {
    const { a, b, to } = this.columns, { pages, places } = this;
    if (!to[i]) return; /* the host maps nobody's */
    const bit = places.mapped(to[i] - 1);
    for (let p = a[i]; p < a[i] + b[i]; p++) if (several || pages[p] === HOST) pages[p] |= bit;
  }

  unmap(first, end, bits) { for (let p = first; p < end; p++) this.pages[p] &= ~bits; }

  play(step) { for (let i = this.first(step); i < this.stepEnd[step]; i++) this.apply(i); }

  /* this.pages as they are after `step`. */
  seek(step) {
    const checkpoint = Math.floor(step / this.every);
    if (step < this.at || checkpoint * this.every > this.at) {
      this.pages.set(this.checkpoints[checkpoint]);
      this.at = checkpoint * this.every;
    }
    while (this.at < step) this.play(++this.at);
    return this.pages;
  }

  /* The state of one page of a region; device and pinned memory stays where it is. */
  stateOf(region, page) {
    return region.kind === "managed" ? this.pages[region.first + page] : this.places.fixed(region);
  }

  isAlive(region, step) { return region.beginStep <= step && (step < region.endStep || region.end === null); }

  /* The region that line i is about, if any. */
  regionOfLine(i, step) {
    const { kind, a, c } = this.columns, K = this.K;
    if (kind[i] === K.RangeCreate || kind[i] === K.RangeDestroy) return this.regions[c[i] - 1] || null;
    if (kind[i] === K.allocation || kind[i] === K.release) return this.regions[a[i] - 1] || null;
    if (this.isFault(kind[i]) || this.isEffect(kind[i]) || kind[i] === K.UnmapRemote)
      return this.regions.find((it) => it.kind === "managed" && it.begin <= i && (it.end === null || it.end >= i) &&
        a[i] >= it.first && a[i] < it.first + it.pages) || null;
    return null;
  }

  regionOfStep(step) {
    for (let i = this.first(step); i < this.stepEnd[step]; i++) {
      const region = this.regionOfLine(i, step);
      if (region) return region;
    }
    return null;
  }

  /* How umsim_residency() draws a range: H host, G GPU (of several: its number), = several, . nowhere; a mixed part in
   * small letters. */
  residencyBar(region, characters) {
    const { places } = this, devices = places.processors.slice(1), width = Math.min(characters, region.pages);
    const letters = ["hH", ...devices.map((it) => `g${places.several ? it - 1 : "G"}`), "-=", ",."];
    const placeOf = (holders) => (!holders ? devices.length + 2 : setBits(holders) > 1 ? devices.length + 1
      : Math.log2(holders));
    let text = "";
    for (let cell = 0; cell < width; cell++) {
      const from = Math.floor((cell * region.pages) / width), to = Math.floor(((cell + 1) * region.pages) / width);
      const counts = letters.map(() => 0);
      for (let p = from; p < to; p++) counts[placeOf(this.stateOf(region, p) & places.holders)]++;
      const most = counts.indexOf(Math.max(...counts));
      text += letters[most][counts[most] === to - from ? 1 : 0];
    }
    return text;
  }

  /* How many pages of all managed memory each processor has now. */
  residentNow() {
    const found = this.places.processors.map(() => 0), step = this.at;
    for (const region of this.regions)
      if (region.kind === "managed" && this.isAlive(region, step))
        for (let p = region.first; p < region.first + region.pages; p++)
          found.forEach((_, processor) => { if (this.pages[p] & this.places.at(processor)) found[processor]++; });
    return found;
  }

  /* ---- what a step is about ---- */

  /* The phase that is under way after `step` (of several the one that began last), or null. */
  phaseAt(step) { return this.phases[this.phaseOf[step]] || null; }

  /* The call that the host is in after `step`, or null. */
  callAt(step) { return this.callOf[step] < 0 ? null : this.strings[this.callOf[step]]; }

  counted(step) { return this.cumulated.map((it) => it[step]); }

  /* Nanoseconds since the program's first call. */
  timeAt(step) {
    const line = this.lead[step] >= 0 ? this.lead[step] : this.stepEnd[step] - 1;
    return step === 0 ? 0 : Math.max(0, this.time[line] - this.origin);
  }

  /* Sums for each row of the lab's table, phases of the same row added up. A row that counts nothing itself and whose
   * parts are rows, `managed` beside `managed: kernel`, is left out: in the lab's table it stands for them. */
  rows() {
    const rows = new Map();
    for (const phase of this.phases) {
      const sums = rows.get(phase.row) || this.counters.map(() => 0);
      rows.set(phase.row, sums.map((value, at) => value + phase.counts[at]));
    }
    const standsForParts = ([row, sums]) => sums.every((sum) => sum === 0)
      && [...rows.keys()].some((other) => other.startsWith(row + ": "));
    return [...rows].filter((row) => !standsForParts(row)).map(([row, sums]) =>
      ({ row, ...Object.fromEntries(this.counters.map(([key], at) => [key, sums[at]])) }));
  }
}

/* "64 KiB", "1.5 MiB" */
function sizeText(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0, value = bytes;
  while (value >= 1024 && unit < units.length - 1) { value /= 1024; unit++; }
  return `${Number.isInteger(value) ? value : value.toFixed(value < 10 ? 2 : 1)} ${units[unit]}`;
}

/* "3.25 us", "1.2 ms" */
function timeText(ns) {
  if (ns < 1e3) return `${ns} ns`;
  if (ns < 1e6) return `${(ns / 1e3).toFixed(1)} µs`;
  return ns < 1e9 ? `${(ns / 1e6).toFixed(3)} ms` : `${(ns / 1e9).toFixed(3)} s`;
}
