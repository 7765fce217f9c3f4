/**
 * @file state.h
 * @brief What play.c, which does the steps, and account.c, which counts and prices them, share: the scenario
 * that is played. Nobody else looks inside.
 */
#ifndef UMLAB_PLAYGROUND_STATE_H
#define UMLAB_PLAYGROUND_STATE_H

#include "play.h"
#include "model/cost_delta.h"

#define BASE ((uintptr_t)0x40000000)
#define BLOCKS ((size_t)(SCENARIO_ARRAY_MAX / UVM_VA_BLOCK_BYTES))

struct play_state {
    struct scenario scenario;
    struct umsim_profile profile, other; /* of the first GPU, with what is between them; of the second */
    struct uvm_system machine;
    struct uvm_space *space;
    unsigned devices, current;
    uint64_t now_ns, busy_until_ns[PLAY_DEVICES_MAX];
    struct umsim_handler handler;
    bool host_faulted, mapped_for[PLAY_DEVICES_MAX];
    unsigned steps;
    uint64_t count[2][PLAY_COUNTS]; /* of the last step; of all */
    struct play_event event[PLAY_EVENTS_MAX];
    unsigned events;
    uint64_t events_left_out;
};

extern struct play_state play;

const struct umsim_profile *play_machine_of(unsigned device);

/** For an operation of the policy's, at that time; its events are noted. */
struct uvm_delta play_delta_of(enum uvm_processor processor, uint64_t now_ns);

/** Counts what the policy did, and adds it to what is priced. */
void play_charge(const struct uvm_delta *delta, struct umsim_paging_work *work);

void play_count_more(enum play_count count, uint64_t more);

/** Of all processors from `first` on. */
uint64_t play_sum_of(const uint64_t of[UVM_PROCESSORS], enum uvm_processor first);

#endif
