/**
 * @file price.c
 * @brief The machine that prices are computed for (umsim_price.h); sim/price computes them.
 */
#include "runtime.h"
#include "umsim_price.h"

cudaError_t umsim_price_machine(const struct umsim_profile **machine)
{
    cudaError_t error;

    *machine = NULL;
    struct umsim_api_call own = UMSIM_OWN_CALL;
    error = umsim_enter(&own, UMSIM_ANSWERS_ALWAYS);
    if (error)
        return error;
    *machine = &umsim_machine;
    return umsim_leave(cudaSuccess);
}
