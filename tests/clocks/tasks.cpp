/**
 * @file tasks.cpp
 * @brief Tasks of every kind that OpenMP has: what they are given and what they leave is the same with
 * modelled clocks as in a program that knows of none. In each, a task waits for the clock.
 */
#include <cstdio>
#include <ctime>
#include <omp.h>

namespace
{

long long now_ns()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

void wait_a_little()
{
    const long long began = now_ns();
    while (now_ns() - began < 20000)
        ;
}

/* A copy is no image of its bytes, and wants an address of 64 bytes. */
struct alignas(64) Kept {
    const Kept *self = this;
    int value;
    explicit Kept(int value) : value(value)
    {
    }
    Kept(const Kept &other) : value(other.value)
    {
    }
    [[nodiscard]] int here() const
    {
        return self == this && reinterpret_cast<unsigned long>(this) % 64 == 0 ? value : -1000000;
    }
};

/* Given: nothing, a byte, an array, an object; done at the barrier, at once, or at last. */
int given(int turn)
{
    int sum = 0;
    const Kept kept(7);
    const char one = 3;
    int many[100];
    for (int i = 0; i < 100; i++)
        many[i] = i;
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 12; i++) {
#pragma omp task
        wait_a_little();
#pragma omp task firstprivate(one) shared(sum) if (i % 3 != turn % 3)
#pragma omp atomic
        sum += one;
#pragma omp task firstprivate(kept, i) shared(sum) if (i % 2) final(i % 5 == 0)
        {
            wait_a_little();
#pragma omp atomic
            sum += kept.here() * i;
        }
#pragma omp task firstprivate(many) shared(sum)
#pragma omp atomic
        sum += many[99];
    }
    return sum;
}

int fibonacci(int n)
{
    int a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a) untied
    a = fibonacci(n - 1);
#pragma omp task shared(b) mergeable
    b = fibonacci(n - 2);
#pragma omp taskwait
    return a + b;
}

int nested()
{
    int result = 0;
#pragma omp parallel num_threads(4)
#pragma omp master
    {
        result = fibonacci(12);
        wait_a_little();
    }
    return result;
}

/* Each multiplies what the one before has left. */
int in_order()
{
    long long value = 1;
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 1; i <= 10; i++) {
#pragma omp task depend(inout : value) shared(value) firstprivate(i) priority(i)
        {
            wait_a_little();
            value = (value * i + 1) % 1000003;
        }
    }
    return static_cast<int>(value);
}

int loops()
{
    long long sum = 0, last = 0;
    unsigned long long far = 0;
    const Kept kept(5);
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp taskloop grainsize(3) reduction(+ : sum) firstprivate(kept)
        for (int i = 0; i < 100; i++)
            sum += kept.here() * i;
#pragma omp taskloop num_tasks(5) lastprivate(last)
        for (long i = -7; i < 20; i += 2) {
            wait_a_little();
            last = i;
        }
#pragma omp taskloop reduction(max : far) if (0)
        for (unsigned long long i = 1ULL << 63; i < (1ULL << 63) + 9; i++)
            far = i > far ? i : far;
#pragma omp taskloop nogroup
        for (int i = 0; i < 6; i++)
            wait_a_little();
#pragma omp taskgroup task_reduction(+ : sum)
        for (int i = 0; i < 9; i++)
#pragma omp task in_reduction(+ : sum)
            sum += i;
    }
    return static_cast<int>(sum + last + (far & 0xff));
}

int detached(bool deferred)
{
    int after = 0;
    omp_event_handle_t event;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task detach(event) if (deferred) shared(after)
        {
            wait_a_little();
            after = 1;
            omp_fulfill_event(event);
        }
#pragma omp taskwait
        after += 10;
    }
    return after;
}

} // namespace

int main()
{
    for (int turn = 0; turn < 20; turn++)
        std::printf("%d %d %d %d %d %d\n", given(turn), nested(), in_order(), loops(), detached(true),
                    detached(false));
    return 0;
}
