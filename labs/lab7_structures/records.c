/**
 * @file records.c
 * @brief Implementation of records.h: fills and verifies particles in both layouts.
 */
#include "records.h"

/* A particle's values as they are before the step. */
static struct um_record particle(size_t i, uint64_t seed)
{
    struct um_record p = {.mass = (float)um_value(seed, 7 * i), .id = (uint32_t)i};

    for (int axis = 0; axis < AXES; axis++) {
        p.position[axis] = (float)um_value(seed, 7 * i + 1 + (size_t)axis);
        p.velocity[axis] = (float)um_value(seed, 7 * i + 4 + (size_t)axis);
    }
    return p;
}

void fill_records(struct um_record *records, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++)
        records[i] = particle(i, seed);
}

struct um_record record_of(const struct arrays *arrays, size_t i)
{
    struct um_record p = {.mass = arrays->mass[i], .id = arrays->id[i]};

    for (int axis = 0; axis < AXES; axis++) {
        p.position[axis] = arrays->position[axis][i];
        p.velocity[axis] = arrays->velocity[axis][i];
    }
    return p;
}

void take_apart(const struct arrays *arrays, size_t i, struct um_record p)
{
    for (int axis = 0; axis < AXES; axis++) {
        arrays->position[axis][i] = p.position[axis];
        arrays->velocity[axis][i] = p.velocity[axis];
    }
    arrays->mass[i] = p.mass;
    arrays->id[i] = p.id;
}

void fill_arrays(const struct arrays *arrays, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++)
        take_apart(arrays, i, particle(i, seed));
}

bool moved_right(const char *strategy, size_t i, uint64_t seed, struct um_record p)
{
    struct um_record wanted = particle(i, seed);

    for (int axis = 0; axis < AXES; axis++)
        wanted.position[axis] += wanted.velocity[axis] * TIME_STEP; /* small whole numbers: exact */
    if (memcmp(&p, &wanted, sizeof p) == 0)
        return true;
    fprintf(stderr, "%s: particle %zu is at %g %g %g and should be at %g %g %g, or another field changed\n",
            strategy, i, p.position[0], p.position[1], p.position[2], wanted.position[0], wanted.position[1],
            wanted.position[2]);
    return false;
}

struct arrays arrays_in(void *memory, size_t n)
{
    float *at = memory;
    struct arrays arrays;

    for (int axis = 0; axis < AXES; axis++, at += n)
        arrays.position[axis] = at;
    for (int axis = 0; axis < AXES; axis++, at += n)
        arrays.velocity[axis] = at;
    arrays.mass = at;
    arrays.id = (uint32_t *)(void *)(at + n);
    return arrays;
}

cudaError_t move_arrays(const struct arrays *arrays, size_t n)
{
    cudaError_t error = cudaSuccess;

    for (int axis = 0; axis < AXES && error == cudaSuccess; axis++)
        error = um_saxpy(arrays->position[axis], TIME_STEP, arrays->velocity[axis], n, 0);
    return error;
}
