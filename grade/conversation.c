/**
 * @file conversation.c
 * @brief Implementation of conversation.h: memory that harness and student's process share, and take turns
 * in.
 */
#include "conversation.h"
#include "sim/base/futex.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/** How long a sleep lasts before the harness looks whether the student's process still lives. */
#define LIFE_CHECK_NS UINT64_C(100000000)

static struct shared {
    atomic_uint asked; /* questions, and words that were heard */
    atomic_uint told;  /* answers, and words */
    uint32_t word;
    bool answers, ends;
    _Alignas(16) char bytes[]; /* the question, and behind it the answer */
} * shared;
static size_t shared_bytes, answer_at;
static unsigned turns; /* of the side that this process is */
static const struct um_back *back;

/* ---- in the student's process ---- */

static void await_the_harness(void)
{
    static struct umsim_patience patience;
    turns++;
    while (!umsim_await(&shared->asked, turns, &patience))
        umsim_futex_wait(&shared->asked, turns - 1, 0);
}

static void say(bool answers, uint32_t word)
{
    shared->answers = answers;
    shared->word = word;
    atomic_fetch_add(&shared->told, 1);
    umsim_futex_wake(&shared->told);
}

void um_tell(uint32_t word)
{
    say(false, word);
    await_the_harness();
}

__attribute__((noreturn)) static void answer_all(um_respond *respond)
{
    say(true, 0); /* it has begun */
    for (;;) {
        await_the_harness();
        if (shared->ends)
            um_student_leaves(back);
        respond(shared->bytes, shared->bytes + answer_at);
        say(true, 0);
    }
}

/* ---- in the harness ---- */

static void await_the_student(void)
{
    static struct umsim_patience patience;
    turns++;
    while (!umsim_await(&shared->told, turns, &patience)) {
        umsim_futex_wait(&shared->told, turns - 1, LIFE_CHECK_NS);
        if (!umsim_reached(&shared->told, turns) && um_student_has_ended())
            um_student_has_left(back); /* it has not said that it is done */
    }
}

static void go_on(void)
{
    atomic_fetch_add(&shared->asked, 1);
    umsim_futex_wake(&shared->asked);
}

uint64_t um_conversation_begin(const struct um_conversation *it)
{
    static const struct um_back nothing[] = {UM_BACK(NULL, 0)};

    answer_at = (it->question_bytes + 15) / 16 * 16;
    shared_bytes = sizeof *shared + answer_at + it->answer_bytes;
    shared = mmap(NULL, shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        um_student_cannot("no memory for a conversation with the student's process");
    turns = 0;
    back = it->back ? it->back : nothing;
    um_student_has_spare(it->spare_bytes);
    if (um_student_enters(back))
        answer_all(it->respond);
    await_the_student();
    return um_student_writable_bytes(); /* none of the submission's code has run */
}

void um_ask(const void *question, size_t question_bytes, void *answer, size_t answer_bytes,
            void heard(uint32_t word, void *context), void *context)
{
    memcpy(shared->bytes, question, question_bytes);
    for (;;) {
        go_on();
        await_the_student();
        if (*(volatile bool *)&shared->answers)
            break;
        if (heard)
            heard(*(volatile uint32_t *)&shared->word, context);
    }
    memcpy(answer, shared->bytes + answer_at, answer_bytes);
}

void um_conversation_end(void)
{
    shared->ends = true;
    go_on();
    um_student_has_left(back);
    munmap(shared, shared_bytes);
}
