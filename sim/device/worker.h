/**
 * @file worker.h
 * @brief What the workers do, the threads of the GPU process that run thread blocks (worker/worker.h: what
 * they know).
 */
#ifndef UMSIM_WORKER_MAIN_H
#define UMSIM_WORKER_MAIN_H

/** The thread function of a worker (`worker`: struct umsim_worker *). */
void *umsim_worker_main(void *worker);

#endif
