/*
 * page.js: the controls, and what they say. The numbers are model.js's, the picture draw.js's.
 */
"use strict";

const $ = (id) => document.getElementById(id);
const KEYS = [["Space", "play, pause"], ["← →", "event before, after"], ["PgUp PgDn", "phase before, after"],
  ["Home End", "beginning, end"], ["F Shift+F", "fault after, before"], ["+ −", "faster, slower"],
  ["V", "2 MiB blocks instead of pages"],
  ["G", "go to the grid; there arrows move, Enter opens a block, Esc closes it"],
  ["[ ]", "memory before, after"], ["B", "big text"], ["D", "dark, light"], ["?", "this list"]];

class Viewer {
  constructor(model) {
    Object.assign(this, { model, explainer: explainerOf(model), step: 0, playing: false, owed: 0, last: 0,
      region: null });
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.grid = new Grid($("pages"), model);
    this.overview = new Overview($("overview"), model);
    this.devices = model.places.several ? new Devices(model) : null;
    this.fillIn();
    this.listen();
    const preferred = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    this.useTheme(document.documentElement.dataset.theme || preferred);
    this.showRegion(this.firstRegion());
    this.goTo(this.region.beginStep); /* not before there is anything to see */
  }

  firstRegion() {
    const { regions } = this.model;
    return regions.find((it) => it.kind === "managed" && !it.isVariables)
      || regions.find((it) => it.kind === "managed");
  }

  /* ---- once ---- */

  fillIn() {
    const { model } = this, { meta } = model;
    const gpus = model.places.several ? `${model.places.devices} simulated GPUs` : "Simulated GPU";
    $("origin").textContent = `${meta.profile ? `${gpus} ${meta.profile}, modelled times` : gpus} ` +
      `· ${model.data.events.toLocaleString("en")} lines of ${meta.source}`;
    $("time").max = model.steps;
    const groups = [["managed", "Managed memory"], ["", "Does not move"]].map(([kind, label]) => {
      const group = document.createElement("optgroup");
      group.label = label;
      model.regions.filter((it) => (it.kind === "managed") === (kind === "managed")).forEach((it) =>
        group.append(new Option(`${it.index + 1}: ${it.title}`, it.index)));
      return group;
    });
    $("allocation").append(...groups.filter((it) => it.children.length));
    $("counters").tBodies[0].append(...this.model.counters.map(([key, label, , title], at) =>
      this.counterRow(key, label, title, at)));
    $("legend").append(...model.places.owners.map((it) => this.legendRow(it)),
      element("li", { mark: "fault" }, element("i", {}, "✕"), element("span", {}, "a fault, now")),
      element("li", { mark: "moved" }, element("i", {}, ""), element("span", {}, "changed, now")));
    $("keys").append(...KEYS.map(([key, what]) => element("p", {}, element("kbd", {}, key), ` ${what}`)));
    this.fillPhases();
  }

  legendRow({ key, colour, letter, words, legend }) {
    const mark = element("i", {}, letter);
    mark.style.background = `var(--${colour})`;
    mark.style.color = `var(--${colour}-ink)`;
    return element("li", { owner: key }, mark, element("span", {}, legend || words), element("b", { pages: "" }));
  }

  counterRow(key, label, title, at) {
    const head = element("th", {}, label), used = this.model.cumulated[at][this.model.steps] > 0;
    head.scope = "row";
    const row = element("tr", { used: used ? "yes" : "no" }, head, element("td", { counter: key, scope: "phase" }),
      element("td", { counter: key, scope: "total" }));
    row.title = `${key}: ${title}`;
    return row;
  }

  fillPhases() {
    const { counters, steps, counts } = this.model, columns = counts.inPhases(this.model.counted(steps));
    const head = element("tr", {}, element("th", {}, "row"),
      ...columns.map((at) => element("th", {}, counters[at][1])));
    $("phases").tHead.append(head);
    for (const row of this.model.rows()) {
      const button = element("button", {}, row.row);
      button.type = "button";
      button.addEventListener("click", () => this.goTo(this.model.phases.find((it) => it.row === row.row).begin));
      const cells = columns.map((at) => {
        const [key, , unit] = counters[at];
        return element("td", { counter: key, value: row[key] }, valueText(row[key], unit));
      });
      $("phases").tBodies[0].append(element("tr", { row: row.row }, element("th", {}, button), ...cells));
    }
    document.querySelector(".phases").hidden = !this.model.phases.length;
  }

  listen() {
    const on = (id, what, how) => $(id).addEventListener(what, how);
    on("play", "click", () => this.setPlaying(!this.playing));
    on("step", "click", () => this.stepBy(1));
    on("back", "click", () => this.stepBy(-1));
    on("next-phase", "click", () => this.phaseBy(1));
    on("previous-phase", "click", () => this.phaseBy(-1));
    on("first", "click", () => this.goTo(0));
    on("last", "click", () => this.goTo(this.model.steps));
    on("time", "input", () => this.goTo(Number($("time").value)));
    on("allocation", "change",
      () => { $("follow").checked = false; this.showRegion(this.model.regions[Number($("allocation").value)]); });
    on("follow", "change", () => this.goTo(this.step));
    on("big", "click", () => this.toggleBig());
    on("theme", "click", () => this.useTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
    on("help", "click", () => this.toggleHelp());
    on("blocks", "click", () => this.toggleBlocks());
    on("whole", "click", () => this.closeBlock());
    on("overview", "pointerdown", (event) => this.drag(event));
    on("overview", "pointermove", (event) => { if (event.buttons) this.drag(event); });
    on("pages", "pointermove", (event) => this.point(event));
    on("pages", "pointerleave", () => this.say(-1));
    on("pages", "click", (event) => this.openBlock(this.unitUnder(event)));
    on("pages", "keydown", (event) => this.gridKey(event));
    on("pages", "focus", () => {
      this.grid.cursor = Math.max(0, this.grid.cursor);
      this.say(this.grid.cursor);
      this.draw();
    });
    on("pages", "blur", () => this.draw());
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("resize", () => this.resize());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change",
      (event) => this.useTheme(event.matches ? "dark" : "light"));
  }

  /* ---- where we are ---- */

  stepBy(count) { this.setPlaying(false); this.goTo(this.step + count); }

  phaseBy(way) {
    const begins = this.model.phases.map((it) => it.begin);
    this.setPlaying(false);
    const there = way > 0 ? begins.find((it) => it > this.step) : begins.filter((it) => it < this.step).pop();
    this.goTo(there === undefined ? (way > 0 ? this.model.steps : 0) : there);
  }

  faultBy(way) {
    const { model } = this;
    this.setPlaying(false);
    let to = this.step + way;
    while (to > 0 && to < model.steps
      && !(model.lead[to] >= 0 && model.isFault(model.columns.kind[model.lead[to]]))) to += way;
    this.goTo(to);
  }

  goTo(step) {
    const { model } = this, to = Math.max(0, Math.min(model.steps, step)), lead = model.lead[to];
    model.seek(Math.max(0, to - 1));
    const before = lead >= 0 && model.isFault(model.columns.kind[lead]) ? model.pages[model.columns.a[lead]] : 0;
    model.seek(to);
    this.step = to;
    if ($("follow").checked) this.follow(to);
    this.flashStep(to);
    this.tell(before);
    this.draw();
  }

  /* To the memory that the step is about; where that is none and what is shown is gone, to what is there. */
  follow(step) {
    const { model } = this;
    const there = model.regionOfStep(step), lead = model.lead[step];
    if (there && model.isAlive(there, step)) this.showRegion(there);
    if (there === this.region && this.grid.opened >= 0 && lead >= 0 && model.isFault(model.columns.kind[lead]))
      this.grid.opened = Math.floor((model.columns.a[lead] - there.first) / model.places.blockPages);
    else if (!model.isAlive(this.region, step)) {
      const alive = model.regions.filter((it) => model.isAlive(it, step) && !it.isVariables);
      if (alive.length) this.showRegion(alive[alive.length - 1]);
    }
  }

  showRegion(region) {
    if (region === this.region) return;
    this.region = region;
    this.grid.show(region);
    $("allocation").value = region.index;
    this.resize();
    this.tellLegend();
  }

  /* Marks of the step that is shown stay; those of steps that play goes past fade. */
  flashStep(step) {
    const { model, grid, region } = this, { kind, a, b } = model.columns, K = model.K, now = performance.now();
    const fading = this.playing && !this.calm.matches;
    grid.flashes = grid.flashes.filter((it) => it.born > 0);
    if (region.kind !== "managed") return;
    const first = model.first(step), end = model.stepEnd[step], moved = [];
    for (let i = step > 0 ? first : end; i < end; i++) {
      const page = a[i] - region.first;
      if (page < 0 || page >= region.pages || !(model.isFault(kind[i]) || model.isEffect(kind[i]))) continue;
      if (model.isFault(kind[i])) grid.flash(page, 1, "fault", fading ? now : 0);
      else if (kind[i] !== K.Eviction) moved.push([page, page + b[i]]);
    }
    for (const [from, to] of joined(moved)) grid.flash(from, to - from, "moved", fading ? now : 0);
  }

  /* ---- what is said ---- */

  tell(before) {
    const { model, step } = this, phase = model.phaseAt(step), call = model.callAt(step);
    const since = model.timeAt(step), totals = model.counted(step);
    const begun = phase ? model.counted(phase.begin) : totals;
    $("explain").setAttribute("aria-live", this.playing ? "off" : "polite");
    $("explain").textContent = this.explainer.step(step, before);
    $("explain").toggleAttribute("data-fault", model.lead[step] >= 0
      && model.isFault(model.columns.kind[model.lead[step]]));
    put($("phase"), phase ? phase.row : model.phases.length ? "between phases" : "none in this trace",
      { row: phase ? phase.row : "", phase: phase ? phase.phase : "" });
    put($("call"), call || "its own code", { call: call || "" });
    put($("clock"), timeText(since), { ns: since });
    model.counters.forEach(([key, , unit], at) => {
      const [inPhase, total] = $("counters").tBodies[0].rows[at].querySelectorAll("td");
      put(inPhase, phase ? valueText(totals[at] - begun[at], unit) : "–",
        { value: phase ? totals[at] - begun[at] : "" });
      put(total, valueText(totals[at], unit), { value: totals[at] });
    });
    for (const row of $("phases").tBodies[0].rows)
      row.toggleAttribute("data-now", Boolean(phase) && row.dataset.row === phase.row);
    $("time").value = step;
    $("time").setAttribute("aria-valuetext",
      `event ${step} of ${model.steps}, ${timeText(since)}${phase ? `, ${phase.row}` : ""}`);
    $("position").textContent = `event ${step.toLocaleString("en")} of ${model.steps.toLocaleString("en")}`;
    this.tellLegend();
    if (this.devices) this.devices.tell(step, this.grid);
  }

  tellLegend() {
    const shares = this.grid.shares(0, this.region.pages), alive = this.model.isAlive(this.region, this.step);
    const { owners } = this.model.places, words = (it) => it.legend || it.words;
    owners.forEach(({ key }, at) => {
      const count = document.querySelector(`#legend [data-owner=${key}] b`);
      put(count, alive ? shares[at].toLocaleString("en") : "", { pages: alive ? shares[at] : "" });
    });
    $("grid").dataset.alive = alive ? "yes" : "no";
    $("pages").setAttribute("aria-label", alive ? `${this.region.title}: of ${this.region.pages} pages ` +
      `${owners.map((it, at) => (shares[at] ? `${shares[at]} ${words(it)}` : "")).filter(Boolean).join(", ")}`
      : `${this.region.title}: not there at this time`);
  }

  say(unit) { $("cell").textContent = unit >= 0 && unit < this.grid.units ? this.grid.describe(unit) : ""; }

  /* ---- drawing ---- */

  resize() {
    this.grid.readColours();
    this.grid.resize();
    this.overview.resize();
    if (this.devices) this.devices.tell(this.step, this.grid);
    $("whole").hidden = this.grid.opened < 0;
    $("blocks").hidden = this.grid.blocks < 2 || this.grid.opened >= 0;
    this.draw();
  }

  draw() {
    this.grid.draw(performance.now(), this.calm.matches);
    this.overview.draw(this.grid, this.step);
    if (this.grid.flashing && !this.playing) requestAnimationFrame(() => this.draw());
  }

  useTheme(theme) {
    document.documentElement.dataset.theme = theme;
    $("theme").textContent = theme === "dark" ? "Light" : "Dark";
    if (this.region) this.resize();
  }

  toggleBig() {
    const big = document.documentElement.toggleAttribute("data-big");
    $("big").setAttribute("aria-pressed", big);
    this.resize();
  }

  toggleHelp() {
    $("keys").hidden = !$("keys").hidden;
    $("help").setAttribute("aria-expanded", !$("keys").hidden);
    if (!$("keys").hidden) $("keys").scrollIntoView({ block: "nearest" });
  }

  toggleBlocks() {
    this.grid.blocksOnly = !this.grid.blocksOnly;
    $("blocks").setAttribute("aria-pressed", this.grid.blocksOnly);
    this.resize();
  }

  openBlock(unit) { if (this.grid.open(unit)) { this.resize(); this.say(this.grid.cursor); } }
  closeBlock() { if (this.grid.close()) { this.resize(); this.say(this.grid.cursor); } }

  /* ---- playing ---- */

  setPlaying(playing) {
    if (playing && this.step >= this.model.steps) this.goTo(0);
    this.playing = playing;
    $("play").textContent = playing ? "❚❚ Pause" : "▶ Play";
    $("play").setAttribute("aria-pressed", playing);
    this.owed = 0;
    this.last = performance.now();
    if (playing) requestAnimationFrame((now) => this.frame(now));
    else this.goTo(this.step);
  }

  get eventsPerSecond() {
    const speed = $("speed").value;
    return speed.startsWith("all") ? Math.max(1, this.model.steps / Number(speed.slice(3))) : Number(speed);
  }

  frame(now) {
    if (!this.playing) return;
    this.grid.lasting = Math.max(150, Math.min(700, 20000 / this.eventsPerSecond)); /* some 20 marks at a time */
    this.owed += Math.max(0, now - this.last) * this.eventsPerSecond / 1000;
    this.last = now;
    const due = Math.floor(this.owed);
    this.owed -= due;
    if (due > 0) {
      for (let back = Math.min(due - 1, 30); back > 0; back--)
        this.flashStep(Math.min(this.step + due - back, this.model.steps));
      this.goTo(this.step + due);
    } else if (this.grid.flashing) {
      this.draw();
    }
    if (this.step >= this.model.steps) this.setPlaying(false);
    else requestAnimationFrame((next) => this.frame(next));
  }

  /* ---- pointer and keys ---- */

  drag(event) {
    const box = $("overview").getBoundingClientRect();
    this.goTo(Math.round(((event.clientX - box.left) / box.width) * this.model.steps));
  }

  unitUnder(event) {
    const box = $("pages").getBoundingClientRect();
    return this.grid.unitAt(event.clientX - box.left, event.clientY - box.top);
  }

  point(event) {
    const unit = this.unitUnder(event);
    this.say(unit);
    $("pages").style.cursor = this.grid.opened < 0 && this.grid.blocks > 1 && unit >= 0 ? "zoom-in" : "default";
  }

  gridKey(event) {
    const { grid } = this, ways = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -grid.unitsInRow,
      ArrowDown: grid.unitsInRow };
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key in ways) grid.cursor = Math.max(0, Math.min(grid.units - 1, grid.cursor + ways[event.key]));
    else if (event.key === "Enter") this.openBlock(grid.cursor);
    else if (event.key === "Escape") this.closeBlock();
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.say(grid.cursor);
    this.draw();
  }

  nextRegion(way) {
    const { regions } = this.model;
    $("follow").checked = false;
    this.showRegion(regions[(this.region.index + way + regions.length) % regions.length]);
    this.draw();
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    const onSlider = event.target.id === "time", speed = $("speed");
    const faster = (way) => {
      speed.selectedIndex = Math.max(0, Math.min(speed.length - 1, speed.selectedIndex + way));
    };
    const keys = {
      " ": () => this.setPlaying(!this.playing), ArrowRight: () => this.stepBy(1), ArrowLeft: () => this.stepBy(-1),
      PageDown: () => this.phaseBy(1), PageUp: () => this.phaseBy(-1), f: () => this.faultBy(1),
      F: () => this.faultBy(-1), Home: () => this.goTo(0), End: () => this.goTo(this.model.steps),
      "+": () => faster(1), "-": () => faster(-1), v: () => this.toggleBlocks(), g: () => $("pages").focus(),
      Escape: () => this.closeBlock(),
      "[": () => this.nextRegion(-1), "]": () => this.nextRegion(1), b: () => this.toggleBig(),
      d: () => $("theme").click(), "?": () => this.toggleHelp(),
    };
    const act = keys[event.key] || keys[event.key.toLowerCase()];
    if (!act || (event.key === " " && (event.target.tagName === "BUTTON" || event.target.type === "checkbox"))) return;
    if (onSlider && event.key === "ArrowUp") return;
    event.preventDefault();
    act();
  }

  residencyBar(region, characters) { return this.model.residencyBar(region, characters); }
}

/* Runs that touch become one. */
function joined(runs) {
  const result = [];
  for (const [from, to] of runs.sort((a, b) => a[0] - b[0])) {
    const last = result[result.length - 1];
    if (last && from <= last[1]) last[1] = Math.max(last[1], to); else result.push([from, to]);
  }
  return result;
}

function element(tag, data, ...children) {
  const it = document.createElement(tag);
  Object.assign(it.dataset, data);
  it.append(...children);
  return it;
}

function put(it, text, data) {
  it.textContent = text;
  Object.assign(it.dataset, data);
}

function valueText(value, unit) { return unit === "B" ? sizeText(value) : value.toLocaleString("en"); }

async function start() {
  try {
    if (typeof DecompressionStream === "undefined")
      throw new Error("this browser is too old to unpack the trace: Chrome 80, Firefox 113 or Safari 16.4 can");
    window.viewer = new Viewer(await Model.of(JSON.parse($("data").textContent)));
    document.documentElement.dataset.ready = "";
  } catch (problem) {
    document.documentElement.dataset.failed = problem.message;
    $("explain").textContent = `The viewer cannot start: ${problem.message}.`;
    throw problem;
  }
}
start();
