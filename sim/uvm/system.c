/**
 * @file system.c
 * @brief The processors of a system, and what each can reach of the others' memory (the driver's
 * uvm_va_space.c: can_access, has_fast_link, uvm_processor_mask_find_closest_id).
 */
#include "internal.h"

/* Those of the others that are in a set: GPUs before the CPU, as a link is faster than the bus. */
static unsigned put(struct uvm_system *system, enum uvm_processor processor, uvm_processors set,
                    unsigned count)
{
    uvm_for_each_gpu(gpu, system) if (set & uvm_bit(gpu)) system->closest[processor][count++] = (uint8_t)gpu;
    if (set & uvm_bit(UVM_CPU))
        system->closest[processor][count++] = UVM_CPU;
    return count;
}

/* Itself, then what it reaches, then all others. */
static void put_in_order(struct uvm_system *system, enum uvm_processor processor)
{
    const uvm_processors own = uvm_bit(processor), reach = system->reach[processor];

    system->closest[processor][0] = (uint8_t)processor;
    put(system, processor, (uvm_processors)~reach, put(system, processor, (uvm_processors)(reach & ~own), 1));
}

void uvm_system_init(struct uvm_system *system, unsigned gpus, enum uvm_link link, uint64_t chunks)
{
    const uvm_processors all_gpus = (uvm_processors)(((1u << gpus) - 1) << UVM_GPU);

    *system =
        (struct uvm_system){.processors = 1 + gpus, .distinct_pages_per_batch = UVM_DISTINCT_PAGES_PER_BATCH};
    system->reach[UVM_CPU] = system->fast[UVM_CPU] = uvm_bit(UVM_CPU);
    uvm_for_each_gpu(gpu, system)
    {
        const uvm_processors own = uvm_bit(gpu);
        system->reach[gpu] = (uvm_processors)(uvm_bit(UVM_CPU) | (link == UVM_NO_LINK ? own : all_gpus));
        system->fast[gpu] = link == UVM_LINK_ATOMICS ? all_gpus : own;
        system->device[uvm_device_of(gpu)].chunks = chunks;
    }
    uvm_for_each_processor(processor, system) put_in_order(system, processor);
}
