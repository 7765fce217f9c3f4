/**
 * @file cost_delta.h
 * @brief What the paging policy did (../uvm/uvm.h), as the model prices it (cost.h).
 */
#ifndef UMSIM_COST_DELTA_H
#define UMSIM_COST_DELTA_H

#include "../uvm/uvm.h"
#include "cost.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The pages that the profiles' costs are of, and struct umsim_paging_work counts: those of the machines that
 * were measured. The policy's own are larger where PAGES=16k (umsim/page.h); what one costs there is what the
 * 4 KiB pages in it cost. */
#define UMSIM_COST_PAGE 4096

/** @param pages of the policy   @return as many of UMSIM_COST_PAGE */
static inline uint64_t umsim_cost_pages(uint64_t pages)
{
    return pages * (UVM_PAGE_BYTES / UMSIM_COST_PAGE);
}

/** The sum of a count over the processors from `first` on, of a machine that has `processors`. */
uint64_t umsim_delta_sum(const uint64_t count[UVM_PROCESSORS], enum uvm_processor first, unsigned processors);

/** Adds what a call of the policy did to the work that will be priced. Not set: `first`, `fresh`, `prefetch`,
 * `host_bytes`, `peers`, which concern the machine, and not the call. */
void umsim_cost_add_delta(struct umsim_paging_work *work, const struct uvm_delta *delta, unsigned processors);

/** How long a service of a processor's faults lasts, roughly as cost.h will price it: the policy wants to
 * know, because it decides by time which pages are fought over. @param costs of the device; of the host's
 * faults, device 0's */
struct uvm_pace umsim_cost_pace(const struct umsim_costs *costs, enum uvm_processor processor);

#ifdef __cplusplus
}
#endif
#endif
