/**
 * @file cost_delta.c
 * @brief Implementation of cost_delta.h.
 */
#include "cost_delta.h"

uint64_t umsim_delta_sum(const uint64_t count[UVM_PROCESSORS], enum uvm_processor first, unsigned processors)
{
    uint64_t sum = 0;
    for (unsigned processor = first; processor < processors; processor++)
        sum += count[processor];
    return sum;
}

void umsim_cost_add_delta(struct umsim_paging_work *work, const struct uvm_delta *delta, unsigned processors)
{
    work->cpu_faults += delta->cpu_faults;
    /* faults on refused pages took their time while the GPU was throttled */
    work->gpu_fault_groups += delta->gpu_fault_groups - delta->throttled_groups;
    work->gpu_fault_batches += delta->gpu_fault_batches - delta->throttled_groups;
    work->gpu_fault_services += delta->gpu_fault_services;
    work->throttled_ns += umsim_delta_sum(delta->throttled_ns, UVM_CPU, processors);
    work->bytes_htod += uvm_delta_bytes(delta, UVM_HTOD);
    work->bytes_dtoh += uvm_delta_bytes(delta, UVM_DTOH);
    work->bytes_dtod += uvm_delta_bytes(delta, UVM_DTOD);
    work->transfers_htod += uvm_delta_transfers(delta, UVM_HTOD);
    work->transfers_dtoh += uvm_delta_transfers(delta, UVM_DTOH);
    work->transfers_dtod += uvm_delta_transfers(delta, UVM_DTOD);
    work->host_pages_populated += umsim_cost_pages(delta->pages_populated[UVM_CPU]);
    work->host_pages_cleared += umsim_cost_pages(delta->host_pages_cleared);
    /* a first touch and a migration both take device memory */
    work->device_pages_populated +=
        umsim_cost_pages(umsim_delta_sum(delta->pages_populated, UVM_GPU, processors)) +
        (uvm_delta_bytes(delta, UVM_HTOD) + uvm_delta_bytes(delta, UVM_DTOD)) / UMSIM_COST_PAGE;
    const uint64_t at_peers = umsim_delta_sum(delta->pages_mapped_at_peers, UVM_GPU, processors);
    work->remote_pages_mapped +=
        umsim_cost_pages(umsim_delta_sum(delta->pages_mapped_remotely, UVM_GPU, processors) - at_peers);
    work->peer_pages_mapped += umsim_cost_pages(at_peers);
    work->home_pages_mapped +=
        umsim_cost_pages(umsim_delta_sum(delta->pages_mapped_at_home, UVM_GPU, processors));
    work->pages_taken_from_peers += umsim_cost_pages(delta->pages_taken_from_peers);
    work->peer_copies_invalidated += umsim_cost_pages(delta->copies_dropped_at_peers);
    work->pages_invalidated += umsim_cost_pages(delta->pages_invalidated);
    work->evictions += delta->evictions;
}

struct uvm_pace umsim_cost_pace(const struct umsim_costs *costs, enum uvm_processor processor)
{
    const double gbs = processor == UVM_CPU ? costs->migrate_dtoh_gbs : costs->migrate_htod_gbs;
    const double service_us = processor == UVM_CPU ? costs->cpu_fault_us + 2 * costs->cpu_fault_transfer_us
                                                   : costs->gpu_fault_batch_us + costs->gpu_fault_block_us;
    return (struct uvm_pace){(uint64_t)(1e3 * service_us),
                             gbs > 0 ? (uint64_t)((double)UVM_PAGE_BYTES / gbs) : 0};
}
