/**
 * @file checks.c
 * @brief Lab 5: the checks of port_to_managed().
 *
 * checks_place.c and checks_predict.c have those of the other functions. grade/check.h says how checks are
 * written.
 */
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "grade/check.h"

struct port {
    size_t n;
    int *in;
    struct um_try try;
};

static struct port port_make(size_t n, unsigned steps)
{
    struct port port = {.n = n, .in = um_memory(n * sizeof(int))};

    um_random_ints(port.in, n);
    port.try = (struct um_try){.function = "port_to_managed",
                               .number = {(int64_t)n, steps},
                               .in = port.in,
                               .in_bytes = n * sizeof(int),
                               .out_bytes = n * sizeof(int) + sizeof(struct lab5_told)};
    um_case("n = %zu, %u steps", n, steps);
    return port;
}

static struct lab5_told told_by(const struct port *port)
{
    struct lab5_told told;

    memcpy(&told, port->try.out + port->n * sizeof(int), sizeof told);
    return told;
}

static void expect_numbers(const struct port *port)
{
    const int *out = (const int *)(const void *)port->try.out;

    for (size_t i = 0; i < port->n && !um_has_failed(); i++) {
        int right = port->in[i];

        for (int64_t step = 0; step < port->try.number[1]; step++) {
            right = um_stored_int(&port->try.key, right + 1);
        }
        if (out[i] != right)
            um_expect(false, "use reads what fill wrote, after all steps", "at x[%zu] it is %s", i,
                      out[i] == port->in[i] ? "what fill wrote" : "something else");
    }
}

static void expect_ported(const struct port *port)
{
    const struct lab5_told told = told_by(port);

    um_expect_success(&port->try);
    um_expect(told.filled == 1 && told.used == 1, "fill and use are called once each",
              "fill %d times, use %d times", told.filled, told.used);
    expect_numbers(port);
    um_expect_kernels_touched(&port->try, (uint64_t)port->try.number[1] * port->n * sizeof(int));
    um_expect(port->try.did.account[UMSIM_LEDGER_MANAGED].bytes_peak >= port->n * sizeof(int),
              "the array is in managed memory", "%" PRIu64 " bytes of managed memory were allocated",
              port->try.did.account[UMSIM_LEDGER_MANAGED].bytes_peak);
}

static void judge_port(size_t n, unsigned steps)
{
    struct port port = port_make(n, steps);

    UM_EACH_SCHEDULE(&port.try)
    {
        expect_ported(&port);
    }
    free(port.in);
}

/* Once, under another profile: without concurrent access, or with less device memory (64 MiB) than the array
 * has. */
static void judge_port_on(const char *profile, size_t n, unsigned steps)
{
    struct port port = port_make(n, steps);

    um_case("n = %zu, %u steps, profile %s", n, steps, profile);
    port.try.profile = profile;
    if (um_call(&port.try))
        expect_ported(&port);
    free(port.in);
}

static void port_nothing(void)
{
    struct port port = port_make(0, 3);

    UM_EACH_SCHEDULE(&port.try)
    {
        um_expect_success(&port.try);
        um_expect(port.try.did.counters.launches == 0, "nothing is launched", "%" PRIu64 " kernels",
                  port.try.did.counters.launches);
    }
    free(port.in);
}

static void port_data(void)
{
    judge_port(1009, 3);
    judge_port(1, 1);
    judge_port(UM_PAGE / sizeof(int) + 1, 2);
    judge_port((UM_BLOCK + UM_PAGE) / sizeof(int) + 1, 2);
    judge_port(1 + um_random() % 100000, 1 + (unsigned)(um_random() % 9));
    judge_port_on("limited", 5003, 2);
    port_nothing();
}

static size_t some_blocks_of_ints(void)
{
    return (3 * UM_BLOCK + um_random() % UM_BLOCK) / sizeof(int);
}

static void port_copies(void)
{
    struct port port = port_make(some_blocks_of_ints(), 2);

    UM_EACH_SCHEDULE(&port.try)
    {
        const struct umsim_ledger *did = &port.try.did;
        const struct umsim_ledger_account *account = did->account;

        expect_ported(&port);
        um_expect(did->counters.memcpy_calls == 0, "nobody calls a copy", "%" PRIu64 " copies or sets",
                  did->counters.memcpy_calls);
        um_expect(umsim_ledger_calls(did, "cudaMemset") + umsim_ledger_calls(did, "cudaMemsetAsync") == 0,
                  "nobody calls cudaMemset", "it was called");
        um_expect(account[UMSIM_LEDGER_MANAGED].made == 1 &&
                      account[UMSIM_LEDGER_MANAGED].bytes_peak <= port.n * sizeof(int) + UM_PAGE,
                  "one managed array of n ints serves both sides",
                  "%" PRIu64 " managed allocations, %" PRIu64 " bytes for n = %zu",
                  account[UMSIM_LEDGER_MANAGED].made, account[UMSIM_LEDGER_MANAGED].bytes_peak, port.n);
        um_expect(account[UMSIM_LEDGER_DEVICE].made + account[UMSIM_LEDGER_PINNED].made +
                          account[UMSIM_LEDGER_REGISTERED].made ==
                      0,
                  "no device, pinned or registered memory is needed beside it",
                  "%" PRIu64 ", %" PRIu64 ", %" PRIu64 " of them", account[UMSIM_LEDGER_DEVICE].made,
                  account[UMSIM_LEDGER_PINNED].made, account[UMSIM_LEDGER_REGISTERED].made);
    }
    free(port.in);
}

static void port_wait(void)
{
    struct port port = port_make(20011, 5);

    UM_EACH_SCHEDULE(&port.try)
    {
        expect_ported(&port);
        um_expect_waits(&port.try.did, 1, 1);
    }
    free(port.in);
}

static void port_pages(void)
{
    struct port port = port_make(some_blocks_of_ints(), 4);
    const uint64_t bytes = port.n * sizeof(int), pages = (bytes + UM_PAGE - 1) / UM_PAGE * UM_PAGE;
    const uint64_t faults = (bytes + UM_BLOCK - 1) / UM_BLOCK * UM_FAULTS_OF_A_BLOCK;

    UM_EACH_SCHEDULE(&port.try)
    {
        const struct umsim_counters *c = &port.try.did.counters;

        expect_ported(&port);
        um_expect(c->bytes_migrated_htod <= pages, "each page goes to the GPU once, at most",
                  "%" PRIu64 " bytes went there, the array has %" PRIu64, c->bytes_migrated_htod, pages);
        um_expect(c->bytes_migrated_dtoh <= pages, "each page comes back once, at most",
                  "%" PRIu64 " bytes came back, the array has %" PRIu64, c->bytes_migrated_dtoh, pages);
        um_expect(c->cpu_page_faults <= 2 * faults, "the faults of one walk to write, and of one to read",
                  "%" PRIu64 " faults, a walk takes %" PRIu64, c->cpu_page_faults, faults);
        um_expect(c->contended == 0, "the host stays away while kernels run",
                  "%" PRIu64 " times it touched a page meanwhile", c->contended);
    }
    free(port.in);
}

static const struct port *port_of(const struct um_try *try)
{
    return (const struct port *)(const void *)((const char *)try - offsetof(struct port, try));
}

static void right_in_spite_of_it(const struct um_try *try)
{
    expect_ported(port_of(try));
}

/* `use` may have had its numbers before a call failed; wrong ones it must not see. */
static void expect_no_wrong_numbers(const struct um_try *try)
{
    if (told_by(port_of(try)).used > 0)
        expect_numbers(port_of(try));
}

static void port_errors(void)
{
    struct port port = port_make(1009, 3);

    UM_EACH_SCHEDULE(&port.try)
    {
        expect_ported(&port);
        um_expect_nothing_left(&port.try.did);
        um_expect_no_error_left(&port.try);
    }
    port.try.schedule = NULL;
    um_judge_errors_or_right(&port.try, NULL, right_in_spite_of_it, expect_no_wrong_numbers);
    free(port.in);
}

static const struct um_check port_to_managed_checks[] = {
    {"right_data", 2, port_data, NULL},       {"no_copies", 1, port_copies, "right_data"},
    {"one_wait", 1, port_wait, "right_data"}, {"moves_once", 1, port_pages, "one_wait"},
    {"errors", 1, port_errors, "right_data"},
};
UM_EXERCISE("port_to_managed", port_to_managed_checks);
