/*
 * places.js: where a page can be, as bits of a number, as a colour, as letters and in words; and what is counted.
 *
 * Processors are numbered: 0 is the host, 1 device 0, 2 device 1, and so on. A page's state has a bit for each that has
 * it (1 << processor), and one for each device that has mapped it where it is (1 << devices + 1 + device).
 */
"use strict";

const HOST = 1;
const USUAL_PAGE = 4096, BLOCK_BYTES = 2 << 20; /* a trace tells where pages are larger */
const FROM = 15, COPY = 128; /* of the column `from`: 1 + where pages came from; they stay there, too */
const ALL_DEVICES = 255; /* of the column `to`, where old traces do not tell whose mappings end */

function setBits(number) {
  let bits = 0;
  for (let rest = number; rest; rest &= rest - 1) bits++;
  return bits;
}

class Places {
  constructor(devices, pageBytes = USUAL_PAGE) {
    Object.assign(this, { devices, pageBytes, blockPages: BLOCK_BYTES / pageBytes });
    this.several = devices > 1;
    this.holders = (1 << (devices + 1)) - 1;
    this.mappings = ((1 << devices) - 1) << (devices + 1);
    this.states = 1 << (2 * devices + 1);
    this.owners = this.several ? this.ownersOfSeveral() : [
      { key: "host", colour: "host", letter: "H", most: "h", words: "on the host" },
      { key: "gpu", colour: "gpu", letter: "G", most: "g", words: "on the GPU" },
      { key: "both", colour: "both", letter: "=", most: "-", words: "on both", legend: "on both (duplicate)" },
      { key: "remote", colour: "remote", letter: "R", most: "r", words: "on the host, mapped by the GPU" },
      { key: "nowhere", colour: "nowhere", letter: "·", most: ",", words: "nowhere yet" }];
    this.nowhere = this.owners.length - 1;
  }

  /* Two colours take turns among devices: their numbers tell them apart. */
  ownersOfSeveral() {
    const devices = Array.from({ length: this.devices }, (_, number) => number);
    return [{ key: "host", colour: "host", letter: "H", most: "h", words: "on the host" },
      ...devices.map((number) => ({ key: `device-${number}`, colour: number % 2 ? "gpu-1" : "gpu",
        letter: `${number}`, most: String.fromCharCode(0x2080 + number), words: `on device ${number}` })),
      { key: "both", colour: "both", letter: "=", most: "-", words: "copied on several" },
      { key: "remote", colour: "remote", letter: "R", most: "r", words: "on the host, mapped by a device" },
      ...devices.map((number) => ({ key: `far-${number}`, colour: number % 2 ? "far-1" : "far",
        letter: `${number}+`, most: "f", words: `on device ${number}, mapped by another` })),
      { key: "nowhere", colour: "nowhere", letter: "·", most: ",", words: "nowhere yet" }];
  }

  /* One number a page. */
  array(pages) { return this.states > 256 ? new Uint32Array(pages) : new Uint8Array(pages); }
  get bytes() { return this.states > 256 ? 4 : 1; }

  /* The bit of who has a page; of a device (0 is the first) that has it mapped elsewhere. */
  at(processor) { return 1 << processor; }
  mapped(device) { return 1 << (this.devices + 1 + device); }
  get gpu() { return this.at(1); }
  get processors() { return Array.from({ length: this.devices + 1 }, (_, processor) => processor); }

  /* "the host", "the GPU", "device 1" */
  name(processor) {
    if (processor === 0) return "the host";
    return this.several ? `device ${processor - 1}` : "the GPU";
  }

  short(processor) { return processor === 0 ? "host" : `${processor - 1}`; }

  /* The place among `owners`. */
  ownerOf(state) {
    const holders = state & this.holders, isMapped = Boolean(state & this.mappings), { devices } = this;
    if (!holders) return this.nowhere;
    if (setBits(holders) > 1) return devices + 1;
    if (holders === HOST) return isMapped ? devices + 2 : 0;
    return Math.log2(holders) + (isMapped && this.several ? devices + 2 : 0);
  }

  listed(words) {
    return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
  }

  /* "on device 0, mapped by device 1" */
  words(state) {
    if (!this.several || !(state & this.holders)) return this.owners[this.ownerOf(state)].words;
    const holders = this.processors.filter((it) => state & this.at(it)).map((it) => this.name(it));
    const mapped = this.processors.slice(1).filter((it) => state & this.mapped(it - 1)).map((it) => this.name(it));
    return `on ${this.listed(holders)}${mapped.length ? `, mapped by ${this.listed(mapped)}` : ""}`;
  }

  /* Of memory that does not move. */
  fixed(region) {
    return region.kind === "device" ? this.at(1 + (region.device || 0)) : HOST | this.mappings;
  }

  /* [from, to] of all pairs that bytes can go between. */
  get pairs() {
    return this.processors.flatMap((from) => this.processors.filter((to) => to !== from).map((to) => [from, to]));
  }

  pairWords([from, to]) {
    const name = (processor) => (processor ? `GPU ${processor - 1}` : "host");
    return `${name(from)}→${name(to)}`;
  }
}

/* Counts: key (UVM's or CUPTI's name where there is one), what it is called, what it counts in, and says. */
const COUNTERS = [
  ["CpuPageFaultCount", "CPU faults", "", "Faults of host threads on managed memory"],
  ["GpuPageFaultCount", "GPU fault groups", "", "Faults on the first page of each batch, as CUPTI counts them"],
  ["BytesXferHtD", "moved to the GPU", "B", "Bytes of managed memory that moved host to device"],
  ["BytesXferDtH", "moved to the host", "B", "Bytes of managed memory that moved device to host"],
  ["Eviction", "evictions", "", "2 MiB chunks that had to leave full device memory"],
  ["ReadDuplicate", "pages duplicated", "", "Pages that host and GPU both got a copy of"],
  ["ReadDuplicateInvalidate", "copies dropped", "", "Copies of pages dropped because one side wrote"],
  ["MapRemote", "pages mapped remotely", "", "Host pages that the GPU mapped instead of moving them"],
  ["ThrashingDetected", "pages thrashing", "", "Times a page was found to go to and fro too often"],
  ["Throttling", "throttlings", "", "Times one side was kept waiting for such a page"],
  ["MemcpyHtD", "copied to the GPU", "B", "Bytes that cudaMemcpy and related calls copied host to device"],
  ["MemcpyDtH", "copied to the host", "B", "Bytes that cudaMemcpy and related calls copied device to host"],
];
const IN_PHASES = ["CpuPageFaultCount", "GpuPageFaultCount", "BytesXferHtD", "BytesXferDtH", "Eviction",
  "ReadDuplicate", "ThrashingDetected", "MemcpyHtD", "MemcpyDtH"];

/* With several devices: what is a device's own once for each, what moves once for each pair. */
function countersOfSeveral(places) {
  const devices = Array.from({ length: places.devices }, (_, device) => device);
  const pairs = (what, label, title) => places.pairs.map((pair) =>
    [`${what}-${pair.map((it) => places.short(it)).join("-")}`, `${label} ${places.pairWords(pair)}`, "B", title]);
  const kept = (...keys) => COUNTERS.filter(([key]) => keys.includes(key));
  return [...kept("CpuPageFaultCount"),
    ...devices.map((it) => [`GpuPageFaultCount-${it}`, `GPU ${it} fault groups`, "",
      "Faults of this device, on the first page of each batch"]),
    ...pairs("moved", "moved", "Bytes of managed memory that moved"), ...kept("Eviction"),
    ["ReadDuplicate", "pages duplicated", "", "Pages that one more processor got a copy of"],
    ["ReadDuplicateInvalidate", "copies dropped", "", "Copies of pages dropped because somebody wrote"],
    ...devices.map((it) => [`MapRemote-${it}`, `mapped by GPU ${it}`, "",
      "Pages elsewhere that it mapped instead of moving them"]),
    ...kept("ThrashingDetected", "Throttling"),
    ...pairs("copied", "copied", "Bytes that cudaMemcpy and related calls copied")];
}

class Counts {
  constructor(model) {
    const { places } = model;
    Object.assign(this, { model, places, list: places.several ? countersOfSeveral(places) : COUNTERS });
    this.place = new Map(this.list.map(([key], at) => [key, at]));
  }

  add(sums, key, amount) {
    const at = this.place.get(key);
    if (at !== undefined) sums[at] += amount;
  }

  /* What bytes that moved or were copied count as. */
  pair(what, from, to) {
    if (this.places.several) return `${what}-${this.places.short(from)}-${this.places.short(to)}`;
    return { moved: ["BytesXferDtH", "BytesXferHtD"], copied: ["MemcpyDtH", "MemcpyHtD"] }[what][to];
  }

  of(name, processor) { return this.places.several ? `${name}-${processor - 1}` : name; }

  /* Adds line i. */
  line(i, sums) {
    const { kind, a, b, c, to, from } = this.model.columns, K = this.model.K, { pageBytes } = this.places;
    switch (kind[i]) {
    case K.CpuFault: this.add(sums, "CpuPageFaultCount", 1); break;
    case K.GpuFault: this.add(sums, this.of("GpuPageFaultCount", to[i]), c[i]); break;
    case K.Migration: this.add(sums, this.pair("moved", (from[i] & FROM) - 1, to[i]), b[i] * pageBytes); break;
    case K.Eviction: this.add(sums, "Eviction", 1); break;
    case K.ReadDuplicate: this.add(sums, "ReadDuplicate", b[i]); break;
    case K.ReadDuplicateInvalidate: this.add(sums, "ReadDuplicateInvalidate", b[i]); break;
    case K.MapRemote: if (to[i]) this.add(sums, this.of("MapRemote", to[i]), b[i]); break;
    case K.Thrashing: this.add(sums, "ThrashingDetected", b[i]); break;
    case K.Throttling: this.add(sums, "Throttling", 1); break;
    case K.operation: this.copy(this.model.operations[a[i]], sums); break;
    }
  }

  copy([what, , , , , bytes, detail, , , reads, writes], sums) {
    const { strings } = this.model;
    if (strings[what] !== "memcpy") return;
    if (this.places.several) this.add(sums, this.pair("copied", reads, writes), bytes);
    else if (["DtoH", "HtoD"].includes(strings[detail]))
      this.add(sums, this.pair("copied", 0, strings[detail] === "HtoD" ? 1 : 0), bytes);
  }

  /* The columns of the table of phases: of several devices what there was at all. */
  inPhases(totals) {
    return this.list.map((_, at) => at).filter((at) =>
      (this.places.several ? totals[at] > 0 : IN_PHASES.includes(this.list[at][0])));
  }
}
