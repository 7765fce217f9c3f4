/**
 * @file copies.c
 * @brief Claims about transfers: sizes, directions, types, records, and giving memory back.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "finding.h"
#include "kernels.h"

/* 1,024 bytes hold 256 floats. Copying 1,024 floats into them is refused, and nothing arrives. */
static void bytes_are_not_floats(void)
{
    float host[1024], back[256] = {0};
    float *d_x = NULL;

    for (int i = 0; i < 1024; i++)
        host[i] = (float)i;
    NEED(cudaMalloc((void **)&d_x, 1024));
    NEED(cudaMemset(d_x, 0, 1024));
    FOUND("bytes-are-not-floats: floats in 1,024 bytes", "%zu", 1024 / sizeof(float));
    FOUND_RESULT("bytes-are-not-floats: copying 1,024 floats into 1,024 bytes",
                 cudaMemcpy(d_x, host, sizeof host, cudaMemcpyHostToDevice));
    forget();
    NEED(cudaMemcpy(back, d_x, sizeof back, cudaMemcpyDeviceToHost));
    FOUND("bytes-are-not-floats: the last of the 256 afterwards", "%g", (double)back[255]);
    FOUND_RESULT("bytes-are-not-floats: copying 1,024 floats out of them",
                 cudaMemcpy(host, d_x, sizeof host, cudaMemcpyDeviceToHost));
    forget();
    FOUND_RESULT("bytes-are-not-floats: copying 256 floats",
                 cudaMemcpy(d_x, host, 1024, cudaMemcpyHostToDevice));
    NEED(cudaFree(d_x));
}

/* Past the allocation's end, but in memory that is mapped: a kernel may get away with it, and nobody says a
 * word. */
static void overrun_may_go_unseen(void)
{
    float *d_x = NULL;

    NEED(cudaMalloc((void **)&d_x, 1024));
    FOUND_RESULT("overrun-may-go-unseen: launch of 1,024 threads on 256 floats", claims_add_one(d_x, 4, 256));
    FOUND_RESULT("overrun-may-go-unseen: synchronise", cudaDeviceSynchronize());
    NEED(cudaFree(d_x));
}

static void directions(void)
{
    int host = 5, back = 0, *d_x = NULL;

    NEED(cudaMalloc((void **)&d_x, sizeof *d_x));
    FOUND_RESULT("directions: to the device, said so",
                 cudaMemcpy(d_x, &host, sizeof host, cudaMemcpyHostToDevice));
    FOUND_RESULT("directions: to the host, said so",
                 cudaMemcpy(&back, d_x, sizeof back, cudaMemcpyDeviceToHost));
    FOUND("directions: what came back", "%d", back);
    FOUND_RESULT("directions: to the device, said to be to the host",
                 cudaMemcpy(d_x, &host, sizeof host, cudaMemcpyDeviceToHost));
    forget();
    FOUND_RESULT("directions: to the host, said to be to the device",
                 cudaMemcpy(&back, d_x, sizeof back, cudaMemcpyHostToDevice));
    forget();
    NEED(cudaFree(d_x));
}

/* The driver's state is on the host: no kernel has run when this memory is given and taken back. */
static void giving_back(void)
{
    const size_t bytes = (size_t)256 << 20;
    size_t before, during, after, total;
    void *d_x = NULL;

    NEED(cudaMemGetInfo(&before, &total));
    NEED(cudaMalloc(&d_x, bytes));
    NEED(cudaMemGetInfo(&during, &total));
    FOUND_WHETHER("giving-back: 256 MiB less are free after cudaMalloc", before - during >= bytes);
    NEED(cudaFree(d_x));
    NEED(cudaMemGetInfo(&after, &total));
    FOUND_WHETHER("giving-back: they are free again after cudaFree", after - during >= bytes);
    FOUND_RESULT("giving-back: cudaFree a second time", cudaFree(d_x));
    forget();
    FOUND_RESULT("giving-back: cudaMalloc of 2^50 bytes", cudaMalloc(&d_x, (size_t)1 << 50));
    forget();
}

/* Copies know bytes, no types. A wrong type is neither an error nor a crash: it is another number. */
static void types_are_not_checked(void)
{
    int32_t whole = 1065353216;
    double doubles[4] = {1, 2, 3, 4}, back[4];
    float as_float = 0, *d_x = NULL;

    NEED(cudaMalloc((void **)&d_x, sizeof doubles));
    NEED(cudaMemcpy(d_x, &whole, sizeof whole, cudaMemcpyHostToDevice));
    FOUND_RESULT("types-are-not-checked: an int's bytes, fetched as a float",
                 cudaMemcpy(&as_float, d_x, sizeof as_float, cudaMemcpyDeviceToHost));
    FOUND("types-are-not-checked: 1065353216 has become", "%g", (double)as_float);
    NEED(cudaMemcpy(d_x, doubles, sizeof doubles, cudaMemcpyHostToDevice));
    NEED(claims_add_one(d_x, 1, 8)); /* a kernel for float, on four doubles */
    FOUND_RESULT("types-are-not-checked: a float kernel on doubles", cudaDeviceSynchronize());
    NEED(cudaMemcpy(back, d_x, sizeof back, cudaMemcpyDeviceToHost));
    FOUND_WHETHER("types-are-not-checked: 1.0 + 1 is 2.0 then", back[0] == 2.0);
    NEED(cudaFree(d_x));
}

enum { RECORDS = 256 };

static void fill_records(struct claims_xyz *r)
{
    for (int i = 0; i < RECORDS; i++) {
        r[i].x = (float)i;
        r[i].y = (float)(2 * i);
        r[i].z = (float)(3 * i);
    }
}

/* Records of three floats go there and back in one copy, and a kernel with the same layout reads them. */
static void records_in_one_copy(void)
{
    struct claims_xyz from[RECORDS], back[RECORDS], *d_records = NULL;
    float sums[RECORDS], *d_sums = NULL;
    int right = 0;

    fill_records(from);
    NEED(cudaMalloc((void **)&d_records, sizeof from));
    NEED(cudaMalloc((void **)&d_sums, sizeof sums));
    NEED(cudaMemcpy(d_records, from, sizeof from, cudaMemcpyHostToDevice));
    NEED(claims_sum_records(d_sums, d_records, RECORDS));
    NEED(cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
    NEED(cudaMemcpy(back, d_records, sizeof back, cudaMemcpyDeviceToHost));
    for (int i = 0; i < RECORDS; i++)
        right += sums[i] == (float)(6 * i);
    FOUND("records-in-one-copy: bytes of a record", "%zu", sizeof from[0]);
    FOUND_WHETHER("records-in-one-copy: the same bytes came back", memcmp(from, back, sizeof from) == 0);
    FOUND("records-in-one-copy: records that the kernel read right, of 256", "%d", right);
    NEED(cudaFree(d_sums));
    NEED(cudaFree(d_records));
}

/** The same three fields, but aligned to 16 bytes, as float4-like records are. */
struct padded {
    float x, y, z, unused;
};

/* Layouts that differ: every byte arrives, and the numbers are nonsense. */
static void layouts_that_differ(void)
{
    struct claims_xyz from[RECORDS];
    struct padded back[RECORDS];
    void *d_x = NULL;
    int right = 0;

    fill_records(from);
    memset(back, 0, sizeof back);
    NEED(cudaMalloc(&d_x, sizeof back));
    NEED(cudaMemcpy(d_x, from, sizeof from, cudaMemcpyHostToDevice));
    FOUND_RESULT("layouts-that-differ: copy out into padded records",
                 cudaMemcpy(back, d_x, sizeof from, cudaMemcpyDeviceToHost));
    for (int i = 1; i < RECORDS; i++)
        right += back[i].x == (float)i && back[i].y == (float)(2 * i);
    FOUND("layouts-that-differ: records 1 to 255 that are right", "%d", right);
    NEED(cudaFree(d_x));
}

/** A record with a pointer in it, as a numpy dtype of objects has. */
struct with_pointer {
    float *values;
};

struct shallow {
    bool same_number;
    cudaError_t synchronize;
};

static void follow_copied_pointer(void *area)
{
    struct shallow *s = area;
    struct with_pointer record = {malloc(sizeof(float))}, back = {NULL};
    void *d_record = NULL;
    float *d_out = NULL;

    if (!record.values)
        _exit(CHILD_CANNOT);
    *record.values = 1;
    NEED(cudaMalloc(&d_record, sizeof record));
    NEED(cudaMalloc((void **)&d_out, sizeof *d_out));
    NEED(cudaMemcpy(d_record, &record, sizeof record, cudaMemcpyHostToDevice));
    NEED(cudaMemcpy(&back, d_record, sizeof back, cudaMemcpyDeviceToHost));
    s->same_number = back.values == record.values;
    NEED(claims_read(d_out, back.values));
    s->synchronize = cudaDeviceSynchronize();
    free(record.values);
}

/* A pointer in a record arrives as the number that it was: the host's. What it points to stays behind. */
static void pointers_in_records(void)
{
    struct shallow s = {0};

    need_separate_memories();
    if (!child_run(follow_copied_pointer, &s, sizeof s))
        return;
    FOUND_WHETHER("pointers-in-records: the copy holds the host's address", s.same_number);
    FOUND_RESULT("pointers-in-records: a kernel that follows it", s.synchronize);
}

/* Pinned memory has to be given back by cudaFreeHost, once. */
static void pinned_given_back(void)
{
    void *pinned = NULL;

    NEED(cudaMallocHost(&pinned, 4096));
    FOUND_RESULT("pinned-given-back: cudaFree of it", cudaFree(pinned));
    forget();
    FOUND_RESULT("pinned-given-back: cudaFreeHost", cudaFreeHost(pinned));
    FOUND_RESULT("pinned-given-back: cudaFreeHost a second time", cudaFreeHost(pinned));
    forget();
}

UM_TESTS("claims: copies", {"bytes-are-not-floats", bytes_are_not_floats},
         {"overrun-may-go-unseen", overrun_may_go_unseen}, {"directions", directions},
         {"giving-back", giving_back}, {"types-are-not-checked", types_are_not_checked},
         {"records-in-one-copy", records_in_one_copy}, {"layouts-that-differ", layouts_that_differ},
         {"pointers-in-records", pointers_in_records}, {"pinned-given-back", pinned_given_back});
