/**
 * @file tally.h
 * @brief Lab 7: what a row reports beside times and faults: calls made, and bytes needed against bytes
 * moved.
 */
#ifndef LAB7_TALLY_H
#define LAB7_TALLY_H

#include "kernels.h"
#include "um_lab.h"

struct tally {
    int64_t allocations, copies; /**< calls that the strategy made in its phases */
    double asked, fetched;       /**< bytes: what the kernels' code asks for; what memory moves for it */
    double needed;               /**< bytes that have to cross the bus, however it is done */
    double in_place;             /**< bytes that crossed with no copy and no migration (mapped memory) */
};

/** Ends the row's last phase and fills in its columns. */
void finish(struct um_row *row, const struct tally *tally);

/** True, after a row that gives the reason, where this device has no managed memory. */
bool skipped(struct um_run *run);

#endif
