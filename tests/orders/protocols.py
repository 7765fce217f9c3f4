"""The simulator's protocols between threads and processes as small programs for model.py (docs/memory-order.md).

What order each step has is read from the sources: ORDERS names a file, a function of stdatomic.h and its first argument
as it stands there. Where the sources have several such calls, the weakest counts. `mutants`: orders that are too weak;
with each of them the checker has to find a failure.
"""
from model import ACQ, AR, NA, REL, RLX, SC, fence, load, store, update, when

FUTEX, WORKER, KERNEL_OP, TABLE = "base/futex.h", "device/worker.c", "queue/kernel_op.c", "check/table.c"
SERVER, CLIENT, RUNNER = "server/server.c", "client/client.c", "client/runner.c"
FAIL, GRID, THREADS = "worker/fail.c", "device/grid.c", "base/threads.c"
FOLLOWED = "space/protection_registered.c"
REACHED = (FUTEX, "atomic_load", "word")  # umsim_reached(), umsim_spin()
# The system call's own: futex(2) counts the waiter, makes a full barrier, and then looks at the word; who wakes makes
# one before it asks for waiters. A mutant shows that the protocols rest on it.
KERNEL = SC
PROTOCOLS = []


def protocol(orders, *mutants):
    """Registers a protocol, whose name is what its function says first."""
    def register(function):
        PROTOCOLS.append((function.__doc__.split("\n")[0].rstrip("."), orders, mutants, function))
        return function
    return register


def plus(number, least=0, most=2):
    """What atomic_fetch_add() makes; no protocol counts further than to 2 or below 0."""
    return lambda value: min(max(value + number, least), most)


def reaches(number):
    """What a wait is for."""
    return lambda value: value >= number


def sleeps_on(word, seen, order):
    """futex(FUTEX_WAIT): counts itself, then looks. In the register `kernel`: what it has seen; it sleeps if that is
    `seen`."""
    return [update("_", "waiters", plus(1), RLX), fence(order),
            load("kernel", word, RLX, lambda value: value >= seen)]


def wakes(order):
    """futex(FUTEX_WAKE). In the register `found`: how many were there."""
    return [fence(order), load("found", "waiters", RLX)]


@protocol({"submit": (KERNEL_OP, "atomic_store", "&umsim_processes->submitted"), "reached": REACHED,
           "complete": (WORKER, "atomic_store", "&umsim_processes->completed")},
          {"submit": RLX}, {"complete": RLX}, {"reached": RLX})
def hand_over(o):
    """The hand-over of a launch: the entry of the ring, its result, and the entry's next use."""
    host = [store("entry", 1, NA), store("submitted", 1, o["submit"]), load("_", "completed", o["reached"], reaches(1)),
            load("result", "result", NA), store("entry", 2, NA)]
    gpu = [load("_", "submitted", o["reached"], reaches(1)), load("entry", "entry", NA), store("result", 1, NA),
           store("completed", 1, o["complete"])]
    return [host, gpu], {"entry": 0, "result": 0, "submitted": 0, "completed": 0}, \
        lambda r, _: r[0]["result"] != 1 or r[1]["entry"] != 1


@protocol({"count": (KERNEL_OP, "atomic_store", "&umsim_processes->submitted"), "reached": REACHED,
           "announce": (FUTEX, "atomic_store", "sleeper"), "look": (FUTEX, "atomic_load", "sleeper"),
           "take": (FUTEX, "atomic_compare_exchange_strong", "sleeper"), "kernel": KERNEL},
          {"count": REL}, {"look": ACQ}, {"kernel": AR})
def sleep_until_counted(o):
    """Sleep and wake of umsim_sleep_while(): no wake-up is lost, and none is for the sleep before."""
    sleeper = [load("seen", "counter", o["reached"], reaches(1)),
               when(lambda r: r["seen"] == 1, store("sleeper", 3, o["announce"]),
                    *sleeps_on("counter", 1, o["kernel"]))]
    waker = [store("counter", 1, o["count"]), load("first", "sleeper", o["look"]),
             when(lambda r: r["first"] not in (0, 3), update("_", "sleeper", lambda _: 0, o["take"])),
             store("counter", 2, o["count"]), load("second", "sleeper", o["look"]),
             when(lambda r: r["second"] not in (0, 5), update("_", "sleeper", lambda _: 0, o["take"]),
                  *wakes(o["kernel"]))]
    return [sleeper, waker], {"counter": 0, "sleeper": 0, "waiters": 0}, \
        lambda r, _: r[0].get("kernel") == 1 and not r[1].get("found")


@protocol({"wants": (KERNEL_OP, "atomic_store", "&umsim_processes->host_wants"),
           "seen": (KERNEL_OP, "atomic_load", "&umsim_processes->completed"),
           "complete": (WORKER, "atomic_store", "&umsim_processes->completed"),
           "asks": (WORKER, "atomic_load", "&umsim_processes->host_wants")},
          {"wants": REL}, {"complete": REL}, {"asks": ACQ}, {"seen": ACQ})
def host_wants(o):
    """What the host wants to be woken for: the GPU process knows it, or the host sees that it is reached."""
    host = [store("wants", 1, o["wants"]), load("seen", "completed", o["seen"])]
    gpu = [store("completed", 1, o["complete"]), load("wants", "wants", o["asks"])]
    return [host, gpu], {"wants": 5, "completed": 0}, lambda r, _: r[0]["seen"] == 0 and r[1]["wants"] == 5


@protocol({"left": (WORKER, "atomic_store", "&team()->job_left"), "call": (WORKER, "atomic_fetch_add", "&team()->job"),
           "reached": REACHED, "leave": (WORKER, "atomic_fetch_sub", "&team()->job_left")},
          {"call": RLX}, {"leave": RLX}, {"leave": ACQ}, {"reached": RLX})
def team(o):
    """A launch that workers share: the copy in hand, and what each has done when the last one leaves."""
    lead = [store("in_hand", 1, NA), store("left", 2, o["left"]), update("_", "job", plus(1), o["call"]),
            load("_", "left", o["reached"], lambda value: value == 0), load("one", "part1", NA),
            load("two", "part2", NA)]
    others = [[load("_", "job", o["reached"], reaches(1)), load("hand", "in_hand", NA), store(part, 1, NA),
               update("_", "left", plus(-1), o["leave"])] for part in ("part1", "part2")]
    return [lead, *others], {"in_hand": 0, "left": 0, "job": 0, "part1": 0, "part2": 0}, \
        lambda r, _: (r[0]["one"], r[0]["two"], r[1]["hand"], r[2]["hand"]) != (1, 1, 1, 1)


@protocol({"call": (WORKER, "atomic_fetch_add", "&team()->job"), "look": (WORKER, "atomic_load", "&team()->job_sleeps"),
           "announce": (WORKER, "atomic_fetch_add", "&team()->job_sleeps"),
           "again": (WORKER, "atomic_load", "&team()->job"), "kernel": KERNEL},
          {"call": REL}, {"look": ACQ}, {"kernel": AR, "announce": REL})
def team_sleeps(o):
    """A worker that sleeps until the next launch that is shared."""
    worker = [update("_", "sleeps", plus(1), o["announce"]), load("again", "job", o["again"]),
              when(lambda r: r["again"] == 0, *sleeps_on("job", 0, o["kernel"]))]
    lead = [update("_", "job", plus(1), o["call"]), load("sleeps", "sleeps", o["look"]),
            when(lambda r: r["sleeps"], *wakes(o["kernel"]))]
    return [worker, lead], {"sleeps": 0, "job": 0, "waiters": 0}, \
        lambda r, _: r[0].get("kernel") == 0 and not r[1].get("found")


@protocol({"charged": (KERNEL_OP, "atomic_store", "&umsim_views->touched"), "reached": REACHED,
           "touched": ("space/paging_server.c", "atomic_store", "&umsim_views->touched"),
           "complete": (WORKER, "atomic_store", "&umsim_processes->completed"),
           "own": (WORKER, "atomic_store", "&umsim_launches->ring[(done - 1) % UMSIM_RING].touched"),
           "asks": (KERNEL_OP, "atomic_load", "&command_of(it->slot)->touched")},
          {"charged": RLX}, {"complete": RLX}, {"reached": RLX})
def charged(o):
    """Pages that a launch has opened: the host charges them, and then the next launch begins."""
    gpu = [store("marks", 1, NA), store("touched", 1, o["touched"]), store("own", 1, o["own"]),
           store("completed", 1, o["complete"]), load("_", "touched", o["reached"], lambda value: value == 0),
           load("policy", "policy", NA)]
    host = [load("_", "completed", o["reached"], reaches(1)), load("own", "own", o["asks"]), load("marks", "marks", NA),
            store("marks", 0, NA), store("policy", 1, NA), store("touched", 0, o["charged"])]
    return [gpu, host], {"marks": 0, "touched": 2, "own": 0, "completed": 0, "policy": 0}, \
        lambda r, _: (r[0]["policy"], r[1]["own"], r[1]["marks"]) != (1, 1, 1)


@protocol({"device": (KERNEL_OP, "atomic_store", "&command->device"), "reached": REACHED,
           "submit": (KERNEL_OP, "atomic_store", "&umsim_processes->submitted"),
           "complete": (WORKER, "atomic_store", "&umsim_processes->completed"),
           "whose": (WORKER, "atomic_load", "&umsim_launches->ring[done % UMSIM_RING].device"),
           "again": (WORKER, "atomic_load", "&umsim_processes->completed")},
          {"device": RLX}, {"whose": RLX}, {"device": NA, "whose": NA})
def turn(o):
    """Whose turn it is: a process that was held up does not take a later launch in the same entry for its own."""
    host = [store("device", 1, o["device"]), store("submitted", 1, o["submit"]),
            load("_", "completed", o["reached"], reaches(1)), store("device", 2, o["device"])]
    first = [load("_", "submitted", o["reached"], reaches(1)), store("completed", 1, o["complete"])]
    held_up = [load("_", "submitted", o["reached"], reaches(1)), load("device", "device", o["whose"]),
               load("completed", "completed", o["again"])]
    return [host, first, held_up], {"device": 0, "submitted": 0, "completed": 0}, \
        lambda r, _: r[2] | {"_": 0} == {"device": 2, "completed": 0, "_": 0}


@protocol({"post": (CLIENT, "atomic_store", "&channel->posted"), "posted": (SERVER, "atomic_load", "&served->posted"),
           "answer": (SERVER, "atomic_fetch_add", "&to->answered"), "reached": REACHED},
          {"post": RLX}, {"posted": RLX}, {"answer": RLX}, {"reached": RLX})
def request(o):
    """A client's request, the server's answer, and the next request in the same place."""
    client = [store("message", 1, NA), store("posted", 1, o["post"]), load("_", "answered", o["reached"], reaches(1)),
              load("answer", "answer", NA), store("message", 2, NA)]
    server = [load("_", "posted", o["posted"], reaches(1)), load("message", "message", NA), store("answer", 1, NA),
              update("_", "answered", plus(1), o["answer"])]
    return [client, server], {"message": 0, "answer": 0, "posted": 0, "answered": 0}, \
        lambda r, _: (r[0]["answer"], r[1]["message"]) != (1, 1)


@protocol({"post": (CLIENT, "atomic_store", "&channel->posted"), "ring": (CLIENT, "atomic_fetch_add", "&line->bell"),
           "look": (CLIENT, "atomic_load", "&line->server_sleeps"), "bell": (SERVER, "atomic_load", "&line->bell"),
           "posted": (SERVER, "atomic_load", "&served->posted"),
           "announce": (SERVER, "atomic_store", "&line->server_sleeps"), "kernel": KERNEL},
          {"ring": RLX}, {"ring": AR}, {"look": ACQ}, {"bell": RLX})
def bell(o):
    """The bell: a server that sleeps is woken by whoever posts a message."""
    client = [store("posted", 1, o["post"]), update("_", "bell", plus(1), o["ring"]),
              load("sleeps", "sleeps", o["look"]),
              when(lambda r: r["sleeps"], *wakes(o["kernel"]))]
    asleep = [when(lambda r, seen=seen: r["bell"] == seen == r["again"], *sleeps_on("bell", seen, o["kernel"]))
              for seen in (0, 1)]
    server = [load("bell", "bell", o["bell"]), load("posted", "posted", o["posted"]),
              when(lambda r: not r["posted"], store("sleeps", 1, o["announce"]), load("again", "bell", o["bell"]),
                   *asleep)]
    return [client, server], {"posted": 0, "bell": 0, "sleeps": 0, "waiters": 0}, \
        lambda r, _: r[1].get("kernel") == r[1]["bell"] and not r[0].get("found")


@protocol({"answer": (SERVER, "atomic_fetch_add", "&to->answered"),
           "look": (SERVER, "atomic_load", "&to->client_sleeps"),
           "announce": (CLIENT, "atomic_store", "&channel->client_sleeps"),
           "again": (CLIENT, "atomic_load", "&channel->answered"), "kernel": KERNEL},
          {"answer": REL}, {"look": ACQ}, {"kernel": AR, "again": ACQ})
def client_sleeps(o):
    """A client that sleeps until it is answered."""
    client = [store("sleeps", 1, o["announce"]), load("again", "answered", o["again"]),
              when(lambda r: not r["again"], *sleeps_on("answered", 0, o["kernel"]))]
    server = [update("_", "answered", plus(1), o["answer"]), load("sleeps", "sleeps", o["look"]),
              when(lambda r: r["sleeps"], *wakes(o["kernel"]))]
    return [client, server], {"sleeps": 0, "answered": 0, "waiters": 0}, \
        lambda r, _: r[0].get("kernel") == 0 and not r[1].get("found")


@protocol({"ask": (SERVER, "atomic_fetch_add", "&line->runner.asked"), "asked": (RUNNER, "atomic_load", "&it->asked"),
           "ran": (RUNNER, "atomic_store", "&it->ran"), "done": (SERVER, "atomic_load", "&line->runner.ran")},
          {"ask": RLX}, {"asked": RLX}, {"ran": RLX}, {"done": RLX})
def runner(o):
    """A host function that the server has a client's thread run."""
    server = [store("words", 1, NA), update("_", "asked", plus(1), o["ask"]), load("_", "ran", o["done"], reaches(1)),
              load("effect", "effect", NA), store("words", 2, NA)]
    client = [load("_", "asked", o["asked"], reaches(1)), load("words", "words", NA), store("effect", 1, NA),
              store("ran", 1, o["ran"])]
    return [server, client], {"words": 0, "effect": 0, "asked": 0, "ran": 0}, \
        lambda r, _: (r[0]["effect"], r[1]["words"]) != (1, 1)


@protocol({"begin": (TABLE, "atomic_fetch_add", "&table->version"), "odd": (TABLE, "atomic_thread_fence", REL),
           "word": (TABLE, "atomic_store", "&table->range[place].word[i]"),
           "end": (TABLE, "atomic_fetch_add", "&table->version", REL),
           "before": (TABLE, "atomic_load", "&table->version", ACQ),
           "read": (TABLE, "atomic_load", "&table->range[place].word[i]"), "still": (TABLE, "atomic_thread_fence", ACQ),
           "after": (TABLE, "atomic_load", "&table->version", RLX)},
          {"odd": RLX, "begin": SC}, {"end": RLX}, {"before": RLX}, {"still": RLX}, {"word": NA, "read": NA})
def version(o):
    """The table of memory that is known: what is read between two equal, even versions is of one time."""
    writer = [update("_", "version", plus(1), o["begin"]), fence(o["odd"]), store("one", 1, o["word"]),
              store("two", 1, o["word"]), update("_", "version", plus(1), o["end"])]
    reader = [load("before", "version", o["before"]), load("one", "one", o["read"]), load("two", "two", o["read"]),
              fence(o["still"]), load("after", "version", o["after"])]
    return [writer, reader], {"version": 0, "one": 0, "two": 0}, \
        lambda r, _: r[1]["before"] == r[1]["after"] in (0, 2) and \
        {r[1]["one"], r[1]["two"]} != {r[1]["before"] // 2}


@protocol({"tell": ("space/registered_table.c", "atomic_store", "&entry->state"),
           "list": ("space/registered_table.c", "atomic_exchange", "&entry->changed"),
           "unlist": (FOLLOWED, "atomic_store", "&entry->changed"),
           "look": (FOLLOWED, "atomic_load", "&umsim_views->registered[index].state")},
          {"tell": REL}, {"unlist": REL}, {"look": ACQ}, {"list": AR})
def registered(o):
    """Registered memory that changes again: the GPU process sees it, or it is on the next list."""
    host = [store("state", 2, o["tell"]), update("was", "changed", lambda _: 1, o["list"])]
    gpu = [store("changed", 0, o["unlist"]), load("state", "state", o["look"])]
    return [host, gpu], {"state": 1, "changed": 1}, lambda r, _: r[0]["was"] == 1 and r[1]["state"] == 1


@protocol({"put": ("space/registered_table.c", "atomic_compare_exchange_weak", "&umsim_views->registered_changed"),
           "take": (FOLLOWED, "atomic_compare_exchange_weak", "&umsim_views->registered_changed")},
          {"put": RLX}, {"take": RLX})
def registered_list(o):
    """The list of registered memory that has changed: who takes it sees what is on it."""
    host = [store("entry", 1, NA), update("_", "first", lambda _: 1, o["put"])]
    gpu = [update("_", "first", lambda _: 0, o["take"], reaches(1)), load("entry", "entry", NA)]
    return [host, gpu], {"entry": 0, "first": 0}, lambda r, _: r[1]["entry"] != 1


@protocol({"publish": ("space/modules.c", "atomic_store", "&umsim_views->sections"),
           "publish_space": ("space/managed_spaces.c", "atomic_store", "&umsim_views->spaces"),
           "look": ("space/protection.c", "atomic_load", "&umsim_views->sections"),
           "look_space": ("space/protection.c", "atomic_load", "&umsim_views->spaces")},
          {"publish": RLX}, {"look": RLX}, {"publish_space": RLX}, {"look_space": RLX})
def tables(o):
    """Tables that grow: sections and spaces are filled before they are counted."""
    writer = [store("section", 1, NA), store("sections", 1, o["publish"]), store("space", 1, NA),
              store("spaces", 1, o["publish_space"])]
    reader = [load("sections", "sections", o["look"]), when(lambda r: r["sections"], load("section", "section", NA)),
              load("spaces", "spaces", o["look_space"]), when(lambda r: r["spaces"], load("space", "space", NA))]
    return [writer, reader], {"section": 0, "sections": 0, "space": 0, "spaces": 0}, \
        lambda r, _: r[1].get("section") == 0 or r[1].get("space") == 0


@protocol({"publish": ("api/texture.c", "atomic_store", "&umsim_texture_line(index)->handle"),
           "look": ("devlib/texture.c", "atomic_load", "&texture->handle")}, {"publish": RLX}, {"look": RLX})
def texture(o):
    """A texture's line is filled before its handle is there."""
    writer = [store("line", 1, NA), store("handle", 1, o["publish"])]
    reader = [load("handle", "handle", o["look"]), when(lambda r: r["handle"], load("line", "line", NA))]
    return [writer, reader], {"line": 0, "handle": 0}, lambda r, _: r[1].get("line") == 0


@protocol({"lock": (FUTEX, "atomic_flag_test_and_set", "lock"), "unlock": (FUTEX, "atomic_flag_clear", "lock")},
          {"lock": RLX}, {"unlock": RLX})
def spin_lock(o):
    """umsim_spin_lock(): two threads are not inside at once, and each sees what the other did."""
    thread = [update("_", "lock", lambda _: 1, o["lock"], lambda value: value == 0), load("sum", "sum", NA),
              store("sum", lambda r: r["sum"] + 1, NA), store("lock", 0, o["unlock"])]
    return [thread, list(thread)], {"lock": 0, "sum": 0}, lambda _, last: last["sum"] != 2


@protocol({"lock": (FAIL, "atomic_exchange", "&fault_locked"), "unlock": (FAIL, "atomic_store", "&fault_locked"),
           "set": (FAIL, "atomic_store", "&fault->set"), "is_set": (FAIL, "atomic_load", "&fault->set")},
          {"lock": RLX}, {"unlock": RLX})
def fault(o):
    """Two workers whose kernels fail at once: the lower block's fault stays."""
    def worker(block):
        return [update("_", "lock", lambda _: 1, o["lock"], lambda value: value == 0), load("set", "set", o["is_set"]),
                when(lambda r: r["set"], load("other", "block", NA)),
                when(lambda r: not r["set"] or block < r["other"], store("block", block, NA),
                     store("set", 1, o["set"])),
                store("lock", 0, o["unlock"])]
    return [worker(2), worker(1)], {"lock": 0, "set": 0, "block": 9}, lambda _, last: last["block"] != 1


@protocol({"come": (GRID, "atomic_fetch_add", "&meeting.waiting"),
           "arrive": (GRID, "atomic_fetch_add", "&meeting.arrived"), "sum": (GRID, "atomic_load", "&meeting.waiting"),
           "go": (GRID, "atomic_store", "&meeting.round"), "reached": REACHED},
          {"go": RLX}, {"arrive": RLX}, {"reached": RLX})
def grid(o):
    """The barrier of a grid: all know how many blocks came, and what these wrote."""
    def worker(own, others):
        return [store(own, 1, NA), update("_", "waiting", plus(1), o["come"]),
                update("before", "arrived", plus(1), o["arrive"]),
                when(lambda r: r["before"] == 1, load("sum", "waiting", o["sum"]),
                     store("waited", lambda r: r["sum"], NA),
                     store("round", 1, o["go"])),
                load("_", "round", o["reached"], reaches(1)), load("waited", "waited", NA), load("others", others, NA)]
    start = {"a": 0, "b": 0, "waiting": 0, "arrived": 0, "waited": 0, "round": 0}
    return [worker("a", "b"), worker("b", "a")], start, \
        lambda r, _: any((it["waited"], it["others"]) != (2, 1) for it in r)


@protocol({"name": (THREADS, "atomic_store", "&thread->id"), "named": (THREADS, "atomic_store", "&thread->named"),
           "is_named": (THREADS, "atomic_load", "&threads[i].named"), "id": (THREADS, "atomic_load", "&threads[i].id")},
          {"named": RLX}, {"is_named": RLX}, {"name": NA})
def named(o):
    """A thread's name, which it and its creator write: whoever finds it finds it whole."""
    writer = [store("id", 7, o["name"]), store("named", 1, o["named"])]
    reader = [load("named", "named", o["is_named"]), when(lambda r: r["named"], load("id", "id", o["id"]))]
    return [writer, list(writer), reader], {"id": 0, "named": 0}, lambda r, _: r[2].get("id") == 0
