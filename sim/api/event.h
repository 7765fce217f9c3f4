/**
 * @file event.h
 * @brief The state of an event, for explanations.
 *
 * Callers hold the lock.
 */
#ifndef UMSIM_API_EVENT_H
#define UMSIM_API_EVENT_H

#include "../include/driver_types.h"

enum umsim_event_state {
    UMSIM_EVENT_UNKNOWN, /* no event lies there (any more) */
    UMSIM_EVENT_NOT_RECORDED,
    UMSIM_EVENT_WITHOUT_TIMING,
    UMSIM_EVENT_RECORDED,
};

enum umsim_event_state umsim_event_state(cudaEvent_t handle);

#endif
