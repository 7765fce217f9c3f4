/**
 * @file checks.c
 * @brief Lab 7: the checks of list_to_device(), list_managed() and aos_to_soa().
 *
 * grade/check.h says how checks are written.
 */
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "../exercise.h"
#include "grade/check.h"

/* One allocation of one kind, and none of any other. */
static void expect_one_allocation(const struct umsim_ledger *did, enum umsim_ledger_kind wanted,
                                  uint64_t least, uint64_t most)
{
    for (int kind = 0; kind < UMSIM_LEDGER_KINDS; kind++) {
        const struct umsim_ledger_account *account = &did->account[kind];

        if (kind != (int)wanted)
            um_expect(account->made == 0, "one allocation, and nothing else of CUDA's",
                      "%" PRIu64 " of another kind", account->made);
    }
    um_expect(did->account[wanted].made == 1, "one allocation", "%" PRIu64 " allocations",
              did->account[wanted].made);
    um_expect(did->account[wanted].bytes_peak >= least && did->account[wanted].bytes_peak <= most,
              "as large as what stands in it", "%" PRIu64 " bytes, where %" PRIu64 " are needed",
              did->account[wanted].bytes_peak, least);
}

static void expect_one_copy(const struct umsim_ledger *did, uint64_t least, uint64_t most)
{
    const struct umsim_counters *c = &did->counters;

    um_expect(c->memcpy_calls == 1, "one copy", "%" PRIu64 " copies", c->memcpy_calls);
    um_expect(c->memcpy_htod_bytes >= least && c->memcpy_htod_bytes <= most,
              "the bytes that are needed, and no more, go to the device",
              "%" PRIu64 " bytes, where %" PRIu64 " are needed", c->memcpy_htod_bytes, least);
    um_expect(c->memcpy_dtoh_bytes + c->memcpy_dtod_bytes == 0,
              "nothing is copied back, or within the device", "%" PRIu64 " and %" PRIu64 " bytes",
              c->memcpy_dtoh_bytes, c->memcpy_dtod_bytes);
    um_expect(c->launches == 0, "no kernels", "%" PRIu64, c->launches);
    um_expect_waits(did, 0, 0);
}

/* The function alone, under every schedule: what it left behind; then with every call failing once. That it
 * does what it should for this very request has been seen: it does not know which of them is used. */
static void judge_errors(struct um_try *try, void expect_nothing_made(const struct um_try *))
{
    try->number[1] = 0;
    um_judge_gives_back(try);
    um_judge_errors(try, NULL, um_expect_success, expect_nothing_made);
}

/* ---- lists ---- */

struct list {
    size_t n;
    int64_t *values; /* n; for list_to_device, n places follow */
    struct um_try try;
};

static struct list list_make(const char *function, size_t n)
{
    const bool has_places = strcmp(function, "list_to_device") == 0;
    struct list list = {.n = n, .values = um_memory(n * (sizeof(int64_t) + sizeof(uint32_t)))};
    uint32_t *place = (uint32_t *)(void *)(list.values + n);

    for (size_t k = 0; k < n; k++) {
        const size_t other = um_random() % (k + 1); /* Fisher and Yates' shuffle, from the inside out */
        uint32_t there;

        list.values[k] = (int64_t)(um_random() >> 20) - ((int64_t)1 << 43);
        place[k] = (uint32_t)k;
        there = place[other];
        place[other] = (uint32_t)k;
        place[k] = there;
    }
    list.try = (struct um_try){.function = function,
                               .number = {(int64_t)n, true},
                               .in = list.values,
                               .in_bytes = n * (sizeof(int64_t) + (has_places ? sizeof(uint32_t) : 0)),
                               .out_bytes = sizeof(struct lab7_sums)};
    um_case("%zu nodes", n);
    return list;
}

static struct lab7_sums sums_of(const struct um_try *try)
{
    struct lab7_sums sums;

    memcpy(&sums, try->out, sizeof sums);
    return sums;
}

static void expect_no_list(const struct um_try *try)
{
    um_expect(!sums_of(try).has_list, "after an error the list is NULL", "it is not");
}

/* @param key the kernel's; NULL: the host has added up */
static void expect_sums(const struct list *list, const int64_t *sums, const struct umsim_key *key,
                        const char *whose)
{
    for (int k = 0; k < LAB7_PREFIXES; k++) {
        const uint64_t length = lab7_prefix(list->n, k);
        int64_t right = 0;

        for (uint64_t i = 0; i < length && i < list->n; i++) {
            right += um_read_int64(key, list->values[i]);
        }
        right = length > 0 ? um_stored_int64(key, right) : 0;
        um_expect(sums[k] == right, "the first nodes have the first values, and the last link is NULL",
                  "the %s sum of at most %" PRIu64 " nodes is off by %" PRId64, whose, length,
                  sums[k] - right);
    }
}

/* What a kernel found, and of a managed list what the host found. */
static void expect_list(const struct list *list)
{
    const struct lab7_sums sums = sums_of(&list->try);
    const struct umsim_ledger_account *account = list->try.did.account;

    um_expect_success(&list->try);
    um_expect(sums.has_list == (list->n > 0), list->n > 0 ? "a list" : "an empty list is NULL",
              sums.has_list ? "there is one" : "it is NULL");
    if (list->n == 0) {
        um_expect(account[UMSIM_LEDGER_DEVICE].made == 0 && account[UMSIM_LEDGER_MANAGED].made == 0,
                  "nothing is asked of CUDA", "something was allocated");
        return;
    }
    expect_sums(list, sums.device, &list->try.key, "kernel's");
    if (strcmp(list->try.function, "list_managed") != 0)
        return;
    expect_sums(list, sums.host, NULL, "host's");
    um_expect((uint64_t)sums.length == list->n, "the last link is NULL", "it leads on");
}

static void judge_list(const char *function, size_t n)
{
    struct list list = list_make(function, n);

    UM_EACH_SCHEDULE(&list.try)
    {
        expect_list(&list);
    }
    free(list.values);
}

/* For checks of the function alone: the caller first uses what the function makes of this request. */
static void without_use(struct list *list)
{
    if (um_call(&list->try))
        expect_list(list);
    list->try.number[1] = false;
}

static void to_device_data(void)
{
    judge_list("list_to_device", 1009);
    judge_list("list_to_device", 1);
    judge_list("list_to_device", UM_PAGE / sizeof(struct um_node)); /* what lies behind it is closed */
    judge_list("list_to_device", UM_PAGE / sizeof(struct um_node) + 1);
    judge_list("list_to_device", 2 + um_random() % 5000);
    judge_list("list_to_device", 0);
}

static void to_device_copy(void)
{
    struct list list = list_make("list_to_device", 1000 + um_random() % 1000);
    const uint64_t bytes = list.n * sizeof(struct um_node);

    without_use(&list);
    UM_EACH_SCHEDULE(&list.try)
    {
        expect_one_allocation(&list.try.did, UMSIM_LEDGER_DEVICE, bytes, bytes);
        expect_one_copy(&list.try.did, bytes, bytes);
    }
    free(list.values);
}

static void to_device_errors(void)
{
    struct list list = list_make("list_to_device", 100);

    without_use(&list);
    judge_errors(&list.try, expect_no_list);
    free(list.values);
}

static const struct um_check list_to_device_checks[] = {
    {"right_data", 2, to_device_data, NULL},
    {"one_copy", 2, to_device_copy, "right_data"},
    {"errors", 1, to_device_errors, "right_data"},
};
UM_EXERCISE("list_to_device", list_to_device_checks);

static void managed_data(void)
{
    judge_list("list_managed", 1009);
    judge_list("list_managed", 1);
    judge_list("list_managed", UM_PAGE / sizeof(struct um_node) + 1);
    judge_list("list_managed", 2 + um_random() % 5000);
    judge_list("list_managed", 0);
}

static void managed_pool(void)
{
    struct list list = list_make("list_managed", 1000 + um_random() % 1000);
    const uint64_t bytes = list.n * sizeof(struct um_node);

    without_use(&list);
    UM_EACH_SCHEDULE(&list.try)
    {
        expect_one_allocation(&list.try.did, UMSIM_LEDGER_MANAGED, bytes, bytes);
        um_expect(list.try.did.counters.memcpy_calls == 0, "no copies", "%" PRIu64,
                  list.try.did.counters.memcpy_calls);
        um_expect(list.try.did.counters.launches == 0, "no kernels", "%" PRIu64,
                  list.try.did.counters.launches);
        um_expect_waits(&list.try.did, 0, 0);
    }
    free(list.values);
}

/* More nodes than the profile `tiny` has device memory for, 64 MiB. */
static void managed_larger_than_the_device(void)
{
    struct list list =
        list_make("list_managed", ((size_t)66 << 20) / sizeof(struct um_node) + um_random() % 1000);

    um_case("%zu nodes, profile tiny with 64 MiB of device memory", list.n);
    list.try.profile = "tiny";
    if (!um_has_failed() && um_call(&list.try))
        expect_list(&list);
    free(list.values);
}

static void managed_pages(void)
{
    struct list list = list_make("list_managed", 150000 + um_random() % 1000);
    const uint64_t bytes = list.n * sizeof(struct um_node), most = um_round_up(bytes, UM_BIG_PAGE);
    const uint64_t faults = um_round_up(bytes, UM_BLOCK) / UM_BLOCK * UM_FAULTS_OF_A_BLOCK;

    UM_EACH_SCHEDULE(&list.try)
    {
        const struct umsim_counters *c = &list.try.did.counters;

        expect_list(&list);
        um_expect(c->bytes_migrated_htod <= most && c->bytes_migrated_dtoh <= most,
                  "no more pages move than the nodes need, once there and once back",
                  "%" PRIu64 " bytes there, %" PRIu64 " back; the nodes have %" PRIu64,
                  c->bytes_migrated_htod, c->bytes_migrated_dtoh, bytes);
        um_expect(c->cpu_page_faults <= 2 * faults,
                  "the host takes the faults of one walk to write, and of one to read",
                  "%" PRIu64 " faults, a walk takes at most %" PRIu64, c->cpu_page_faults, faults);
    }
    free(list.values);
    managed_larger_than_the_device();
}

static void managed_errors(void)
{
    struct list list = list_make("list_managed", 100);

    without_use(&list);
    judge_errors(&list.try, expect_no_list);
    free(list.values);
}

static const struct um_check list_managed_checks[] = {
    {"right_data", 2, managed_data, NULL},
    {"one_pool", 1, managed_pool, "right_data"},
    {"moves_little", 1, managed_pages, "one_pool"},
    {"errors", 1, managed_errors, "right_data"},
};
UM_EXERCISE("list_managed", list_managed_checks);

/* ---- records ---- */

struct soa {
    size_t n;
    struct um_record *records;
    struct um_try try;
};

static struct soa soa_make(size_t n)
{
    struct soa soa = {.n = n, .records = um_memory(n * sizeof(struct um_record))};

    um_random_floats((float *)(void *)soa.records, n * sizeof(struct um_record) / sizeof(float));
    soa.try = (struct um_try){.function = "aos_to_soa",
                              .number = {(int64_t)n, true},
                              .in = soa.records,
                              .in_bytes = n * sizeof(struct um_record),
                              .out_bytes = sizeof(struct lab7_fields) + 6 * n * sizeof(float)};
    um_case("%zu records", n);
    return soa;
}

static struct lab7_fields fields_of(const struct um_try *try)
{
    struct lab7_fields fields;

    memcpy(&fields, try->out, sizeof fields);
    return fields;
}

static void expect_no_fields(const struct um_try *try)
{
    for (int field = 0; field < 6; field++) {
        um_expect(fields_of(try).offset[field] == LAB7_NULL, "after an error all six pointers are NULL",
                  "pointer %d is not", field);
    }
}

/* A field as the caller's kernels leave it: positions have moved, velocities are as they were. */
static float expected_float(const struct soa *soa, int field, size_t i)
{
    const struct um_record *record = &soa->records[i];

    const struct umsim_key *key = &soa->try.key;

    if (field >= 3)
        return record->velocity[field - 3];
    return um_stored_float(key, LAB7_TIME * um_read_float(key, record->velocity[field]) +
                                    um_read_float(key, record->position[field]));
}

static void expect_soa(const struct soa *soa)
{
    static const char *const names[6] = {"position[0]", "position[1]", "position[2]",
                                         "velocity[0]", "velocity[1]", "velocity[2]"};
    const float *home = (const float *)(const void *)(soa->try.out + sizeof(struct lab7_fields));

    um_expect_success(&soa->try);
    if (soa->n == 0)
        expect_no_fields(&soa->try);
    for (int field = 0; field < 6; field++) {
        for (size_t i = 0; i < soa->n && !um_has_failed(); i++) {
            um_expect(home[(size_t)field * soa->n + i] == expected_float(soa, field, i),
                      "each field has its own values, in the records' order",
                      "%s[%zu] is %g instead of %g after the move", names[field], i,
                      home[(size_t)field * soa->n + i], expected_float(soa, field, i));
        }
    }
}

static void judge_soa(size_t n)
{
    struct soa soa = soa_make(n);

    UM_EACH_SCHEDULE(&soa.try)
    {
        expect_soa(&soa);
    }
    free(soa.records);
}

static void soa_data(void)
{
    judge_soa(1009);
    judge_soa(1);
    judge_soa(64);
    judge_soa(UM_PAGE / sizeof(float) + 1);
    judge_soa(2 + um_random() % 20000);
    judge_soa(0);
}

static void soa_copy(void)
{
    struct soa soa = soa_make(LAB7_ALIGNMENT * (16 + um_random() % 8) + 1 + um_random() % 64);
    const uint64_t least = 6 * soa.n * sizeof(float), most = least + 6 * (LAB7_ALIGNMENT - sizeof(float));

    if (um_call(&soa.try))
        expect_soa(&soa); /* of this very request */
    soa.try.number[1] = false;
    UM_EACH_SCHEDULE(&soa.try)
    {
        expect_one_allocation(&soa.try.did, UMSIM_LEDGER_DEVICE, least, most);
        expect_one_copy(&soa.try.did, least, most);
    }
    free(soa.records);
}

static void judge_offsets(size_t n)
{
    struct soa soa = soa_make(n);
    const uint64_t apart = um_round_up(n * sizeof(float), LAB7_ALIGNMENT);

    if (um_call(&soa.try))
        expect_soa(&soa); /* of this very request */
    soa.try.number[1] = false;
    UM_EACH_SCHEDULE(&soa.try)
    {
        for (int field = 0; field < 6; field++) {
            um_expect(fields_of(&soa.try).offset[field] == (int64_t)(apart * (uint64_t)field),
                      "each field begins at the next multiple of 256 bytes behind the one before",
                      "field %d begins at byte %" PRId64 " instead of %" PRIu64, field,
                      fields_of(&soa.try).offset[field], apart * (uint64_t)field);
        }
    }
    free(soa.records);
}

static void soa_offsets(void)
{
    judge_offsets(1);
    judge_offsets(64);
    judge_offsets(1009);
    judge_offsets(2 + um_random() % 5000);
}

static void soa_errors(void)
{
    struct soa soa = soa_make(100);

    if (um_call(&soa.try))
        expect_soa(&soa); /* of this very request */
    judge_errors(&soa.try, expect_no_fields);
    free(soa.records);
}

static const struct um_check aos_to_soa_checks[] = {
    {"right_data", 2, soa_data, NULL},
    {"one_copy", 1, soa_copy, "right_data"},
    {"offsets", 1, soa_offsets, "right_data"},
    {"errors", 1, soa_errors, "right_data"},
};
UM_EXERCISE("aos_to_soa", aos_to_soa_checks);
