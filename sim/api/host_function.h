/**
 * @file host_function.h
 * @brief What a CUDA call answers inside a function that cudaLaunchHostFunc() or cudaStreamAddCallback()
 * calls.
 */
#ifndef UMSIM_HOST_FUNCTION_H
#define UMSIM_HOST_FUNCTION_H

#include "../include/driver_types.h"

#include <stdbool.h>

/** Whether the calling thread is inside a host function or a callback. */
bool umsim_inside_host_function(void);

/** Whether the calling thread may make the call: outside of host functions any, inside only those that an
 * H200 was seen to answer. */
bool umsim_host_function_permits(const char *call);

/** The answer to a call that may not be made there; the first one is explained. @return cudaErrorNotPermitted
 */
cudaError_t umsim_host_function_refuses(const char *call);

typedef void (*umsim_any_function)(void);

/** From now on `run` calls these functions: in a client (server/channel.h). */
void umsim_host_functions_run(void (*run)(umsim_any_function function, void *first, void *second,
                                          void *third));

/** @name host_call.S @{ */
/** Calls function(first, second, third). No exception gets past this call: std::terminate() ends the program,
 * as where a driver's thread calls the function. */
void umsim_call_alone(umsim_any_function function, void *first, void *second, void *third);
/** @} */

#endif
