/**
 * @file work_limit.h
 * @brief The limit on kernels that never end: it counts their work, not the time that passes.
 *
 * A kernel is taken for endless when its workers have used so much processor time each, and no share of its
 * blocks was begun or ended meanwhile. So neither a busy machine nor a long grid ends a kernel. A GPU process
 * that gets no processor time at all (stopped, or waiting in vain) is given up as well.
 *
 * Host process only.
 */
#ifndef UMSIM_WORK_LIMIT_H
#define UMSIM_WORK_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

/** What is known of the launch that runs, since it last got on. A wait begins with zeros. */
struct umsim_work_done {
    bool begun;
    uint64_t real_ns, processor_ns; /* the clocks at the last look */
    uint64_t worked_ns, idle_ns;    /* work of one worker; time without any work */
    uint64_t stage;                 /* changes when the launch gets on */
};

/** Sets the limit in seconds (UMSIM_KERNEL_TIMEOUT); 0: the default, which is longer under --check. */
void umsim_work_limit_set(double seconds);

/** Looks at the launch that runs. To be called some 20 times a second while the host waits for it.
 * @return NULL, or why it has to be stopped: a sentence about the kernel, in a static text */
const char *umsim_work_exceeds(struct umsim_work_done *work);

#endif
