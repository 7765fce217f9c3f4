/*
 * explain.js: one sentence for each step, for somebody who has not read the manual.
 */
"use strict";

const CALLS = {
  cudaMallocManaged: "asks for managed memory: one address for both sides",
  cudaMalloc: "asks for memory of the GPU, which the host cannot reach",
  cudaMallocHost: "asks for pinned host memory, which the GPU can reach over the bus",
  cudaHostAlloc: "asks for pinned host memory, which the GPU can reach over the bus",
  cudaFree: "frees memory",
  cudaFreeHost: "frees pinned memory",
  cudaMemcpy: "copies, and waits for it",
  cudaMemcpyAsync: "queues a copy",
  cudaMemset: "queues a memset",
  cudaMemsetAsync: "queues a memset",
  cudaLaunchKernel: "launches a kernel; it is only queued",
  cudaDeviceSynchronize: "waits for the GPU",
  cudaStreamSynchronize: "waits for a stream",
  cudaEventSynchronize: "waits for an event",
  cudaMemPrefetchAsync: "queues a prefetch: pages are to move before anybody touches them",
  cudaMemAdvise: "gives advice about pages",
  cudaMemGetInfo: "asks how much memory is free",
};
const PHASE_NAMES = { alloc: "getting memory", advice: "advice", h2d: "data to the GPU", kernel: "kernels",
  d2h: "data back", host: "the host's writes and reads", mixed: "several at once" };

function plural(count, what) { return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`; }

class Explainer {
  constructor(model) { this.model = model; }

  /* Where a page was. */
  where(state) {
    const holders = state & this.model.places.holders;
    if (!holders) return "was nowhere yet";
    if (setBits(holders) > 1) return "was on both sides";
    return holders === HOST ? "was on the host" : "was on the GPU";
  }

  /* What the effects of a step add up to. */
  sums(step) {
    const { kind, flags, b } = this.model.columns, K = this.model.K, { pageBytes } = this.model.places;
    const sums = { htod: 0, dtoh: 0, asked: 0, along: 0, evicted: 0, user: 0, made: 0, duplicated: 0, dropped: 0,
      mapped: 0, thrashing: 0, throttled: 0, evictions: 0 };
    for (let i = this.model.first(step); i < this.model.stepEnd[step]; i++) {
      const bytes = b[i] * pageBytes, cause = flags[i] >> 2;
      switch (kind[i]) {
      case K.Migration:
        if (cause === 4) { sums.evicted += bytes; break; }
        sums[flags[i] & 1 ? "htod" : "dtoh"] += bytes;
        sums[["asked", "user", "asked", "along"][cause]] += bytes;
        break;
      case K.Populate: sums.made += bytes; break;
      case K.ReadDuplicate: sums.duplicated += b[i]; break;
      case K.ReadDuplicateInvalidate: sums.dropped += b[i]; break;
      case K.MapRemote: sums.mapped += b[i]; break;
      case K.Thrashing: sums.thrashing += b[i]; break;
      case K.Throttling: /* they wait together */
        sums.throttled = Math.max(sums.throttled, this.model.columns.c[i]);
        break;
      case K.Eviction: sums.evictions++; break;
      }
    }
    return sums;
  }

  /* "64 KiB came back from the GPU (4 KiB asked for, 60 KiB brought along)" and what else happened. */
  effects(step, byHost) {
    const it = this.sums(step), parts = [];
    const detail = it.along ? ` (${sizeText(it.asked)} asked for, ${sizeText(it.along)} of neighbours brought along)`
      : "";
    const copied = it.duplicated ? "copied" : "moved";
    if (it.evicted) parts.push(`device memory is full, so ${sizeText(it.evicted)} had to leave for the host`);
    const back = byHost && !it.duplicated ? "came back" : `${copied} to the host`;
    if (it.dtoh) parts.push(`${sizeText(it.dtoh)} ${back}${detail}`);
    if (it.htod) parts.push(`${sizeText(it.htod)} ${copied} to the GPU${detail}`);
    if (it.duplicated) parts.push(`both sides now have ${plural(it.duplicated, "page")}`);
    if (it.made) parts.push(`${sizeText(it.made)} of memory were made, nothing had to move`);
    if (it.dropped) parts.push(`${it.dropped === 1 ? "one copy" : `${it.dropped.toLocaleString("en")} copies`} ` +
      `dropped${this.whyDropped(step, it)}`);
    if (it.mapped) parts.push(`${plural(it.mapped, "page")} of host memory mapped for the GPU, which reaches them ` +
      `over the bus${it.htod || it.dtoh ? "" : "; nothing moved"}`);
    if (it.thrashing) parts.push(`${plural(it.thrashing, "page")} found to go to and fro too often (thrashing)`);
    if (it.throttled) parts.push(`${byHost ? "the host" : "the GPU"} is kept waiting ${timeText(it.throttled)} for ` +
      `a page that thrashes`);
    return parts;
  }

  /* A throttled GPU faults again and again: batches without any effect after one that has to wait. */
  isRefused(step) {
    const { columns, lead, K } = this.model, op = columns.op[lead[step]];
    for (let s = step - 1; s > 0 && lead[s] >= 0 && columns.kind[lead[s]] === K.GpuFault
      && columns.op[lead[s]] === op; s--) {
      if (this.sums(s).throttled) return true;
      if (this.effects(s, false).length) return false;
    }
    return false;
  }

  whyDropped(step, sums) {
    const { kind } = this.model.columns, lead = kind[this.model.lead[step]];
    if (sums.evictions) return " to make room";
    return this.model.isFault(lead) ? ", because only one side may write" : "";
  }

  operation(op) {
    const it = op > 0 ? this.model.operations[op - 1] : null;
    if (!it) return null;
    const [what, stream, , start, end, bytes, detail] = it, s = this.model.strings;
    return { what: s[what], stream, start, end, bytes, detail: s[detail] };
  }

  actor(op) {
    const it = this.operation(op);
    if (!it) return "The GPU";
    if (it.what === "kernel") return `Kernel ${it.detail}`;
    return it.what === "memcpy" ? "The copy engine" : `The GPU (${it.what})`;
  }

  /* `before`: the state of the step's first page before it. */
  fault(step, i, before) {
    const { kind, flags, a, b, c, op } = this.model.columns, K = this.model.K;
    const byHost = kind[i] === K.CpuFault, region = this.model.regionOfLine(i, step);
    const page = (region ? a[i] - region.first : a[i]).toLocaleString("en"), did = flags[i] & 2 ? "wrote" : "read";
    const effects = this.effects(step, byHost), nothing = this.isRefused(step)
      ? "refused, for the GPU is still kept waiting" : "nothing moved, only the mapping was missing";
    const result = effects.length ? effects.join("; ") : nothing;
    if (byHost) return `The host ${did} page ${page}, which ${this.where(before)}: fault, ${result}.`;
    const more = b[i] > 1 ? `, and ${plural(b[i] - 1, "more page")}` : "";
    return `${this.actor(op[i])} ${did} page ${page}, which ${this.where(before)}${more}: a batch of faults (adds ` +
      `${plural(c[i], "fault group")}), ${result}.`;
  }

  operationEnd(i) {
    const it = this.operation(this.model.columns.a[i] + 1), faults = this.model.faultsOf[this.model.columns.a[i] + 1];
    if (!it) return "An operation ended.";
    const took = timeText(it.end - it.start), stream = it.stream ? ` on stream ${it.stream}` : "";
    const ways = { HtoD: "from the host to the GPU", DtoH: "from the GPU to the host", DtoD: "within the GPU",
      HtoH: "within the host" };
    switch (it.what) {
    case "kernel":
      const batches = faults === 1 ? "one batch" : `${faults} batches`;
      const within = faults ? `, with ${batches} of faults in it` : ", without a fault";
      return `Kernel ${it.detail} ended${stream}: it took ${took}${within}.`;
    case "memcpy": return `A copy of ${sizeText(it.bytes)} ${ways[it.detail]} ended${stream}: ${took}.`;
    case "memset": return `A memset of ${sizeText(it.bytes)} ended${stream}: ${took}.`;
    case "prefetch": return `A prefetch to the ${it.detail === "CPU" ? "host" : "GPU"} ended${stream}: ` +
      `${sizeText(it.bytes)} moved, ${took}.`;
    default: return `${it.what[0].toUpperCase()}${it.what.slice(1)}${stream}.`;
    }
  }

  call(step, i) {
    const { kind, a, b } = this.model.columns, K = this.model.K, name = this.model.strings[a[i]];
    const effects = this.effects(step, true), known = CALLS[name];
    let text = known ? `The host ${known}` : `The host calls ${name}`, memory = -1;
    for (let line = i; line < this.model.stepEnd[step]; line++)
      if (kind[line] === K.allocation || kind[line] === K.release) memory = line;
    if (memory >= 0) {
      const size = sizeText(this.model.bytesOf(memory)), of = this.model.strings[b[memory]];
      if (kind[memory] === K.release) text = `The host frees ${size} of ${of} memory`;
      else {
        const untouched = of === "managed" && !effects.length;
        text += ` (${size})${untouched ? "; nobody has touched it, so no page of it is anywhere" : ""}`;
      }
    } else if (name === "cudaFree" && kind[this.model.stepEnd[step]] === K.return) {
      text = "The host frees nothing: such a call only makes sure that CUDA has started";
    }
    return `${text}${effects.length ? `: ${effects.join("; ")}` : ""}.`;
  }

  transfer(step, i) {
    const { op } = this.model.columns, it = this.operation(op[i]), effects = this.effects(step, !it).join("; ");
    if (!it) return `${effects[0].toUpperCase()}${effects.slice(1)}.`;
    if (it.what === "prefetch") return `The prefetch to the ${it.detail === "CPU" ? "host" : "GPU"}: ` +
      `${effects || "nothing to do"}.`;
    if (it.what === "kernel") return `Before kernel ${it.detail} may run: ${effects}.`;
    return `${this.actor(op[i])}: ${effects}.`;
  }

  /* The sentence for `step`; `before` as in fault(). */
  step(step, before) {
    const { model } = this, { kind, a, b } = model.columns, K = model.K, i = model.lead[step];
    if (step === 0) return "Before the first event. Press play, or step with the arrow keys.";
    if (i < 0) return "The end of the trace.";
    if (model.isFault(kind[i])) return this.fault(step, i, before);
    if (model.isEffect(kind[i])) return this.transfer(step, i);
    if (kind[i] === K.call) return this.call(step, i);
    if (kind[i] === K.operation) return this.operationEnd(i);
    if (kind[i] === K.phase) return `A phase begins: “${model.strings[a[i]]}” ` +
      `(${PHASE_NAMES[model.strings[b[i]]] || model.strings[b[i]]}).`;
    if (kind[i] === K.UnmapRemote) return "Because of advice, the GPU's mappings of host memory here are gone.";
    const region = model.regionOfStep(step);
    if (kind[i] === K.release || kind[i] === K.RangeDestroy) return "Memory is freed.";
    if (!region) return "Memory comes to life.";
    return region.isVariables ? `Managed memory is there from the start: ${region.title}; the loader filled it.`
      : `Memory comes to life: ${region.title}.`;
  }
}
