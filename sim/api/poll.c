/**
 * @file poll.c
 * @brief Implementation of poll.h.
 */
#include "poll.h"
#include "../base/clock.h"

static __thread struct {
    uint64_t began_ns, end_ns; /* the first query, and what they all ask for */
    uint32_t count;
} row __attribute__((tls_model("initial-exec")));

void umsim_poll_later(uint64_t end_ns)
{
    const uint64_t now = umsim_clock_now();
    if (row.end_ns != end_ns) {
        row.began_ns = now;
        row.end_ns = end_ns;
        row.count = 0;
    }
    if (row.count < UMSIM_POLLS) {
        row.count++;
        return;
    }
    const uint64_t step = (now - row.began_ns) / UMSIM_POLL_STEPS, left = end_ns - now;
    umsim_clock_advance(step < left ? step : left);
}
