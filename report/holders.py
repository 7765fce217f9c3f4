"""Of several devices: who holds each page of a range of managed memory, and who has it mapped elsewhere, event by
event.

    pages = Pages(count, devices)
    for first, number, state in pages.apply(kind, event, first, count): ...      what has become another
    states(devices)       [(name, colour)] of each state

A state is a place in that list: nowhere, the host, each device, copied on several, on the host and mapped by a device,
on each device and mapped by another.
"""
import style
import traces


def states(devices):
    return [("nowhere yet", style.NONE), *((f"on {'device ' + str(p - 1) if p else 'the host'}", style.holder(p))
                                           for p in range(devices + 1)),
            ("copied on several", style.BOTH), ("on the host, mapped by a device", style.REMOTE),
            *((f"on device {d}, mapped by another", (style.FAR, style.FAR_1)[d % 2]) for d in range(devices))]


class Pages:
    def __init__(self, count, devices):
        import numpy

        self.numpy, self.devices = numpy, devices
        self.held = numpy.zeros(count, dtype=numpy.uint32)  # a bit for each processor
        self.mapped = numpy.zeros(count, dtype=numpy.uint32)  # a bit for each that has it mapped elsewhere
        # For each processor: the bit of who had a page before it moved there last. A page may make two moves at once,
        # from a device by way of the host to the other, and be copied by both.
        self.came_from = numpy.zeros((devices + 1, count), dtype=numpy.uint32)
        self.shown = numpy.zeros(count, dtype=int)

    def apply(self, event, first, count):
        """[(first page, pages, state)] of those whose state is another one now."""
        part = slice(first, first + count)
        kind, here = event["event"], self.numpy.uint32(1 << traces.processor_of(event))
        came_from = self.came_from[traces.processor_of(event)]
        if kind == "Populate":
            self.held[part], self.mapped[part] = here, 0
        elif kind == "Migration":
            source = self.numpy.uint32(1 << traces.processor_of(event, "from", "from_device"))
            self.held[part] = self.held[part] & ~source | here
            self.mapped[part], came_from[part] = 0, source
        elif kind == "ReadDuplicate":  # what came by the migration before has stayed there, too
            self.held[part] |= here | came_from[part]
        elif kind == "ReadDuplicateInvalidate":
            self.held[part] &= ~here
        elif kind == "MapRemote":
            self.mapped[part] |= here
        elif kind == "UnmapRemote":
            self.mapped[part] &= ~self.numpy.uint32(1 << event["device"] + 1) if "device" in event else 0
        return self.changes(first, count)

    def states_of(self, held, mapped):
        numpy = self.numpy
        several = (held & (held - 1)) != 0
        own = numpy.zeros(held.shape, dtype=int)
        for processor in range(self.devices + 1):
            own[held == 1 << processor] = 1 + processor
        last = self.devices + 2
        own[several & (held != 0)] = last
        own[(held == 1) & (mapped != 0)] = last + 1
        for device in range(self.devices):
            own[(held == 2 << device) & (mapped != 0)] = last + 2 + device
        return own

    def changes(self, first, count):
        numpy = self.numpy
        part = slice(first, first + count)
        now = self.states_of(self.held[part], self.mapped[part])
        changed = now != self.shown[part]
        self.shown[part] = now
        if not changed.any():
            return []
        keys = numpy.where(changed, now, -1)
        starts = numpy.flatnonzero(numpy.concatenate(([True], keys[1:] != keys[:-1])))
        ends = numpy.append(starts[1:], len(keys))
        return [(first + int(start), int(end - start), int(keys[start])) for start, end in zip(starts, ends)
                if keys[start] >= 0]
