"""Which cells give which figure of a profile: the rules of `make calibrate`. docs/profiles.md explains them.

Three kinds. A *table* (microseconds by bytes) has a point at each size that its cells have, and a *single* figure has
one cell: both are moved by what is measured less what is modelled, until they agree. *Fitted* figures share cells: they
are what makes the squares of all their cells' relative errors least, each weighted by how steady it is.
"""

# figure: the cells of its points, `PREFIX/SIZE`
TABLES = {
    "malloc_device": ["alloc/device/malloc"],
    "free_device": ["alloc/device/free"],
    "malloc_host": ["alloc/pinned/malloc"],
    "free_host": ["alloc/pinned/free"],
    "malloc_managed": ["alloc/managed/malloc"],
    "free_managed": ["alloc/managed/free"],
    "host_register": ["alloc/registered/register"],
    "host_unregister": ["alloc/registered/unregister"],
    "malloc_async": ["alloc/pool/malloc"],
    "free_async": ["alloc/pool/free"],
    "htod_pageable": ["copy/h2d/pageable/call"],
    "dtoh_pageable": ["copy/d2h/pageable/call"],
    "htod_pinned": ["copy/h2d/pinned/call", "copy/h2d/registered/call"],
    "dtoh_pinned": ["copy/d2h/pinned/call", "copy/d2h/registered/call"],
    "htod_write_combined": ["copy/h2d/write-combined/call"],
    "dtoh_write_combined": ["copy/d2h/write-combined/call"],
    "dtod": ["copy/d2d/events"],
    "htoh": ["copy/h2h/call"],
    "memset_device": ["set/device/events"],
    "prefetch_populate": ["managed/prefetch/fresh to device"],
    "prefetch_htod": ["managed/prefetch/to device"],
    "prefetch_dtoh": ["managed/prefetch/to host"],
}

SINGLES = {
    "call_us": "call/pointer attributes",
    "stream_create_us": "call/stream create",
    "stream_destroy_us": "call/stream destroy",
    "event_create_us": "call/event create",
    "event_destroy_us": "call/event destroy",
    "query_us": "call/stream query",
    "stream_wait_event_us": "call/stream wait event",
    "host_function_us": "call/host function",
    "host_function_start_us": "call/host function and wait",
    "synchronize_idle_us": "call/synchronize idle",
    "malloc_small_us": "call/small malloc",
    "free_small_us": "call/small free",
    "gpu_fault_idle_us": "call/GPU fault after a pause",
}

# Groups, in their order: (figures, a pattern of their cells' names). A figure ending in `*` stands for all that begin
# so. event_device_us and kernel_minimum_us are in none: each is seen only in one sum with another. Groups of one wave
# hardly touch each other's cells: their figures are tried together.
WAVES = [
    [(["copy_issue_us", "event_record_us", "synchronize_us", "launch_issue_us"],
      r"copy/.*/(events|async call|async and wait)/|launch/100|call/(launch|event record)$")],
    [(["launch_start_us", "block_ns", "device_read_gbs", "device_write_gbs", "device_latency_ns"],
      r"kernel/device/|launch/one between events"),
     (["mapped_read_gbs", "mapped_write_gbs", "mapped_both_gbs", "mapped_latency_ns", "mapped_start_us"],
      r"kernel/mapped/"),
     (["cpu_fault_us", "cpu_fault_transfer_us", "cpu_fault_populating_us", "cpu_populate_us", "cpu_block_clear",
       "migrate_dtoh_gbs"], r"managed/.*/host (first )?(touch|write)"),
     (["advise_us", "advise_change_us", "advise_protect_us", "advise_map_us", "free_populated_us",
       "prefetch_issue_us", "prefetch_block_us"],
      r"managed/.*/advise|managed/prefetch/to device again|call/free of populated")],
    [(["managed_read_gbs", "managed_write_gbs", "gpu_fresh_us"],
      r"managed/.*/GPU (touch|read) again/|managed/(prefetch/GPU touch|AccessedBy=device/GPU read)/")],
    [(["gpu_fault_*", "gpu_populate_us", "migrate_htod_gbs", "migrate_transfer_us", "remote_map_us"],
      r"managed/.*/GPU (first touch|touch of host pages|read)/")],
]
# How costs add up there is not linear: their effects are looked at a second time, near the answer.
CURVED = {0, 1}
# Named by a `*` above, but not fitted: their cells are not in the matrix, or SINGLES has them.
NOT_FITTED = {"gpu_fault_idle_us", "gpu_fault_awake_us"}
