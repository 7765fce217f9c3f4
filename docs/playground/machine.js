/* machine.js: the playground's engine, without a page: the paging policy and the cost model of the simulator
 * (docs/playground/play.h, compiled into play.js), asked step by step. Also runs outside of a browser.
 *
 *     const machine = await umlabMachine();      fails with the reason where play.js has no module
 *     machine.start("array 4M\nhost write walk") throws a sentence where the text is wrong
 *     machine.step()                             {counts, events, pages, refused}
 *
 * Numbers of events, processors and causes are those of sim/uvm/uvm.h. */
(function (global) {
    "use strict";
    const EVENT = ["host fault", "gpu fault", "migration", "duplicate", "invalidate", "map", "populate", "eviction",
                   "thrashing", "throttling"];
    const CAUSE = ["user", "coherence", "prefetch", "eviction", ""];
    const EVENT_BYTES = 40;
    const HOST = 1, GPU = 2, GPU_1 = 64; /* bits of a page: where it is */
    const BITS = [HOST, GPU, GPU_1]; /* of processors */

    function bytesOf(text) {
        return Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    }

    class Machine {
        constructor(instance) {
            this.calls = instance.exports;
            this.names = this.list(this.calls.count_name);
            this.profiles = this.list(this.calls.profile_name);
        }

        memory() { return new Uint8Array(this.calls.memory.buffer); } /* it may have grown */

        text(at) {
            const memory = this.memory();
            return new TextDecoder().decode(memory.slice(at, memory.indexOf(0, at)));
        }

        list(name) {
            const found = [];
            for (let text; (text = this.text(name(found.length))); ) found.push(text);
            return found;
        }

        start(scenario) {
            const bytes = new TextEncoder().encode(scenario + "\0");
            if (bytes.length > this.calls.text_bytes()) throw new Error("the program is too long");
            this.memory().set(bytes, this.calls.text());
            const why = this.text(this.calls.start());
            if (why) throw new Error(why);
        }

        get steps() { return this.calls.steps(); }
        get devices() { return this.calls.devices(); }
        get arrayBytes() { return this.calls.array_bytes(); }

        counts(all) {
            return Object.fromEntries(this.names.map((name, i) => [name, this.calls.count(i, all ? 1 : 0)]));
        }

        pages() {
            const at = this.calls.pages();
            return this.memory().slice(at, at + this.calls.page_count());
        }

        events() {
            const view = new DataView(this.calls.memory.buffer, this.calls.events());
            return Array.from({length: this.calls.event_count()}, (_, i) => {
                const number = field => view.getInt32(i * EVENT_BYTES + 4 * field, true);
                return {type: EVENT[number(0)], to: BITS[number(1)], cause: CAUSE[number(2)],
                        isWrite: number(3) !== 0, page: number(4), pages: number(5), groups: number(6),
                        waitUs: number(7), from: BITS[number(8)] || 0, stays: number(9) !== 0};
            });
        }

        step() {
            const refused = this.text(this.calls.step());
            return {counts: this.counts(false), events: this.events(), pages: this.pages(), refused,
                    eventsLeftOut: this.calls.events_left_out()};
        }
    }

    /* What an event does to where the pages are: `where` has the bits of who has each. */
    function apply(where, event) {
        for (let page = event.page; page < Math.min(event.page + event.pages, where.length); page++) {
            if (event.type === "migration") where[page] = (where[page] & ~(event.stays ? 0 : event.from)) | event.to;
            else if (event.type === "populate") where[page] = event.to;
            else if (event.type === "duplicate") where[page] |= event.to;
            else if (event.type === "invalidate") where[page] &= ~event.to;
        }
    }

    global.umlabMachine = async function () {
        const {bytes, missing} = global.umlabModule;
        if (missing) throw new Error(missing);
        /* The C library would write to a terminal; nothing here does. */
        const nothing = () => 0, outside = {fd_write: nothing, fd_seek: nothing, fd_close: nothing};
        const {instance} = await WebAssembly.instantiate(bytesOf(bytes), {wasi_snapshot_preview1: outside});
        instance.exports._initialize();
        return new Machine(instance);
    };
    Object.assign(global.umlabMachine, {apply, HOST, GPU, GPU_1});
})(typeof window === "undefined" ? globalThis : window);
