/**
 * @file records.h
 * @brief Lab 7: particles as an array of records and as a structure of arrays, filled and verified alike.
 *
 * One time step moves each particle: position += velocity * TIME_STEP. It reads six of a particle's eight
 * values and changes three. Mass and id are the rest of the record, which the step does not need.
 */
#ifndef LAB7_RECORDS_H
#define LAB7_RECORDS_H

#include "kernels.h"
#include "um_lab.h"

#define TIME_STEP 2.0f
#define AXES 3

/** Bytes that the step needs of a particle: to read, and to write. */
#define STEP_READS (2 * AXES * sizeof(float))
#define STEP_WRITES (AXES * sizeof(float))

/** The same particles, as one array per field. All pointers lead to one kind of memory. */
struct arrays {
    float *position[AXES], *velocity[AXES];
    float *mass;
    uint32_t *id;
};

void fill_records(struct um_record *records, size_t n, uint64_t seed);

/** Assembles record `i` from the arrays. */
struct um_record record_of(const struct arrays *arrays, size_t i);

/** Splits record `i` into the arrays. */
void take_apart(const struct arrays *arrays, size_t i, struct um_record p);

void fill_arrays(const struct arrays *arrays, size_t n, uint64_t seed);

/** Whether `p` is particle `i` after the step, in all its fields. A difference is printed on stderr. */
bool moved_right(const char *strategy, size_t i, uint64_t seed, struct um_record p);

/** Gives every field its range of `memory`, which holds `n` whole records. */
struct arrays arrays_in(void *memory, size_t n);

/** The step on arrays: one kernel per axis. */
cudaError_t move_arrays(const struct arrays *arrays, size_t n);

#endif
