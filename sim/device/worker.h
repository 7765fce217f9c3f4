/**
 * @file worker.h
 * @brief What the workers do, the threads of the GPU process that run thread blocks (worker/worker.h: what
 * they know).
 */
#ifndef UMSIM_WORKER_MAIN_H
#define UMSIM_WORKER_MAIN_H

/** Thread body of a worker (`worker`: struct umsim_worker *). */
void *umsim_worker_main(void *worker);

#endif
