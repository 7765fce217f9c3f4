"""Which cells of two devices give which figure of a profile's `peers`; ../rules.py says what the kinds mean."""

TABLES = {
    "copy": ["peers/copy/access/async and wait", "peers/copy/access/events, pushed"],
    "copy_pulled": ["peers/copy/access/events, pulled"],
    "copy_by_host": ["peers/copy/no access/async and wait", "peers/copy/no access/call and wait",
                     "peers/copy/no access/events, pushed", "peers/copy/no access/events, pulled"],
    "copy_by_host_call": ["peers/copy/no access/async call", "peers/copy/no access/call"],
    "map": ["peers/alloc/malloc reached by a peer"],
    "unmap": ["peers/alloc/free reached by a peer"],
}

SINGLES = {
    "enable_us": "call/peer access enable",
    "disable_us": "call/peer access disable",
}

WAVES = [
    [(["copy_issue_us", "copy_sync_issue_us", "copy_sync_us"], r"peers/copy/access/(call|async call|call and wait)/"),
     (["read_gbs", "write_gbs", "packet_bytes", "latency_ns", "atomic_ns"],
      r"peers/kernel/(dense|copied by|stride|random|chase/|atomics, peer)")],
]
CURVED = {0}
NOT_FITTED = set()
